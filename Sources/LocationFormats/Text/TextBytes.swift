/// Bytes read as text. Outside there are zeros, so that no reader has to ask where the end is.
struct TextBytes {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var count: Int { bytes.count }

  subscript(index: Int) -> UInt8 { index >= 0 && index < bytes.count ? bytes[index] : 0 }

  /// Whether a word stands there, exactly.
  func has(_ word: String, at index: Int) -> Bool {
    var index = index
    for byte in word.utf8 {
      guard self[index] == byte else { return false }
      index &+= 1
    }
    return true
  }

  /// Whether a word of small letters stands there, in capitals or not.
  func hasAnyCase(_ word: String, at index: Int) -> Bool {
    var index = index
    for byte in word.utf8 {
      guard self[index] | 0x20 == byte else { return false }
      index &+= 1
    }
    return true
  }

  func isLetter(at index: Int) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self[index] | 0x20) }

  func isDigit(at index: Int) -> Bool { self[index] &- UInt8(ascii: "0") < 10 }

  /// The first index that holds none of some bytes; no more than a number of them are passed over.
  func skip(_ set: String, from start: Int, atMost limit: Int) -> Int {
    var index = start
    while index < start &+ limit, set.utf8.contains(self[index]) { index &+= 1 }
    return index
  }

  /// An integer of four bytes; `nil` when it is not all there.
  func word(at index: Int, isLittle: Bool) -> UInt32? {
    guard index >= 0, index &+ 4 <= count else { return nil }
    let parts = (UInt32(self[index]), UInt32(self[index + 1]), UInt32(self[index + 2]), UInt32(self[index + 3]))
    return isLittle
      ? parts.3 << 24 | parts.2 << 16 | parts.1 << 8 | parts.0 : parts.0 << 24 | parts.1 << 16 | parts.2 << 8 | parts.3
  }

  /// An integer of two bytes; `nil` when it is not all there.
  func halfWord(at index: Int, isLittle: Bool) -> UInt16? {
    guard index >= 0, index &+ 2 <= count else { return nil }
    let (first, second) = (UInt16(self[index]), UInt16(self[index + 1]))
    return isLittle ? second << 8 | first : first << 8 | second
  }

  /// The text inside a run of UTF-16, one byte for each character below U+0100; `nil` for fewer than 8 of them.
  /// - Parameter zero: The index of a zero byte between two characters.
  func wideText(around zero: Int) -> (text: [UInt8], end: Int)? {
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
