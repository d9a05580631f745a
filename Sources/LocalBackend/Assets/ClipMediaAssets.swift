import ClipMedia
import ClipModel

extension AssetMaker {
  /// Processes media with this project's own libraries.
  public static let clipMedia = AssetMaker(
    inspect: { path in try await readProperties(of: path) },
    drawPicture: { query, videoPath, path in
      switch query {
      case .still(let framing): try await PictureRendering.draw(framing, of: videoPath, to: path)
      case .storyboard(let format), .storyboardIndex(_, let format):
        try await PictureRendering.drawStoryboard(format, of: videoPath, to: path)
      case .animation(let framing):
        guard try await PictureRendering.draw(framing, of: videoPath, to: path) else {
          throw AssetError.rejected("an animation must be 0.25 to 10 s long and start within the clip")
        }
      }
    },
    storyboard: { try await PictureRendering.makeStoryboard(of: $0) },
    trim: { try await writePart($1, of: $0, to: $2) },
    makeStream: { try await HLSStream.writeStream(of: $0, in: $1) })

  private static func readProperties(of path: String) async throws -> AssetProperties {
    let probe = try await Prober.probe(path: path)
    if probe.mainVideo != nil { try await PictureRendering.requireFrame(of: path) }
    let shown = probe.mainVideo?.shownSize
    return AssetProperties(
      durationSeconds: probe.shownSeconds ?? 0, width: shown?.width ?? 0, height: shown?.height ?? 0,
      frameRate: probe.mainVideo?.averageFrameRate?.value, hasVideo: probe.mainVideo != nil,
      videoTrackCount: probe.videoTracks.count { !$0.isAttachedPicture },
      sound: probe.mainAudio.map {
        .init(channelCount: $0.channelCount, channelLayout: $0.channelLayout, durationSeconds: $0.durationSeconds)
      }, byteCount: probe.byteCount, nonStandardReasons: nonStandardReasons(.october2025, probe),
      largeNonStandardReasons: nonStandardReasons(.october2025Large, probe))
  }

  private static func writePart(_ range: Range<Double>, of videoPath: String, to path: String) async throws {
    let clip = try await OpenedClip(path: videoPath)
    switch ClipRules().ofAnyLength.plan(clip.probe, cut: range, settings: ProcessingSettings()) {
    case .rejection(let findings): throw AssetError.rejected(findings.first?.message ?? "the clip cannot be cut")
    case .plan(let plan): _ = try await ClipProcessor.process(clip, plan: plan, to: path)
    }
  }

  private static func nonStandardReasons(_ standard: MuxStandard, _ probe: ClipProbe) -> [String: String] {
    let failed = standard.effectiveStandard(for: probe).evaluate(probe).filter { $0.outcome == .fail }
    // Two requirements can share a key. Either value is correct.
    return Dictionary(failed.map { ($0.requirement.reasonKey, $0.value ?? "non-standard") }) { first, _ in first }
  }
}
