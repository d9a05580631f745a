import ClipMedia
import ClipModel

extension AssetMaker {
  /// The project's own prober and thumbnails.
  public static let clipMedia = AssetMaker(
    inspect: { path in
      let probe = try await Prober.probe(path: path)
      let shown = probe.mainVideo?.shownSize
      return AssetFacts(
        durationSeconds: probe.shownSeconds ?? 0, width: shown?.width ?? 0,
        height: shown?.height ?? 0, frameRate: probe.mainVideo?.averageFrameRate?.value,
        hasVideo: probe.mainVideo != nil)
    },
    drawThumbnail: { videoPath, jpegPath, seconds in
      _ = try await PictureDrawing.draw(
        [PictureOrder(.poster(PosterPlan(atSeconds: seconds)), path: jpegPath)], of: videoPath)
    })
}
