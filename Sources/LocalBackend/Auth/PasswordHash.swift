import CryptoExtras
import Foundation

/// Hashes passwords with scrypt. Each hash includes its parameters, so that a later version can raise the cost.
enum PasswordHash {
  private static let blockSize = 8
  private static let parallelism = 3
  private static let byteCount = 32
  /// The minimum number of characters in a password, as in GoTrue.
  static let minimumLength = 6
  /// The maximum number of bytes in a password. GoTrue uses bcrypt, which has this limit.
  static let maximumByteCount = 72

  /// Hashes a password. Hashing is intentionally slow, so don't call this on the cooperative thread pool.
  /// - Parameter rounds: scrypt's N, a power of two.
  static func make(_ password: String, rounds: Int) throws -> String {
    let salt = RandomText.bytes(16)
    let key = try deriveKey(password, salt, rounds, blockSize, parallelism)
    return [
      "scrypt", "\(rounds)", "\(blockSize)", "\(parallelism)", Data(salt).base64EncodedString(),
      key.base64EncodedString(),
    ].joined(separator: "$")
  }

  /// Whether a password matches a hash. The comparison takes constant time.
  static func matches(_ password: String, _ hash: String) throws -> Bool {
    let parts = hash.split(separator: "$").map(String.init)
    guard parts.count == 6, parts[0] == "scrypt", let rounds = Int(parts[1]), let blockSize = Int(parts[2]),
      let parallelism = Int(parts[3]), let salt = Data(base64Encoded: parts[4])
    else { return false }
    let key = try deriveKey(password, [UInt8](salt), rounds, blockSize, parallelism)
    return RandomText.isEqualInConstantTime(key.base64EncodedString(), parts[5])
  }

  private static func deriveKey(
    _ password: String, _ salt: [UInt8], _ rounds: Int, _ blockSize: Int, _ parallelism: Int
  ) throws -> Data {
    let key = try KDF.Scrypt.deriveKey(
      from: Array(password.utf8), salt: salt, outputByteCount: byteCount, rounds: rounds, blockSize: blockSize,
      parallelism: parallelism, maxMemory: 256 << 20)
    return unsafe key.withUnsafeBytes { bytes in unsafe Data(bytes) }
  }
}
