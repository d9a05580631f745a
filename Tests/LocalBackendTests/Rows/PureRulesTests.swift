import ClipModel
import Testing

@testable import LocalBackend

@Suite struct ByteRangeTests {
  @Test(
    arguments: [
      (nil, .whole), ("bytes=0-", .part(0..<100)), ("bytes=0-0", .part(0..<1)), ("bytes=10-19", .part(10..<20)),
      ("bytes=90-1000", .part(90..<100)), ("bytes=-1", .part(99..<100)), ("bytes=-1000", .part(0..<100)),
      ("bytes=100-", .unsatisfiable), ("bytes=100-200", .unsatisfiable), ("bytes=-0", .unsatisfiable),
      ("bytes=5-4", .whole), ("bytes=0-1,3-4", .whole), ("items=0-1", .whole), ("bytes=a-b", .whole),
      ("bytes=-", .whole), ("bytes=0-99999999999999999999", .whole), ("bytes=0-9223372036854775807", .part(0..<100)),
    ] as [(String?, ByteRange)])
  func followsRFC9110(_ header: String?, _ expected: ByteRange) {
    #expect(ByteRange(header: header, byteCount: 100) == expected)
  }
}

@Suite struct DraftRulesTests {
  @Test(arguments: [3, 3.0001, 59.999, 60]) func acceptsRallies(_ duration: Double) {
    #expect(DraftRules.problems(of: .sample(duration: duration)).isEmpty)
  }

  @Test(arguments: [-1, 0, 2.999, 60.001, .infinity, .nan]) func refusesOtherDurations(_ duration: Double) {
    #expect(DraftRules.problems(of: .sample(duration: duration)).count == 1)
  }

  @Test(arguments: [("a", 2200, true), ("a", 2201, false), ("👩‍👩‍👧", 2200, true), ("👩‍👩‍👧", 2201, false)])
  func countsCharactersAsPeopleDo(_ character: String, _ count: Int, _ isValid: Bool) {
    let caption = String(repeating: character, count: count)
    #expect(DraftRules.problems(of: .sample(caption: caption)).isEmpty == isValid)
  }

  @Test func reportsEveryProblem() {
    var draft = HighlightDraft.sample()
    draft.confidence = .nan
    draft.quality = 1.01
    draft.detectionCount = -1
    draft.localRallyIndex = -1
    draft.tags = [""]
    #expect(DraftRules.problems(of: draft).count == 5)
  }
}

@Suite struct RandomTextTests {
  @Test func tokensHave256BitsAndDiffer() {
    let tokens = (0..<100).map { _ in RandomText.token() }
    #expect(Set(tokens).count == 100)
    #expect(tokens.allSatisfy { $0.count == 64 && $0.allSatisfy(\.isHexDigit) })
  }

  @Test(arguments: [
    ("abc", "abc", true), ("abc", "abd", false), ("abc", "ab", false), ("", "", true), ("", "a", false),
  ])
  func comparesWholeTexts(_ left: String, _ right: String, _ expected: Bool) {
    #expect(RandomText.isEqualInConstantTime(left, right) == expected)
  }
}
