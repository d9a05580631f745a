/// A record of a CSV file (RFC 4180): fields separated by commas. Quoted fields can contain commas, line breaks and doubled
/// quotes.
package struct CSVRecord: Equatable, Sendable {
  /// The line number, counted from 1, at which the record starts.
  package var line: Int
  package var fields: [String]

  /// A syntax error.
  package struct Problem: Error, Equatable {
    package var line: Int
    package var reason: String
  }

  /// Parses all records. Skips a byte order mark and empty lines. Lines end with LF, CRLF or CR.
  package static func all(in text: String) throws(Problem) -> [CSVRecord] {
    var reader = CSVReader(text)
    var records: [CSVRecord] = []
    while let record = try reader.next() {
      if record.fields != [""] { records.append(record) }
    }
    return records
  }
}

/// Reads Unicode scalars instead of characters: Swift treats CRLF as one character, and a combining mark can follow a
/// comma.
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
    repeat {
      record.fields.append(rest.first == "\"" ? try quotedField() : try plainField())
    } while skip(",")
    if skip("\r") || rest.first == "\n" {
      _ = skip("\n")
      line += 1
    }
    return record
  }

  private mutating func plainField() throws(CSVRecord.Problem) -> String {
    let field = rest.prefix { ![",", "\"", "\n", "\r"].contains($0) }
    rest = rest[field.endIndex...]
    guard rest.first != "\"" else {
      throw CSVRecord.Problem(line: line, reason: "there is a quote inside a field that does not start with one")
    }
    return String(field)
  }

  private mutating func quotedField() throws(CSVRecord.Problem) -> String {
    let start = line
    rest.removeFirst()
    var field = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      if scalar == "\"", !skip("\"") {
        guard rest.isEmpty || [",", "\n", "\r"].contains(rest.first) else {
          throw CSVRecord.Problem(line: line, reason: "there is text after a closing quote")
        }
        return String(field)
      }
      if scalar == "\n" || scalar == "\r" && rest.first != "\n" { line += 1 }
      field.append(scalar)
    }
    throw CSVRecord.Problem(line: start, reason: "a quote is never closed")
  }

  /// Skips the given scalar if it is next.
  private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard rest.first == scalar else { return false }
    rest.removeFirst()
    return true
  }
}
