/// A record of a CSV file (RFC 4180) with comma-separated fields. Quoted fields can contain commas, line breaks and
/// doubled quotes.
package struct CSVRecord: Equatable, Sendable {
  /// The one-based number of the line on which the record starts.
  package var line: Int
  package var fields: [String]

  /// A syntax error in a CSV file.
  package struct SyntaxError: Error, Equatable {
    package var line: Int
    package var reason: String
  }

  /// Parses all records in a CSV file. Skips a byte order mark and empty lines. Lines can end with LF, CRLF or CR.
  package static func parseRecords(in text: String) throws(SyntaxError) -> [CSVRecord] {
    var reader = CSVReader(text)
    var records: [CSVRecord] = []
    while let record = try reader.readNextRecord() {
      if record.fields != [""] { records.append(record) }
    }
    return records
  }
}

/// Reads Unicode scalars instead of characters, because Swift treats CRLF as a single character, and a combining mark
/// can follow a comma.
private struct CSVReader {
  private var rest: Substring.UnicodeScalarView
  private var line = 1

  init(_ text: String) {
    rest = Substring(text).unicodeScalars
    if rest.first == "\u{FEFF}" { rest.removeFirst() }
  }

  mutating func readNextRecord() throws(CSVRecord.SyntaxError) -> CSVRecord? {
    guard !rest.isEmpty else { return nil }
    var record = CSVRecord(line: line, fields: [])
    repeat {
      record.fields.append(rest.first == "\"" ? try readQuotedField() : try readPlainField())
    } while skip(",")
    if skip("\r") || rest.first == "\n" {
      _ = skip("\n")
      line += 1
    }
    return record
  }

  private mutating func readPlainField() throws(CSVRecord.SyntaxError) -> String {
    let field = rest.prefix { ![",", "\"", "\n", "\r"].contains($0) }
    rest = rest[field.endIndex...]
    guard rest.first != "\"" else {
      throw CSVRecord.SyntaxError(line: line, reason: "a quotation mark appears in an unquoted field")
    }
    return String(field)
  }

  private mutating func readQuotedField() throws(CSVRecord.SyntaxError) -> String {
    let start = line
    rest.removeFirst()
    var field = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      if scalar == "\"", !skip("\"") {
        guard rest.isEmpty || [",", "\n", "\r"].contains(rest.first) else {
          throw CSVRecord.SyntaxError(line: line, reason: "text follows a closing quotation mark")
        }
        return String(field)
      }
      if scalar == "\n" || scalar == "\r" && rest.first != "\n" { line += 1 }
      field.append(scalar)
    }
    throw CSVRecord.SyntaxError(line: start, reason: "a closing quotation mark is missing")
  }

  /// Skips `scalar` if the remaining text starts with it.
  private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard rest.first == scalar else { return false }
    rest.removeFirst()
    return true
  }
}
