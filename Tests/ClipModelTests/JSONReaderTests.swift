import ClipModel
import Foundation
import TestSupport
import Testing

@Suite struct JSONReaderTests {
  static func read(_ text: String) -> JSONReader.Document { JSONReader.read(Array(text.utf8)) }

  @Test(arguments: [
    "null", "true", " false ", "0", "-0", "1.5e+10", "\"\"", "[]", "{}", "[1, [2, {\"a\": []}], \"x\"]",
    "\u{FEFF}{\"a\": 1}", "\"\\u00e9\\ud83c\\udfd0\\n\\\"\\/\"", "{\"排球\": \"🏐\"}",
  ])
  func acceptsJSON(text: String) {
    let document = Self.read(text)
    #expect(document.root != nil)
    #expect(document.problems.isEmpty)
  }

  @Test(arguments: [
    ("[1,]", 3), ("{\"a\":1,}", 7), ("[1 2]", 3), ("{a:1}", 1), ("{\"a\" 1}", 5), ("01", 1), ("+1", 0), (".5", 0),
    ("[1.x]", 3), ("[1ex]", 3), ("\"\\x\"", 2), ("\"a\nb\"", 2), ("// c\n1", 0), ("1 2", 2), ("nul1", 3), ("[}", 1),
    ("\"\\ud83c\"", 1), ("\"\\udfd0\"", 1), ("'a'", 0), ("[1}", 2),
  ])
  func rejectsInvalidJSON(text: String, offset: Int) {
    let document = Self.read(text)
    #expect(document.root == nil)
    #expect(document.problems.map(\.kind) == [.syntax])
    #expect(document.problems.first?.offset == offset)
  }

  @Test(arguments: [
    "", "  ", "[", "[1", "[1,", "{\"a\"", "{\"a\":", "\"abc", "\"\\", "\"\\u12", "-", "1.", "1e", "tru",
  ])
  func reportsTruncation(text: String) {
    #expect(Self.read(text).problems.map(\.kind) == [.truncated])
  }

  @Test(arguments: [[0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0x0A, 0x22]])
  func rejectsInvalidStrings(bytes: [UInt8]) {
    #expect(JSONReader.read(bytes).root == nil)
  }

  @Test(arguments: ["NaN", "Infinity", "-Infinity"])
  func reportsNonFiniteLiteralsAndContinues(literal: String) {
    let document = Self.read("{\"a\": {\"b\": [1, \(literal)]}, \"c\": 2}")
    #expect(document.root?["c"]?.number?.integer == 2)
    #expect(document.problems.map(\.kind) == [.notFinite])
    #expect(document.problems.first?.path == "a.b[1]")
  }

  @Test(arguments: [2, 15, 16, 17, 200])
  func firstValueOfADuplicateKeyIsUsed(memberCount: Int) {
    let others = (1..<memberCount).map { "\"k\($0)\": 0" }.joined(separator: ",")
    let document = Self.read("{\"twice\": 1, \(others), \"twice\": 2}")
    #expect(document.root?["twice"]?.number?.integer == 1)
    #expect(document.problems.map(\.kind) == [.duplicateKey])
    #expect(document.problems.first?.path == "twice")
  }

  @Test(arguments: [
    ("3", 3, 3.0), ("3.0", 3, 3.0), ("3e0", 3, 3.0), ("3.5", nil, 3.5), ("1e400", nil, nil), ("-1e400", nil, nil),
    ("9223372036854775807", 9_223_372_036_854_775_807, 9.223372036854775807e18), ("1e300", nil, 1e300),
    ("1e-400", 0, 0.0),
  ])
  func numbersAreConvertedOnDemand(text: String, integer: Int?, double: Double?) {
    let number = Self.read(text).root?.number
    #expect(number?.text == text)
    #expect(number?.integer == integer)
    #expect(number?.finiteDouble == double)
  }

  @Test func valuesHavePositions() throws {
    let text = "{\n  \"é\": [10, \"x\"]\n}"
    let root = try #require(Self.read(text).root)
    let element = try #require(root["é"]?.elements?[1])
    #expect(Array(text.utf8)[element.offset] == UInt8(ascii: "\""))
    #expect(JSONReader.position(of: element.offset, in: Array(text.utf8)) == "line 2, column 13")
  }

  @Test(arguments: ["[", "{\"a\":", "[{\"a\":"])
  func deepNestingIsRejected(opening: String) {
    let document = Self.read(String(repeating: opening, count: 100_000))
    #expect(document.root == nil)
    #expect(document.problems.map(\.kind) == [.tooDeep])
  }

  @Test func nestingUpToTheLimitIsAccepted() {
    let limit = JSONReader.depthLimit
    func isRead(_ depth: Int) -> Bool {
      Self.read(String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).root != nil
    }
    #expect(isRead(limit))
    #expect(!isRead(limit + 1))
  }

  /// The reader never crashes, and Foundation accepts everything that the reader accepts.
  @Test func mutatedTextsNeverCrash() throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("JSONReaderTests seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let original = Array(#"{"a": [1, 2.5e3, "t\u00e9\n", null], "b": {"c": true, "d": "\ud83c\udfd0"}}"#.utf8)
    for _ in 0..<20_000 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...127, using: &random)
      }
      let document = JSONReader.read(bytes)
      #expect((document.root == nil) == document.problems.contains { !$0.isRecoverable })
      if document.root != nil, document.problems.isEmpty {
        #expect(throws: Never.self, "\(String(decoding: bytes, as: UTF8.self)), seed \(seed)") {
          try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
        }
      }
    }
  }
}

extension JSONProblem {
  /// Whether reading continued.
  fileprivate var isRecoverable: Bool {
    switch kind {
    case .notFinite, .duplicateKey: true
    case .syntax, .truncated, .tooDeep: false
    }
  }
}
