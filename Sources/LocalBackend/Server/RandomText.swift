import Crypto
import DurableFiles

/// Identifiers and credentials from the system's secure generator.
enum RandomText {
  /// 256 bits as 64 hexadecimal digits: the credential of an upload URL.
  static func token() -> String { FileDigest.hexadecimal(bytes(32)) }

  /// 128 bits as 32 hexadecimal digits: uploads, assets, playback ids. Opaque, as Mux's are.
  static func identifier() -> String { FileDigest.hexadecimal(bytes(16)) }

  /// Whether two texts are equal, in a time that depends on their lengths only.
  static func isEqualInConstantTime(_ left: String, _ right: String) -> Bool {
    let left = Array(left.utf8)
    let right = Array(right.utf8)
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// A text that only those can make who know the secret: the beginning of an HMAC-SHA256, in hexadecimal digits.
  static func proof(of text: String, secret: String, byteCount: Int) -> String {
    let code = HMAC<SHA256>.authenticationCode(
      for: Array(text.utf8), using: SymmetricKey(data: Array(secret.utf8)))
    return FileDigest.hexadecimal(code.prefix(byteCount))
  }

  static func bytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }
}
