import ClipModel
import Foundation

/// An exclusive lock on a file, released with the value or at the latest when the process ends.
///
/// The lock is advisory (`flock`): it affects only processes that also use `flock`. A second handle in the same process
/// is rejected as well.
public struct FileLock: ~Copyable, Sendable {
  /// The locked file.
  public let path: String
  private let file: OpenFile

  /// Acquires the lock without waiting; `nil` when another handle holds it. Creates the file (0600), not its folder.
  /// - Parameter note: one line about the holder, read with `note(at:)`; the process ID when `nil`.
  public init?(path: String, note: String? = nil) throws(DurableFileError) {
    while true {
      let file = try OpenFile(path, flags: O_RDWR | O_CREAT | O_NOFOLLOW, for: .lock(path))
      let acquired = try SystemCall.check(.lock(path), tolerating: [EWOULDBLOCK]) {
        flock(file.descriptor, LOCK_EX | LOCK_NB)
      }
      if acquired == nil { return nil }
      // The last holder may have removed the file between open and flock. Locking a removed file excludes no one.
      guard let current = SystemCall.status(of: path, followsLink: false),
        try FileIdentity(file.status()).isSameFile(as: FileIdentity(current))
      else { continue }
      // The note is optional: on a full disk the lock works without it, so that jobs can still be removed.
      if ftruncate(file.descriptor, 0) == 0 {
        let line = Array("\(note ?? String(getpid()))\n".utf8)
        try? file.write(line.span)
      }
      self.path = path
      self.file = file
      return
    }
  }

  /// Waits for the lock; `nil` when it is not free within `patience`.
  /// - Throws: `DurableFileError`, `CancellationError`.
  public static func wait(path: String, patience: Duration) async throws -> FileLock? {
    let clock = ContinuousClock()
    let deadline = clock.now + patience
    while true {
      if let lock = try FileLock(path: path) { return lock }
      guard clock.now < deadline else { return nil }
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  /// Unlocks explicitly: a child process between fork and exec still has the file open.
  deinit { _ = flock(file.descriptor, LOCK_UN) }

  /// Releases the lock and removes its file, so that lock files don't accumulate.
  ///
  /// Dropping the value releases the lock and keeps the file.
  public consuming func releaseAndRemove() { _ = unsafe unlink(path) }

  /// The holder's note, for messages; `nil` when there is none. The file of a free lock may contain an outdated note.
  public static func note(at path: String) -> String? {
    guard let bytes = try? DurableFile.read(path, limit: 4096) else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).first.map(String.init)
  }
}
