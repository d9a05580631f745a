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
    #expect(try CSVRecord.all(in: text).map(\.fields) == fields)
  }

  @Test(arguments: [
    ("a,b\nc,\"d", 2, "never closed"), ("a,\"b\nc\"d", 2, "after a closing quote"), ("a,b\"c\"", 1, "inside a field"),
    ("a,\"b\r\nc\"\r\nd,e\"", 3, "inside a field"),
  ]) func syntaxErrorsHaveTheirLine(text: String, line: Int, words: String) {
    let problem = #expect(throws: CSVRecord.Problem.self) { try CSVRecord.all(in: text) }
    #expect(problem?.line == line && problem?.reason.contains(words) == true)
  }

  @Test func linesAreCountedInsteadOfRecords() throws {
    #expect(try CSVRecord.all(in: "a,\"x\ny\"\n\nb,z").map(\.line) == [1, 4])
  }
}
