import ClipModel
import Foundation
import TestSupport
import Testing

@testable import Social

@Suite struct TextParserTests {
  private static func links(_ text: String) -> [String] {
    TextParser.parts(of: text).compactMap { if case .link(let address) = $0 { address } else { nil } }
  }

  @Test(arguments: [
    ("@ana", ["ana"]), ("Hi @Ana, and @ben.", ["ana", "ben"]), ("@ana @ANA", ["ana"]), ("(@ana)", ["ana"]),
    ("ana@example.com", []), ("x.@ana", []), ("/@ana", []), ("@@ana", []), ("@ana@example.com", []),
    ("@an", []), ("@an..", []), ("@ana...", ["ana"]), ("@a.b", ["a.b"]), ("@anaé", []), ("é@ana", []),
    ("@\(String(repeating: "a", count: 30))", [String(repeating: "a", count: 30)]),
    ("@\(String(repeating: "a", count: 31))", []), ("@", []), ("@ana_1!", ["ana_1"]),
    // The name ends before a dot that a word follows.
    ("@ana.é", ["ana"]), ("@ana_é", []), ("@...", []), ("@a.é", []),
    // PostgreSQL doesn't count combining marks as letters.
    ("e\u{301}@ana", ["ana"]), ("@ana\u{301}", ["ana"]),
    ("https://example.com/(@ana)", ["ana"]),
    // A zero-width space separates; other scripts aren't part of a name.
    ("@an\u{200B}a", []), ("@ana\u{200B}b", ["ana"]), ("@аna", []),
    // Right-to-left text and direction marks.
    ("שלום @ana שלום", ["ana"]), ("\u{202E}@ana\u{202C}", ["ana"]), ("مرحبا@ana", []),
  ])
  func mentions(text: String, expected: [String]) { #expect(TextParser.mentions(in: text) == expected) }

  @Test(arguments: [
    ("https://example.com", ["https://example.com"]), ("See HTTP://Example.com/a?b=c.", ["HTTP://Example.com/a?b=c"]),
    ("(https://example.com/a)", ["https://example.com/a"]),
    ("https://en.wikipedia.org/wiki/A_(b), and", ["https://en.wikipedia.org/wiki/A_(b)"]),
    ("<https://example.com>", ["https://example.com"]), ("javascript:alert(1)", []), ("https://", []),
    ("xhttps://example.com", []), ("https:///path", []), ("ftp://example.com", []),
    // An invisible character could hide the address's real end.
    ("https://example.com\u{202E}moc.live", ["https://example.com"]),
    ("https://example.com\u{200B}.evil.com", ["https://example.com"]),
  ])
  func links(text: String, expected: [String]) { #expect(Self.links(text) == expected) }

  /// Every tag outside of a link is one that `CaptionTags` finds.
  @Test(arguments: ["Match point #Spike #été #排球 #2v2 a#b", "#", "##a", "# a", "#ta\u{200B}g", "#e\u{301}", "#שלום"])
  func tagsAreThoseOfTheCaption(text: String) {
    let tags = TextParser.parts(of: text).compactMap { if case .tag(_, let tag) = $0 { tag } else { nil } }
    var known: Set<String> = []
    #expect(tags.filter { known.insert($0).inserted } == CaptionTags.extractHashtags(in: text))
  }

  @Test func partsOfMixedText() {
    #expect(
      TextParser.parts(of: "Ace by @Ana! #Ace https://a.b/#x")
        == [
          .plain("Ace by "), .mention("@Ana", username: "ana"), .plain("! "), .tag("#Ace", tag: "ace"), .plain(" "),
          .link("https://a.b/#x"),
        ])
    #expect(TextParser.parts(of: "").isEmpty)
  }

  /// Joined parts are the original text, and plain parts contain nothing to link.
  @Test(arguments: 1...200 as ClosedRange<UInt64>) func partsAreTheOriginalText(seed: UInt64) {
    let pieces = [
      "@", "#", "ana", ".", " ", "https://", "é", "\u{301}", "\u{200D}", "\u{202E}", "🏐", "👩‍👩‍👦", "ש", "(", ")", "_", "1",
      "\n",
      "\u{FE0F}", "\r\n",
    ]
    var random = SeededGenerator(seed: seed)
    let text = (0..<40).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }.joined()
    let parts = TextParser.parts(of: text)
    #expect(Array(parts.map(\.text).joined().unicodeScalars) == Array(text.unicodeScalars), "seed \(seed)")
    for case .mention(_, let name) in parts { #expect((3...30).contains(name.count), "seed \(seed)") }
  }

  /// Long texts need linear time. Without a bound, each of these would need more than 10,000 × 10,000 steps.
  @Test(
    .timeLimit(.minutes(1)),
    arguments: ["@", "#", "@a", "#a", "http://?", "h", "https://a.b/", "@.", "a\u{301}", "(", "http://a("])
  func longTextsEnd(piece: String) {
    let text = String(repeating: piece, count: 10_000 / piece.unicodeScalars.count)
    #expect(TextParser.parts(of: text).map(\.text).joined() == text)
  }
}
