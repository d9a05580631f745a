import Crypto
import DurableFiles

/// Creates identifiers and credentials with the system's secure random number generator.
enum RandomText {
  /// Returns 256 random bits as 64 hexadecimal digits, for the credentials of upload URLs.
  static func token() -> String { FileDigest.hexadecimal(bytes(32)) }

  /// Returns 128 random bits as 32 hexadecimal digits, for the IDs of uploads, assets and playbacks. The IDs are
  /// opaque, like Mux's.
  static func identifier() -> String { FileDigest.hexadecimal(bytes(16)) }

  /// Compares two strings in a time that depends only on their lengths.
  static func isEqualInConstantTime(_ left: String, _ right: String) -> Bool {
    let left = Array(left.utf8)
    let right = Array(right.utf8)
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// Returns the first bytes of the text's HMAC-SHA256 as hexadecimal digits. They prove that the creator knew the
  /// secret.
  static func proof(of text: String, secret: String, byteCount: Int) -> String {
    let code = HMAC<SHA256>.authenticationCode(
      for: Array(text.utf8), using: SymmetricKey(data: Array(secret.utf8)))
    return FileDigest.hexadecimal(code.prefix(byteCount))
  }

  static func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in .random(in: .min ... .max) } }
}
