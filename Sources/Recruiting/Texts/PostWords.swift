/// The words of a post in lowercase, for lists of words. Reads bytes, because most posts are ASCII.
enum PostWords {
  /// Splits at spaces and punctuation. Apostrophes and hyphens stay inside words. Mentions and links are left out, and
  /// hashtags are words unless they are left out, too.
  static func split(_ text: String, keepsHashtags: Bool) -> [String] {
    let bytes = Array(text.lowercased().utf8)
    var words: [String] = []
    words.reserveCapacity(bytes.count / 5)
    var position = 0
    while position < bytes.count {
      if bytes[position] <= 32 {
        position += 1
        continue
      }
      let end = bytes[position...].firstIndex { $0 <= 32 } ?? bytes.count
      let chunk = bytes[position..<end]
      position = end
      let isLeftOut =
        chunk.first == UInt8(ascii: "@") || chunk.starts(with: "http".utf8)
        || !keepsHashtags && chunk.first == UInt8(ascii: "#")
      if !isLeftOut { append(chunk, to: &words) }
    }
    return words
  }

  private static func append(_ chunk: ArraySlice<UInt8>, to words: inout [String]) {
    var word: [UInt8] = []
    var position = chunk.startIndex
    while position < chunk.endIndex {
      let byte = chunk[position]
      var width = 1
      switch byte {
      case 48...57, 97...122, UInt8(ascii: "'"), UInt8(ascii: "-"): word.append(byte)
      // General punctuation, which has a typographic apostrophe.
      case 0xE2 where position + 2 < chunk.endIndex && chunk[position + 1] == 0x80:
        width = 3
        if chunk[position + 2] == 0x99 { word.append(UInt8(ascii: "'")) } else { finish(&word, &words) }
      // Emoji.
      case 0xF0...: finish(&word, &words)
      case 0x80...: word.append(byte)
      default: finish(&word, &words)
      }
      position += width
    }
    finish(&word, &words)
  }

  private static func finish(_ word: inout [UInt8], _ words: inout [String]) {
    func isMark(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "'") || byte == UInt8(ascii: "-") }
    if let start = word.firstIndex(where: { !isMark($0) }), let last = word.lastIndex(where: { !isMark($0) }) {
      words.append(String(decoding: word[start...last], as: UTF8.self))
    }
    word.removeAll(keepingCapacity: true)
  }
}
