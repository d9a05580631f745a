/// Identifiers and credentials from the system's secure generator.
enum RandomText {
  /// 256 bits as 64 hexadecimal digits: the credential of an upload URL.
  static func token() -> String { hexadecimal(words: 4) }

  /// 128 bits as 32 hexadecimal digits: uploads, assets, playback ids. Opaque, as Mux's are.
  static func identifier() -> String { hexadecimal(words: 2) }

  /// Whether two texts are equal, in a time that depends on their lengths only.
  static func isEqualInConstantTime(_ left: String, _ right: String) -> Bool {
    let left = Array(left.utf8)
    let right = Array(right.utf8)
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  private static func hexadecimal(words: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<words).map { _ in
      let digits = String(UInt64.random(in: .min ... .max, using: &generator), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
