#if Recruiting
import Crypto
import DurableFiles

/// The code of an invitation, which people type: 12 characters of Crockford's Base32, 60 random bits.
enum InvitationCode {
  /// Without I, L, O and U.
  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
  private static let length = 12

  static func make() -> String {
    String(RandomText.bytes(length).map { alphabet[Int($0 & 31)] })
  }

  /// Returns the form in which a code is stored. Lowercase, hyphens, spaces, and the letters that look like digits are
  /// accepted.
  static func hash(_ code: String) -> String {
    let characters = code.uppercased().unicodeScalars.compactMap { scalar -> Character? in
      switch scalar {
      case "O": "0"
      case "I", "L": "1"
      case "0"..."9", "A"..."Z": Character(scalar)
      default: nil
      }
    }
    return sha256(String(characters))
  }

  /// The SHA-256 digest of a text as hexadecimal digits.
  static func sha256(_ text: String) -> String { FileDigest.hexadecimal(SHA256.hash(data: Array(text.utf8))) }
}
#endif
