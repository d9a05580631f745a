import ClipModel
import Crypto
import Foundation

/// Computes digests of files and of bytes in memory.
public enum FileDigest {
  /// Computes a file's SHA-256 on a separate thread. Returns 64 lowercase hexadecimal digits.
  /// - Throws: `DurableFileError`, for example if the file changes while it is being read, or `CancellationError`.
  public static func sha256(path: String) async throws -> String {
    try await WorkerThread.run("bsc digest") { cancellation in try sha256(ofFileAt: path) { try cancellation.check() } }
  }

  /// Computes a file's SHA-256 in the same way as `sha256(path:)`, but blocks the calling thread.
  /// - Parameter check: called before each 1 MiB step. If it throws an error, the computation stops.
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
    guard try FileIdentity(file.status()) == before else { throw DurableFileError.changedDuringRead(path) }
    return hexadecimal(hasher.finalize())
  }

  /// Computes a fingerprint that identifies a large file without reading it entirely. The fingerprint is the SHA-256 of
  /// the file's size and of 64 evenly spaced 16 KiB blocks, including the first and the last bytes. A copy has the same
  /// fingerprint, and changes between the blocks aren't detected.
  /// - Parameters:
  ///   - byteCount: the file's size.
  ///   - read: returns the bytes at an offset, which are fewer than the given number only at the end of the file.
  public static func fingerprint(
    byteCount: Int64, read: (_ offset: Int64, _ count: Int) throws -> [UInt8]
  ) rethrows -> String {
    var hasher = SHA256()
    hasher.update(data: Array("\(byteCount) ".utf8))
    let (pieceCount, pieceSize) = (Int64(64), 16 << 10)
    let (quotient, remainder) = max(byteCount - Int64(pieceSize), 0).quotientAndRemainder(dividingBy: pieceCount - 1)
    for piece in 0..<pieceCount {
      hasher.update(data: try read(quotient * piece + remainder * piece / (pieceCount - 1), pieceSize))
    }
    return hexadecimal(hasher.finalize())
  }

  /// Computes the SHA-256 of bytes in memory. Returns lowercase hexadecimal digits.
  public static func sha256(of bytes: some Sequence<UInt8>) -> String { hexadecimal(SHA256.hash(data: Array(bytes))) }

  /// Formats each byte as two lowercase hexadecimal digits.
  public static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
