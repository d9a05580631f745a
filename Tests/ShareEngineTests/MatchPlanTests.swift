import ClipModel
import TestSupport
import Testing

@testable import ShareEngine

/// The plans for the rallies of a match.
@Suite struct MatchPlanTests {
  /// A match of ten minutes with a key frame each second. Its video can be copied.
  private static let match = {
    var video = VideoTrack(index: 0, codec: "h264", width: 1920, height: 1080)
    video.pixelFormat = "yuv420p"
    video.averageFrameRate = Rational(30, 1)
    video.durationSeconds = 600
    video.gop = GOPProperties(keyFrameCount: 600, longestSeconds: 1, averageSeconds: 1)
    video.gop?.keyFrameSeconds = (0..<600).map(Double.init)
    video.gop?.highestBitsPerSecond = 5_000_000
    var probe = ClipProbe(container: "mov,mp4", byteCount: 300_000_000)
    probe.durationSeconds = 600
    probe.videoTracks = [video]
    return probe
  }()

  private func plan(
    _ rallies: [Range<Double>], of match: ClipProbe = Self.match, options: MatchCutOptions = MatchCutOptions(),
    rules: RuleSettings = RuleSettings()
  ) throws -> MatchPlan {
    let folder = try ScratchFolder()
    return try MatchPlan.make(
      matchPath: folder.path("match.mp4"), probe: match,
      metadataPath: try folder.writeMetadata(rallies, to: "match.json"), options: options, rules: rules)
  }

  /// Each copy starts at a key frame, so that its length would be outside the limits if it ended with its rally.
  @Test(
    arguments: [
      (RuleSetting(), 9.95..<12.97), (RuleSetting(minimum: 5), 9.95..<14.97), (RuleSetting(maximum: 9), 10.09..<19.05),
    ] as [(RuleSetting, Range<Double>)])
  func clipsFitTheLimitsOfTheSettings(limits: RuleSetting, rally: Range<Double>) throws {
    let rules = RuleSettings(["clip.duration": limits])
    let clip = try #require(try plan([rally], rules: rules).clips.first)
    let decided = try #require(clip.plan, "\(clip.findings)")
    #expect(decided.video == .copy(trackIndex: 0))
    let range = try #require(rules.allowedRange("clip.duration"))
    #expect(range.contains(decided.durationSeconds), "\(decided.durationSeconds)")
  }

  /// A rally that is too short for the settings is rejected like in a share.
  @Test func shortRallyIsRejected() throws {
    let rules = RuleSettings(["clip.duration": RuleSetting(minimum: 5)])
    let clips = try plan([10..<14, 20..<26, 30..<32], rules: rules).clips
    #expect(clips.map { $0.plan != nil } == [false, true, false])
    #expect(clips.map { $0.findings.map(\.rule) } == [["clip.duration"], [], ["rally.length"]])
  }

  @Test(arguments: [false, true]) func findingsAboutTheMatchAreReportedOnce(salvages: Bool) throws {
    var match = Self.match
    match.missingByteCount = 17
    var options = MatchCutOptions()
    options.settings.salvages = salvages
    let plan = try plan([10..<14, 20..<26], of: match, options: options)
    #expect(plan.findings.map(\.rule) == ["clip.truncated"] && plan.isRefused == !salvages)
    #expect(plan.clips.count == (salvages ? 2 : 0) && plan.clips.allSatisfy { $0.plan != nil && $0.findings.isEmpty })
  }
}
