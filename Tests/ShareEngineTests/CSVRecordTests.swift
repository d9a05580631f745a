import ShareEngine
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
}
