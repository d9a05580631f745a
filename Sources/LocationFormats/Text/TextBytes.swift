/// Bytes to be read as text. An index outside the range reads as zero, so that readers don't need bounds checks.
struct TextBytes {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var count: Int { bytes.count }

  /// The same bytes as a binary structure with values at fixed offsets.
  var fields: RecordFields { RecordFields(bytes[...]) }

  subscript(index: Int) -> UInt8 { index >= 0 && index < bytes.count ? bytes[index] : 0 }

  /// Whether a word is at an index (case-sensitive).
  func matches(_ word: String, at index: Int) -> Bool {
    var index = index
    for byte in word.utf8 {
      guard self[index] == byte else { return false }
      index &+= 1
    }
    return true
  }

  /// Whether a word is at an index (case-insensitive). The word must be in lowercase.
  func matchesIgnoringCase(_ word: String, at index: Int) -> Bool {
    var index = index
    for byte in word.utf8 {
      guard self[index] | 0x20 == byte else { return false }
      index &+= 1
    }
    return true
  }

  func isLetter(at index: Int) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self[index] | 0x20) }

  func isDigit(at index: Int) -> Bool { self[index] &- UInt8(ascii: "0") < 10 }

  /// Returns the index after a run of bytes from a set, or after the maximum number of bytes.
  func skip(_ set: String, from start: Int, atMost limit: Int) -> Int {
    var index = start
    while index < start &+ limit, set.utf8.contains(self[index]) { index &+= 1 }
    return index
  }

  /// Returns the 32-bit integer at an index; `nil` if it is incomplete. This is faster than `fields`, because searches
  /// call it at every byte.
  func word(at index: Int, isLittle: Bool) -> UInt32? {
    guard index >= 0, index &+ 4 <= count else { return nil }
    let parts = (UInt32(self[index]), UInt32(self[index + 1]), UInt32(self[index + 2]), UInt32(self[index + 3]))
    return isLittle
      ? parts.3 << 24 | parts.2 << 16 | parts.1 << 8 | parts.0 : parts.0 << 24 | parts.1 << 16 | parts.2 << 8 | parts.3
  }

  /// Returns the text in a run of at least 8 UTF-16 characters below U+0100, with one byte per character.
  /// - Parameter zero: the index of a zero byte between two characters.
  func utf16Text(around zero: Int) -> (text: [UInt8], end: Int)? {
    func isCharacter(_ byte: UInt8) -> Bool {
      byte >= 0x20 && byte != 0x7F || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
    guard self[zero] == 0, isCharacter(self[zero &- 1]), isCharacter(self[zero &+ 1]) else { return nil }
    var (text, next) = ([self[zero &- 1]], zero &+ 1)
    while isCharacter(self[next]), self[next &- 1] == 0 {
      text.append(self[next])
      next &+= 2
    }
    return text.count < 8 ? nil : (text, next)
  }
}
