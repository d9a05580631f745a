import ClipModel
import Testing

@Suite struct CSVRecordTests {
  @Test(arguments: [
    ("", []), ("a,b", [["a", "b"]]), ("a,b\n", [["a", "b"]]), ("a,b\r\nc,d\r\n", [["a", "b"], ["c", "d"]]),
    ("a\rb", [["a"], ["b"]]), ("\u{FEFF}a,b", [["a", "b"]]), ("\u{FEFF}\"a\",b", [["a", "b"]]), (",", [["", ""]]),
    ("a,\"b,c\"", [["a", "b,c"]]), ("a,\"b\nc\"\nd,e", [["a", "b\nc"], ["d", "e"]]),
    ("a,\"b\r\nc\"", [["a", "b\r\nc"]]), ("a,\"\"\"b\"\"\"", [["a", "\"b\""]]), ("a,\"\"", [["a", ""]]),
    ("\n\na,b\n\n", [["a", "b"]]), (" a , b ", [[" a ", " b "]]), ("a,\u{301}b", [["a", "\u{301}b"]]),
    ("🏐,👩‍👩‍👧", [["🏐", "👩‍👩‍👧"]]),
  ]) func readsFields(text: String, fields: [[String]]) throws {
    #expect(try CSVRecord.parseRecords(in: text).map(\.fields) == fields)
  }

  @Test(arguments: [
    ("a,b\nc,\"d", 2, "closing quotation mark is missing"), ("a,\"b\nc\"d", 2, "text follows a closing"),
    ("a,b\"c\"", 1, "in an unquoted field"),
    ("a,\"b\r\nc\"\r\nd,e\"", 3, "in an unquoted field"),
  ]) func syntaxErrorsHaveTheirLine(text: String, line: Int, words: String) {
    let problem = #expect(throws: CSVRecord.SyntaxError.self) { try CSVRecord.parseRecords(in: text) }
    #expect(problem?.line == line && problem?.reason.contains(words) == true)
  }

  @Test func linesAreCountedInsteadOfRecords() throws {
    #expect(try CSVRecord.parseRecords(in: "a,\"x\ny\"\n\nb,z").map(\.line) == [1, 4])
  }

  @Test(arguments: [
    ("a,b\nc;d;e;f", CSVRecord.Separator.comma), ("a;b,c;d\n1,2,3,4,5", .semicolon), ("a\tb", .tab), ("a|b", .bar),
    ("\"a,b,c\";d", .semicolon), ("single", .comma), ("", .comma), ("\n\na;b", .semicolon), ("\u{FEFF}a;b", .semicolon),
  ]) func findsSeparators(text: String, separator: CSVRecord.Separator) {
    #expect(CSVRecord.Separator.detect(in: text) == separator)
  }

  @Test(arguments: CSVRecord.Separator.allCases) func readsOtherSeparators(separator: CSVRecord.Separator) throws {
    let mark = Character(Unicode.Scalar(separator.rawValue))
    let text = "a\(mark)\"b\(mark)\"\"c\"\"\"\(mark)\r\n1\(mark)2\(mark)3"
    #expect(
      try CSVRecord.parseRecords(in: text, separatedBy: separator).map(\.fields)
        == [["a", "b\(mark)\"c\"", ""], ["1", "2", "3"]])
  }

  private static let files: [(bytes: [UInt8], text: String)] = [
    ([0x5A, 0xC3, 0xAB, 0x2C], "Zë,"), ([0xEF, 0xBB, 0xBF, 0xC3, 0xA9], "\u{FEFF}é"),
    ([0xFF, 0xFE, 0x5A, 0, 0xEB, 0, 0x3C, 0xD8, 0xD0, 0xDF], "Zë🏐"), ([0xFE, 0xFF, 0, 0x5A, 0, 0xEB], "Zë"),
    ([0x5A, 0xEB, 0x2C, 0x80, 0x92, 0x81], "Zë,€’?"), ([], ""), ([0xFF, 0xFE], ""), ([0xFF, 0xFE, 0x5A], ""),
  ]

  @Test(arguments: files) func decodesFilesOfSpreadsheets(bytes: [UInt8], text: String) {
    #expect(CSVRecord.decode(bytes) == text)
  }

  @Test func readsManyRecords() throws {
    let text = "a,b\n" + String(repeating: "\"x\"\"y\",Zoë\r\n", count: 100_000)
    let records = try CSVRecord.parseRecords(in: text)
    #expect(records.count == 100_001)
    #expect(records.last?.line == 100_001 && records.last?.fields == ["x\"y", "Zoë"])
  }
}
