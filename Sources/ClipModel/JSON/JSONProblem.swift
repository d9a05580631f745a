/// Something wrong with a JSON text, and where.
package struct JSONProblem: Error, Equatable, Sendable {
  package enum Kind: String, Sendable {
    /// Not JSON: nothing behind it was read.
    case syntax
    /// The text ends in the middle of a value.
    case truncated
    /// Nested deeper than `JSONReader.depthLimit`.
    case tooDeep
    /// `NaN` or `Infinity`; read over.
    case notFinite
    /// A key that the object already has; the first one counts.
    case duplicateKey
  }

  package var kind: Kind
  /// A phrase: `expected a value, found ","`.
  package var message: String
  /// Where in the text, in bytes.
  package var offset: Int
  /// Where in the tree: `rallySegments[3].endTime`; empty at the top.
  package var path: String
}

/// Line and column of a byte, both from 1; columns count characters as Unicode scalars, as editors do.
package struct JSONPosition: Equatable, Sendable, CustomStringConvertible {
  package var line: Int
  package var column: Int

  package init(of offset: Int, in bytes: [UInt8]) {
    var line = 1
    var lineStart = JSONReader.byteOrderMark(in: bytes)
    let before = lineStart..<max(lineStart, min(offset, bytes.count))
    for index in before where bytes[index] == UInt8(ascii: "\n") {
      line += 1
      lineStart = index + 1
    }
    self.line = line
    // Continuation bytes of UTF-8 (10xxxxxx) are no characters of their own.
    column = 1 + bytes[lineStart..<max(lineStart, before.upperBound)].count { $0 & 0xC0 != 0x80 }
  }

  package var description: String { "line \(line), column \(column)" }
}
