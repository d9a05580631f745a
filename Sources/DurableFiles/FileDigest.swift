import ClipModel
import Crypto

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Digests of whole files.
public enum FileDigest {
  /// SHA-256 as 64 lower-case hexadecimal digits, read in 1 MiB steps on a thread of its own.
  /// - Throws: `DurableFileError`, also when the file is changed while it is read; `CancellationError`.
  public static func sha256(path: String) async throws -> String {
    try await WorkerThread.run("bsc digest") { cancellation in
      let what = "cannot read \(path)"
      _ = try FileIdentity.of(path)
      let file = try OpenFile(path, flags: O_RDONLY, what: what, .read)
      let before = FileIdentity(try file.status(what: what, .read))
      var hasher = SHA256()
      var buffer = [UInt8](repeating: 0, count: 1 << 20)
      while true {
        try cancellation.check()
        let count = try buffer.fill(from: file, what: what)
        if count == 0 { break }
        unsafe buffer.withUnsafeBytes { unsafe hasher.update(bufferPointer: .init(rebasing: $0[..<count])) }
      }
      guard try FileIdentity(file.status(what: what, .read)) == before else {
        throw DurableFileError(
          what: what, why: "it was changed while it was read", next: "wait until nobody writes it, then run again",
          category: .noInput)
      }
      return hexadecimal(hasher.finalize())
    }
  }

  /// Two lower-case digits a byte.
  public static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }
}
