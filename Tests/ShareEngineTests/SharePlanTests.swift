import ClipMedia
import ClipModel
import ShareEngine
import TestSupport
import Testing

/// The rules that depend on the purpose of a plan.
@Suite struct SharePlanTests {
  @Test(
    arguments: [
      (
        .highlight, ["clip.decodes", "clip.nal-units", "clip.black", "clip.frozen", "clip.loudness", "clip.clipping"],
        ["clip.black"]
      ),
      (.file(ofRally: false), ["clip.decodes", "clip.nal-units"], []),
      (.file(ofRally: true), ["clip.decodes", "clip.nal-units"], []),
    ] as [(SharePlan.Purpose, [String], [String])])
  func contentIsCheckedOnlyForHighlights(purpose: SharePlan.Purpose, rules: [String], findings: [String]) {
    #expect(SharePlan.decodingRules(RuleSettings(), purpose: purpose) == rules)
    var black = DecodingCheck.Result(depth: .frames)
    black.isBlack = true
    #expect(SharePlan.verdict(on: black, request: ShareRequest(), purpose: purpose).map(\.rule) == findings)
  }

  /// One rule reports a length outside the limits.
  @Test(
    arguments: [
      // The clip is the rally.
      (.highlight, 2, 20..<22, .clip, ["clip.duration"]), (.highlight, 3.2, 20..<22.9, .clip, ["rally.length"]),
      (.file(ofRally: true), 2, 20..<22, .clip, ["rally.length"]), (.file(ofRally: false), 2, 20..<22, .clip, []),
      // The clip contains the rally.
      (.highlight, 40, 20..<22, .source, ["rally.length"]), (.highlight, 90, 20..<28, .source, []),
    ] as [(SharePlan.Purpose, Double, Range<Double>, MetadataMode, [String])])
  func lengthIsReportedOnce(
    purpose: SharePlan.Purpose, seconds: Double, rally: Range<Double>, mode: MetadataMode, rules: [String]
  ) throws {
    let folder = try ScratchFolder()
    var request = ShareRequest()
    request.metadata = MetadataRequest(path: try folder.writeMetadata([rally], to: "rally.json"), mode: mode)
    var probe = Jobs.probe
    probe.durationSeconds = seconds
    probe.videoTracks[0].durationSeconds = seconds
    let facts = try ClipFacts(
      path: folder.path("clip.mp4"), probe: probe, request: request.metadata, purpose: purpose)
    let outcome = try SharePlan.decide(facts, request: request, purpose: purpose)
    #expect(outcome.findings.filter { $0.severity == .error }.map(\.rule) == rules)
    #expect((outcome.plan != nil) == rules.isEmpty)
  }
}
