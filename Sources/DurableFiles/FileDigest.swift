import ClipModel
import Crypto
import Foundation

/// Digests of whole files.
public enum FileDigest {
  /// SHA-256 as 64 lower-case hexadecimal digits, read in 1 MiB steps on a thread of its own.
  /// - Throws: `DurableFileError`, also when the file is changed while it is read; `CancellationError`.
  public static func sha256(path: String) async throws -> String {
    try await WorkerThread.run("bsc digest") { cancellation in try sha256(ofFileAt: path) { try cancellation.check() } }
  }

  /// As `sha256(path:)`, on this thread. Blocks.
  /// - Parameter check: asked before each step; what it throws ends the reading.
  public static func sha256(ofFileAt path: String, check: () throws -> Void) throws -> String {
    let what = FileOperation.read(path)
    _ = try FileIdentity.of(path)
    let file = try OpenFile(path, flags: O_RDONLY, what: what, .read)
    let before = FileIdentity(try file.status(what: what, .read))
    var hasher = SHA256()
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      try check()
      let count = try buffer.fill(from: file, what: what)
      if count == 0 { break }
      unsafe buffer.withUnsafeBytes { unsafe hasher.update(bufferPointer: .init(rebasing: $0[..<count])) }
    }
    guard try FileIdentity(file.status(what: what, .read)) == before else {
      throw DurableFileError.changing(path)
    }
    return hexadecimal(hasher.finalize())
  }

  /// Tells a large file from others without reading all of it: SHA-256 of its size and of 64 pieces of 16 KiB, spread
  /// over it from its first byte to its last. A copy has the same; a change between the pieces is not seen. Blocks.
  /// - Throws: `DurableFileError`.
  public static func fingerprint(path: String) throws(DurableFileError) -> String {
    let what = FileOperation.read(path)
    let byteCount = try FileIdentity.of(path).byteCount
    let file = try OpenFile(path, flags: O_RDONLY, what: what, .read)
    var hasher = SHA256()
    hasher.update(data: Array("\(byteCount) ".utf8))
    let (pieceCount, pieceSize) = (Int64(64), Int64(16 << 10))
    var buffer = [UInt8](repeating: 0, count: Int(pieceSize))
    for piece in 0..<pieceCount {
      let last = max(byteCount - pieceSize, 0)
      try file.seek(
        to: last / (pieceCount - 1) * piece + last % (pieceCount - 1) * piece / (pieceCount - 1), what: what)
      let count = try buffer.fill(from: file, what: what)
      unsafe buffer.withUnsafeBytes { unsafe hasher.update(bufferPointer: .init(rebasing: $0[..<count])) }
    }
    return hexadecimal(hasher.finalize())
  }

  /// Of bytes in memory.
  public static func sha256(of bytes: some Sequence<UInt8>) -> String { hexadecimal(SHA256.hash(data: Array(bytes))) }

  /// Two lower-case digits a byte.
  public static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }
}
