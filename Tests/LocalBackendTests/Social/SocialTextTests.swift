import TestSupport
import Testing

@testable import LocalBackend

/// The text functions that SQL statements call. `Tests/Conformance` compares their results with PostgreSQL's.
@Suite struct SocialTextTests {
  /// The pieces of any text are the text, and every link is a whole mention or tag.
  @Test(arguments: UInt64(1)...40) func linksKeepTheText(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let parts = [
      "@bob", "@", "#", "#ace", ".", "é", "\u{301}", "\u{200B}", "\u{202E}", " ", "\n", "🏐", "_", "/", "bob",
    ]
    let text = (0..<Int.random(in: 0...200, using: &generator))
      .map { _ in parts[Int.random(in: parts.indices, using: &generator)] }.joined()
    let pieces = TextLinks.pieces(of: text, mentioning: ["bob"])
    #expect(pieces.compactMap { $0["text"] as? String }.joined() == text, "seed \(seed)")
    for piece in pieces {
      guard let link = piece["link"] as? String, let text = piece["text"] as? String else { continue }
      #expect(link == "/u/bob" ? text.lowercased() == "@bob" : text.first == "#", "seed \(seed): \(text)")
    }
  }

  @Test func longTextsAreFast() {
    #expect(MentionedNames.find(in: String(repeating: "@", count: 100_000)).isEmpty)
    let names = (100...199).map { "@user\($0)" }.joined(separator: " ")
    #expect(MentionedNames.find(in: names).count == 20)
    #expect(MentionedNames.find(in: "@" + String(repeating: "x", count: 31)).isEmpty)
    #expect(MentionedNames.find(in: "@" + String(repeating: "x", count: 30)).count == 1)
  }

  @Test(arguments: [
    ("spike", "spike", 0), ("spike", "spkie", 2), ("spike", "spik", 1), ("", "abc", 3), ("müller", "muller", 1),
    ("kitten", "sitting", 3),
  ])
  func countsChangedLetters(_ first: String, _ second: String, _ distance: Int) {
    let (one, other) = (Array(first.unicodeScalars), Array(second.unicodeScalars))
    #expect(SearchWords.editDistance(one, other) == distance)
    #expect(SearchWords.editDistance(other, one) == distance)
  }
}
