/// A record of a CSV file (RFC 4180): fields between commas; in quotes they may hold commas, line ends and doubled quotes.
package struct CSVRecord: Equatable, Sendable {
  /// Where it begins, from 1.
  package var line: Int
  package var fields: [String]

  package init(line: Int, fields: [String]) {
    self.line = line
    self.fields = fields
  }

  /// What is no CSV, and where.
  package struct Problem: Error, Equatable {
    package var line: Int
    package var reason: String
  }

  /// All records. A byte order mark is skipped, so are empty lines; lines end with LF, CRLF or CR.
  package static func all(in text: String) throws(Problem) -> [CSVRecord] {
    var reader = CSVReader(text)
    var records: [CSVRecord] = []
    while let record = try reader.next() {
      if record.fields != [""] { records.append(record) }
    }
    return records
  }
}

/// Walks through Unicode scalars: CRLF is one character to Swift, and a combining mark may follow a comma.
private struct CSVReader {
  private var rest: Substring.UnicodeScalarView
  private var line = 1

  init(_ text: String) {
    rest = Substring(text).unicodeScalars
    if rest.first == "\u{FEFF}" { rest.removeFirst() }
  }

  mutating func next() throws(CSVRecord.Problem) -> CSVRecord? {
    guard !rest.isEmpty else { return nil }
    var record = CSVRecord(line: line, fields: [])
    while true {
      record.fields.append(rest.first == "\"" ? try quotedField() : try plainField())
      guard rest.first == "," else { break }
      rest.removeFirst()
    }
    skipLineEnd()
    return record
  }

  private mutating func plainField() throws(CSVRecord.Problem) -> String {
    var field = String.UnicodeScalarView()
    while let scalar = rest.first, scalar != ",", !Self.endsLine(scalar) {
      guard scalar != "\"" else {
        throw CSVRecord.Problem(line: line, reason: "a quote stands inside a field that does not begin with one")
      }
      field.append(scalar)
      rest.removeFirst()
    }
    return String(field)
  }

  private mutating func quotedField() throws(CSVRecord.Problem) -> String {
    let begin = line
    rest.removeFirst()
    var field = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      if scalar == "\"" {
        guard rest.first == "\"" else {
          guard rest.first.map({ $0 == "," || Self.endsLine($0) }) ?? true else {
            throw CSVRecord.Problem(line: line, reason: "something stands behind a closing quote")
          }
          return String(field)
        }
        rest.removeFirst()
      } else if scalar == "\n" || scalar == "\r" && rest.first != "\n" {
        line += 1
      }
      field.append(scalar)
    }
    throw CSVRecord.Problem(line: begin, reason: "a quote is never closed")
  }

  private mutating func skipLineEnd() {
    guard let scalar = rest.popFirst() else { return }
    if scalar == "\r", rest.first == "\n" { rest.removeFirst() }
    line += 1
  }

  private static func endsLine(_ scalar: Unicode.Scalar) -> Bool { scalar == "\n" || scalar == "\r" }
}
