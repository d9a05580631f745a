import Foundation
import Testing

@testable import ClipModel

@Suite struct RallyRulesTests {
  static func metadata(_ times: [(Double, Double)], sourceRallyIndex: Int? = nil) -> RallyMetadata {
    RallyMetadata(
      id: UUID(), videoID: UUID(), processingDate: Date(timeIntervalSince1970: 0),
      segments: times.map { start, end in
        RallySegment(
          id: UUID(), startTime: start, endTime: end, confidence: 0.5, quality: 0.6, detectionCount: 7,
          averageTrajectoryLength: 1)
      }, sourceRallyIndex: sourceRallyIndex)
  }

  @Test(arguments: [
    // The file is the rally, with a tolerance of half a second.
    (8.0, MetadataMode.clip), (8.5, .clip), (7.5, .clip),
    // The file contains the rally, with a tolerance at its end.
    (100.0, .source), (28.0, .source), (27.95, .source),
    // Neither of them.
    (27.8, nil), (9.0, nil), (7.0, nil),
  ])
  func autoModeIsDeterminedFromDurations(fileSeconds: Double, mode: MetadataMode?) {
    let choice = RallyRules(metadata: Self.metadata([(20, 28)]), fileSeconds: fileSeconds).chooseRally()
    #expect(choice.mode == mode)
    #expect((choice.rally == nil) == (mode == nil))
    if mode == nil {
      #expect(choice.findings.map(\.rule) == ["rally.clip-length"])
      #expect(choice.findings.first?.message.contains("0:20.0 to 0:28.0") == true)
      #expect(choice.findings.first?.message.contains("8.0 s") == true)
    }
  }

  @Test func cutIsInsideTheFile() {
    let rules = RallyRules(metadata: Self.metadata([(20, 28.05)]), fileSeconds: 28)
    #expect(rules.chooseRally(mode: .source).rally?.cut == 20..<28)
    #expect(rules.chooseRally(mode: .clip).rally?.cut == nil)
  }

  @Test(arguments: [
    (nil, 30.1, true), (nil, 30.11, false), (10.0, 30.2, true), (10.0, 30.21, false), (0.0, 30.1, true),
  ])
  func endMayExceedTheFileByTwoFrames(frameRate: Double?, end: Double, isInside: Bool) {
    let rules = RallyRules(metadata: Self.metadata([(20, end)]), fileSeconds: 30, frameRate: frameRate)
    #expect(rules.rallyRangeFindings().isEmpty == isInside)
  }

  @Test(arguments: [
    (2.99, false), (3.0, true), (60.0, true), (60.01, false), (2.9999999999, true), (60.0000000001, true),
  ])
  func lengthLimitsAreInclusive(seconds: Double, isAllowed: Bool) {
    let choice = RallyRules(metadata: Self.metadata([(7.1, 7.1 + seconds)]), fileSeconds: 200).chooseRally()
    #expect((choice.rally != nil) == isAllowed)
    #expect(choice.findings.map(\.rule) == (isAllowed ? [] : ["rally.length"]))
  }

  /// In other modes, `clip.duration` reports the length.
  @Test(arguments: [([], []), ([.source], []), ([.clip], ["rally.length"])] as [(Set<MetadataMode>, [String])])
  func lengthIsReportedInTheGivenModes(modes: Set<MetadataMode>, rules: [String]) {
    let choice = RallyRules(metadata: Self.metadata([(20, 22)]), fileSeconds: 2).chooseRally(lengthModes: modes)
    #expect(choice.mode == .clip && choice.rally == nil)
    #expect(choice.findings.map(\.rule) == rules)
  }

  @Test(arguments: [(8.5, nil), (8.6, Finding.Severity.warning), (13.0, .warning), (13.1, .error), (2.9, .error)])
  func differenceBetweenClipAndRallyIsReported(fileSeconds: Double, severity: Finding.Severity?) {
    let choice = RallyRules(metadata: Self.metadata([(20, 28)]), fileSeconds: fileSeconds).chooseRally(mode: .clip)
    #expect(choice.findings.map(\.severity) == (severity.map { [$0] } ?? []))
    #expect((choice.rally == nil) == (severity == .error))
  }

  @Test func oneOfSeveralRalliesMustBeChosen() throws {
    let rules = RallyRules(metadata: Self.metadata([(1, 5), (31.5, 40.25), (3700, 3710)]), fileSeconds: 4000)
    let refusal = try #require(rules.chooseRally().findings.first)
    #expect(
      refusal.message.hasSuffix(
        ": 0 (0:01.0-0:05.0, 4.0 s), 1 (0:31.5-0:40.3, 8.75 s), 2 (1:01:40.0-1:01:50.0, 10.0 s)"))
    #expect(refusal.rule == "rally.index" && refusal.facts == ["reason": "not-chosen"])
    #expect(rules.chooseRally(index: 1).rally?.index == 1)
  }

  @Test func rallyOutsideTheVideoDoesNotAffectOthers() {
    let rules = RallyRules(metadata: Self.metadata([(1, 5), (90, 120)]), fileSeconds: 100)
    let choice = rules.chooseRally(index: 0)
    #expect(choice.rally?.index == 0 && choice.position == 0 && choice.findings.isEmpty)
    #expect(rules.chooseRally(index: 1, mode: .source).findings.map(\.rallyPosition) == [1])
    #expect(rules.rallyRangeFindings().map(\.rallyPosition) == [1])
  }

  @Test(arguments: [-1, 2, Int.max, Int.min])
  func missingRallyIsRejected(index: Int) {
    let choice = RallyRules(metadata: Self.metadata([(1, 5), (6, 12)]), fileSeconds: 100).chooseRally(index: index)
    #expect(choice.rally == nil)
    #expect(choice.findings.map(\.rule) == ["rally.index"])
  }

  @Test(arguments: [(nil, true), (7, true), (0, false), (3, false)])
  func clipFromCutKeepsItsIndex(index: Int?, isShared: Bool) {
    let rules = RallyRules(metadata: Self.metadata([(20, 28)], sourceRallyIndex: 7), fileSeconds: 100)
    // With 100 s, the durations suggest a source video, but the sidecar says that the file is a clip.
    let inClip = RallyRules(metadata: rules.metadata, fileSeconds: 8.1).chooseRally(index: index)
    #expect(inClip.rally?.index == (isShared ? 7 : nil))
    #expect(inClip.rally?.cut == nil)
    #expect(rules.chooseRally(index: index).rally == nil)
  }

  @Test func choiceContainsTheFactsOfTheRally() {
    let rules = RallyRules(metadata: Self.metadata([(20, 28)]), fileSeconds: 100)
    let rally = rules.chooseRally(index: 0).rally
    #expect(rally?.videoID == rules.metadata.videoID)
    #expect(rally?.confidence == 0.5)
    #expect(rally?.quality == 0.6)
    #expect(rally?.detectionCount == 7)
  }
}
