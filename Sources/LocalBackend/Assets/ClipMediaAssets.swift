import ClipMedia
import ClipModel

extension AssetMaker {
  private static func reasons(_ standard: MuxStandard, _ probe: ClipProbe) -> [String: String] {
    let failed = standard.effective(for: probe).judge(probe).filter { $0.outcome == .fail }
    // Two requirements may share a key; the first one's value is as good.
    return Dictionary(failed.map { ($0.requirement.reasonKey, $0.value ?? "non-standard") }) { first, _ in first }
  }

  /// The project's own prober, pictures and streams.
  public static let clipMedia = {
    var maker = AssetMaker(
      inspect: { path in try await facts(of: path) },
      drawThumbnail: { videoPath, jpegPath, seconds in
        try await PictureRendering.draw(PictureFraming(atSeconds: seconds), of: videoPath, to: jpegPath)
      })
    maker.drawPicture = { wanted, videoPath, path in
      switch wanted {
      case .still(let framing): try await PictureRendering.draw(framing, of: videoPath, to: path)
      case .storyboard(let format), .storyboardIndex(_, let format):
        try await PictureRendering.drawStoryboard(format, of: videoPath, to: path)
      case .animation(let framing):
        guard try await PictureRendering.draw(framing, of: videoPath, to: path) else {
          throw Refused.reason("the clip has no 0.25 s behind start, or more than 10 s are asked for")
        }
      }
    }
    maker.storyboard = { try await PictureRendering.storyboard(of: $0) }
    maker.makeStream = { try await HLSStream.make(of: $0, in: $1) }
    return maker
  }()

  private static func facts(of path: String) async throws -> AssetFacts {
    let probe = try await Prober.probe(path: path)
    let shown = probe.mainVideo?.shownSize
    var facts = AssetFacts(
      durationSeconds: probe.shownSeconds ?? 0, width: shown?.width ?? 0, height: shown?.height ?? 0,
      frameRate: probe.mainVideo?.averageFrameRate?.value, hasVideo: probe.mainVideo != nil)
    facts.sound = probe.mainAudio.map {
      AssetFacts.Sound(
        channelCount: $0.channelCount, channelLayout: $0.channelLayout, durationSeconds: $0.durationSeconds)
    }
    facts.byteCount = probe.byteCount
    facts.nonStandardReasons = reasons(.october2025, probe)
    facts.largeNonStandardReasons = reasons(.october2025Large, probe)
    return facts
  }
}
