import ClipModel
import Testing

/// Cuts rallies one by one: times, trims, and problems of a single rally.
@Suite struct RallyCutTests {
  private let rules = RallyRules(
    metadata: RallyRulesTests.metadata([(2, 8), (10, 12.7), (20, 90), (95, 105), (98.05, 100.05)]), fileSeconds: 100,
    frameRate: 25)

  @Test(
    arguments: [(0, []), (1, ["rally.length"]), (2, ["rally.length"]), (3, ["rally.range"]), (5, ["rally.index"])]
      as [(Int, [String])])
  func eachRallyIsCheckedSeparately(index: Int, wanted: [String]) {
    let cut = rules.planCut(index)
    #expect(cut.findings.map(\.rule) == wanted)
    #expect((cut.range == nil) == !wanted.isEmpty && cut.index == index)
    // Findings contain the index that the app uses.
    if let place = cut.findings.first?.place, wanted != ["rally.index"] { #expect(place.contains("[\(index)]")) }
  }

  @Test func rangeIsInTheTimesOfTheMatch() {
    #expect(rules.planCut(0).range == 2..<8)
    #expect(rules.planCut(0).segment == rules.metadata.segments[0])
  }

  @Test(
    arguments: [
      (0.5, -1, 1.5..<7), (-0.5, 1, 2.5..<9), (3, 0, 0..<8), (0, 200, 2..<100),
    ] as [(Double, Double, Range<Double>)])
  func trimMovesStartAndEnd(before: Double, after: Double, wanted: Range<Double>) {
    let cut = rules.planCut(0, trim: RallyTrim(before: before, after: after))
    #expect(cut.segment.map { $0.startTime..<$0.endTime } == wanted)
    // The rules apply to the trimmed rally.
    #expect(cut.range == (wanted.upperBound - wanted.lowerBound <= 60 ? wanted : nil))
  }

  @Test func trimCanLengthenOrRemoveARally() {
    #expect(rules.planCut(1, trim: RallyTrim(before: 0.3, after: 0)).findings.isEmpty)
    let gone = rules.planCut(0, trim: RallyTrim(before: -4, after: -2))
    #expect(gone.findings.map(\.rule) == ["rally.times"] && gone.range == nil)
    let turned = rules.planCut(0, trim: RallyTrim(before: 0, after: 0, changesPicture: true))
    #expect(turned.findings.map(\.severity) == [.warning] && turned.range != nil)
  }

  /// Within the tolerance, the range ends at the end of the file.
  @Test func rangeEndsAtTheEndOfTheFile() {
    let rules = RallyRules(metadata: RallyRulesTests.metadata([(95, 100.08)]), fileSeconds: 100)
    #expect(rules.planCut(0).range == 95..<100)
  }
}
