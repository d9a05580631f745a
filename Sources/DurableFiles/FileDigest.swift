import ClipModel
import Crypto
import Foundation

/// Digests of whole files and of bytes in memory.
public enum FileDigest {
  /// Computes SHA-256 as 64 lowercase hexadecimal digits, on a separate thread.
  /// - Throws: `DurableFileError`, also when the file changes while it is read; `CancellationError`.
  public static func sha256(path: String) async throws -> String {
    try await WorkerThread.run("bsc digest") { cancellation in try sha256(ofFileAt: path) { try cancellation.check() } }
  }

  /// Like `sha256(path:)`, on the calling thread. Blocks.
  /// - Parameter check: called before each step of 1 MiB; its error stops the computation.
  public static func sha256(ofFileAt path: String, check: () throws -> Void) throws -> String {
    let file = try OpenFile(reading: path)
    let before = FileIdentity(try file.status())
    var hasher = SHA256()
    var offset: Int64 = 0
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      try check()
      let count = try file.read(into: &buffer, at: offset)
      if count == 0 { break }
      hasher.update(data: buffer[..<count])
      offset += Int64(count)
    }
    guard try FileIdentity(file.status()) == before else { throw DurableFileError.changing(path) }
    return hexadecimal(hasher.finalize())
  }

  /// Identifies a large file without reading all of it: SHA-256 of its size and of 64 evenly spaced pieces of 16 KiB,
  /// including the first and the last bytes. A copy has the same fingerprint; a change between the pieces is not
  /// detected. Blocks.
  /// - Throws: `DurableFileError`.
  public static func fingerprint(path: String) throws(DurableFileError) -> String {
    let file = try OpenFile(reading: path)
    let byteCount = FileIdentity(try file.status()).byteCount
    var hasher = SHA256()
    hasher.update(data: Array("\(byteCount) ".utf8))
    let (pieceCount, pieceSize) = (Int64(64), 16 << 10)
    let (quotient, remainder) = max(byteCount - Int64(pieceSize), 0).quotientAndRemainder(dividingBy: pieceCount - 1)
    var buffer = [UInt8](repeating: 0, count: pieceSize)
    for piece in 0..<pieceCount {
      let count = try file.read(into: &buffer, at: quotient * piece + remainder * piece / (pieceCount - 1))
      hasher.update(data: buffer[..<count])
    }
    return hexadecimal(hasher.finalize())
  }

  /// Computes SHA-256 of bytes in memory.
  public static func sha256(of bytes: some Sequence<UInt8>) -> String { hexadecimal(SHA256.hash(data: Array(bytes))) }

  /// Formats each byte as two lowercase digits.
  public static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
