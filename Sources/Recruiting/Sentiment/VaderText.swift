/// A text as VADER reads it: tokens between spaces, without punctuation around words, and emoji as their descriptions.
struct VaderText {
  struct Token {
    var number: VaderWords.Number = 0
    /// All letters are capitals, and there is one.
    var isUppercase = false
    var isNegation = false
  }

  private(set) var tokens: [Token] = []
  /// Whether some words, but not all, are in capitals, which then emphasize.
  private(set) var hasCapitalEmphasis = false
  private(set) var exclamationCount = 0
  private(set) var questionCount = 0

  init(_ text: String, _ words: VaderWords) {
    let bytes = text.utf8.allSatisfy { $0 < 0x80 } ? Array(text.utf8) : Self.expand(text, words)
    tokens.reserveCapacity(bytes.count / 5)
    var start = 0
    var uppercaseCount = 0
    for end in 0...bytes.count {
      if end < bytes.count {
        let byte = bytes[end]
        if byte == UInt8(ascii: "!") { exclamationCount += 1 }
        if byte == UInt8(ascii: "?") { questionCount += 1 }
        guard byte == 32 || (9...13).contains(byte) || (28...31).contains(byte) else { continue }
      }
      if start < end {
        let token = Self.token(Self.withoutPunctuation(bytes[start..<end]), words)
        if token.isUppercase { uppercaseCount += 1 }
        tokens.append(token)
      }
      start = end + 1
    }
    hasCapitalEmphasis = uppercaseCount > 0 && uppercaseCount < tokens.count
  }

  /// UTF-8 with descriptions instead of emoji, and plain spaces. A description is separated from the text before it,
  /// but not from the text after it, like in the original.
  private static func expand(_ text: String, _ words: VaderWords) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count + 64)
    var isAfterSpace = true
    for scalar in text.unicodeScalars {
      if scalar.value >= 0xA9, let description = words.emoji[scalar.value] {
        if !isAfterSpace { bytes.append(32) }
        bytes.append(contentsOf: description)
        isAfterSpace = false
        continue
      }
      isAfterSpace = scalar == " "
      switch scalar.value {
      case 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: bytes.append(32)
      // The Kelvin sign: the only other character whose lowercase form is an ASCII letter.
      case 0x212A: bytes.append(UInt8(ascii: "K"))
      default: bytes.append(contentsOf: UTF8.encode(scalar) ?? .init())
      }
    }
    return bytes
  }

  /// Removes punctuation at both ends. A token with at most two other characters is an emoticon and stays.
  private static func withoutPunctuation(_ token: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var start = token.startIndex
    var end = token.endIndex
    while start < end, token[start].isASCIIPunctuation { start += 1 }
    while start < end, token[end - 1].isASCIIPunctuation { end -= 1 }
    let stripped = token[start..<end]
    if stripped.count > 8 { return stripped }
    var length = 0
    for byte in stripped where byte & 0xC0 != 0x80 { length += 1 }
    return length <= 2 ? token : stripped
  }

  private static func token(_ bytes: ArraySlice<UInt8>, _ words: VaderWords) -> Token {
    var token = Token()
    var isASCII = true
    var hasUppercase = false
    var hasLowercase = false
    // "n't", in any case.
    var isContraction = false
    var last: UInt8 = 0
    var secondLast: UInt8 = 0
    for byte in bytes {
      if byte.isASCIILowercase { hasLowercase = true } else if byte.isASCIIUppercase { hasUppercase = true }
      if byte >= 0x80 { isASCII = false }
      let letter = byte.lowercasedASCII
      if letter == UInt8(ascii: "t"), last == UInt8(ascii: "'"), secondLast == UInt8(ascii: "n") {
        isContraction = true
      }
      secondLast = last
      last = letter
    }
    if isASCII {
      token.isUppercase = hasUppercase && !hasLowercase
      token.number = words.number(of: bytes)
      token.isNegation = isContraction || words.negations[Int(token.number)]
    } else {
      token.isUppercase = !hasLowercase && isUppercase(String(decoding: bytes, as: UTF8.self))
      token.isNegation = isContraction
    }
    return token
  }

  /// Like Python's `isupper`.
  private static func isUppercase(_ token: String) -> Bool {
    var hasUppercase = false
    for scalar in token.unicodeScalars {
      if scalar.properties.isLowercase || scalar.properties.generalCategory == .titlecaseLetter { return false }
      if scalar.properties.isUppercase { hasUppercase = true }
    }
    return hasUppercase
  }
}
