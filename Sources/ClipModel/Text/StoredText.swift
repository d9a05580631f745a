extension String {
  /// The text with U+FFFD in place of NUL, which PostgreSQL can't store.
  package var withoutNUL: String { utf8.contains(0) ? replacing("\0", with: "\u{FFFD}") : self }
}

/// How a column of the database limits its texts.
package enum TextLimit: Sendable {
  /// The user-perceived characters, each of which can have 32 bytes. Like `private.fits`.
  case characters
  /// The code points. Like `char_length`, for texts of platforms.
  case codePoints

  /// The length of a text. A text with more than 32 bytes per character counts as longer.
  package func length(of text: String) -> Int {
    switch self {
    case .characters: max(text.count, (text.utf8.count + 31) / 32)
    case .codePoints: text.unicodeScalars.count
    }
  }
}
