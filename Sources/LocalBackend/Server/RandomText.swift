import Crypto
import DurableFiles

/// Identifiers and credentials from the system's secure random generator.
enum RandomText {
  /// 256 bits as 64 hexadecimal digits: the credential of an upload URL.
  static func token() -> String { FileDigest.hexadecimal(bytes(32)) }

  /// 128 bits as 32 hexadecimal digits, for the IDs of uploads, assets and playbacks. They are opaque, like Mux's.
  static func identifier() -> String { FileDigest.hexadecimal(bytes(16)) }

  /// Compares two texts in a time that depends only on their lengths.
  static func isEqualInConstantTime(_ left: String, _ right: String) -> Bool {
    let left = Array(left.utf8)
    let right = Array(right.utf8)
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// A proof that the secret is known: the first bytes of an HMAC-SHA256 of the text, as hexadecimal digits.
  static func proof(of text: String, secret: String, byteCount: Int) -> String {
    let code = HMAC<SHA256>.authenticationCode(
      for: Array(text.utf8), using: SymmetricKey(data: Array(secret.utf8)))
    return FileDigest.hexadecimal(code.prefix(byteCount))
  }

  static func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in .random(in: .min ... .max) } }
}
