/// A record of a CSV file (RFC 4180). Quoted fields can contain separators, line breaks and doubled quotes.
package struct CSVRecord: Equatable, Sendable {
  /// The one-based number of the line on which the record starts.
  package var line: Int
  package var fields: [String]

  /// A syntax error in a CSV file.
  package struct SyntaxError: Error, Equatable {
    package var line: Int
    package var reason: String
  }

  /// What separates the fields of a record. Spreadsheets use a semicolon where the comma is the decimal separator.
  package enum Separator: UInt8, Sendable, CaseIterable {
    case comma = 0x2C
    case semicolon = 0x3B
    case tab = 0x09
    case bar = 0x7C

    /// The separator of a text: the most frequent one in its first line, outside of quotes. A comma if there is none.
    package static func detect(in text: String) -> Separator {
      var counts: [UInt8: Int] = [:]
      var isQuoted = false
      for byte in text.utf8 {
        if byte == 0x22 { isQuoted.toggle() }
        if isQuoted { continue }
        if byte == 0x0A || byte == 0x0D {
          if counts.isEmpty { continue } else { break }
        }
        counts[byte, default: 0] += 1
      }
      let frequent = allCases.max { counts[$0.rawValue, default: 0] < counts[$1.rawValue, default: 0] }
      return frequent.flatMap { counts[$0.rawValue] == nil ? nil : $0 } ?? .comma
    }
  }

  /// Parses all records in a CSV file. Skips a byte order mark and empty lines. Lines can end with LF, CRLF or CR.
  package static func parseRecords(
    in text: String, separatedBy separator: Separator = .comma
  ) throws(SyntaxError) -> [CSVRecord] {
    var reader = CSVReader(text, separator)
    var records: [CSVRecord] = []
    while let record = try reader.readNextRecord() {
      if record.fields != [""] { records.append(record) }
    }
    return records
  }

  /// The text of a file: UTF-8 or UTF-16 with a byte order mark, UTF-8 without one, or else Windows-1252, in which older
  /// spreadsheets save.
  package static func decode(_ bytes: [UInt8]) -> String {
    switch (bytes.first, bytes.dropFirst().first) {
    case (0xFF, 0xFE): return decodeUTF16(bytes.dropFirst(2), low: 0)
    case (0xFE, 0xFF): return decodeUTF16(bytes.dropFirst(2), low: 1)
    default: return String(validating: bytes, as: UTF8.self) ?? decodeWindows1252(bytes)
    }
  }

  private static func decodeUTF16(_ bytes: ArraySlice<UInt8>, low: Int) -> String {
    let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map {
      UInt16(bytes[$0 + low]) | UInt16(bytes[$0 + 1 - low]) << 8
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// Bytes from 0x80 to 0x9F; the five undefined ones are question marks.
  private static let windows1252 = Array("€?‚ƒ„…†‡ˆ‰Š‹Œ?Ž??‘’“”•–—˜™š›œ?žŸ".unicodeScalars)

  private static func decodeWindows1252(_ bytes: [UInt8]) -> String {
    var text = String.UnicodeScalarView()
    for byte in bytes {
      text.append((0x80...0x9F).contains(byte) ? windows1252[Int(byte) - 0x80] : Unicode.Scalar(byte))
    }
    return String(text)
  }
}

/// Reads bytes: separators, quotes and line breaks are ASCII characters, which no other character in UTF-8 contains.
private struct CSVReader {
  private let bytes: [UInt8]
  private let separator: UInt8
  private var position = 0
  private var line = 1

  private static let quote = UInt8(ascii: "\"")
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  init(_ text: String, _ separator: CSVRecord.Separator) {
    bytes = Array(text.utf8)
    self.separator = separator.rawValue
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  mutating func readNextRecord() throws(CSVRecord.SyntaxError) -> CSVRecord? {
    guard position < bytes.count else { return nil }
    var record = CSVRecord(line: line, fields: [])
    repeat {
      record.fields.append(next == Self.quote ? try readQuotedField() : try readPlainField())
    } while skip(separator)
    if skip(Self.carriageReturn) || next == Self.lineFeed {
      _ = skip(Self.lineFeed)
      line += 1
    }
    return record
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func isEnd(_ byte: UInt8?) -> Bool {
    byte == nil || byte == separator || byte == Self.lineFeed || byte == Self.carriageReturn
  }

  private mutating func readPlainField() throws(CSVRecord.SyntaxError) -> String {
    let start = position
    while !isEnd(next), next != Self.quote { position += 1 }
    guard next != Self.quote else {
      throw CSVRecord.SyntaxError(line: line, reason: "a quotation mark appears in an unquoted field")
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func readQuotedField() throws(CSVRecord.SyntaxError) -> String {
    let start = line
    position += 1
    var field: [UInt8] = []
    while let byte = next {
      position += 1
      if byte == Self.quote, !skip(Self.quote) {
        guard isEnd(next) else {
          throw CSVRecord.SyntaxError(line: line, reason: "text follows a closing quotation mark")
        }
        return String(decoding: field, as: UTF8.self)
      }
      if byte == Self.lineFeed || byte == Self.carriageReturn && next != Self.lineFeed { line += 1 }
      field.append(byte)
    }
    throw CSVRecord.SyntaxError(line: start, reason: "a closing quotation mark is missing")
  }

  /// Skips `byte` if it is the next one.
  private mutating func skip(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }
}
