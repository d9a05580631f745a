import ClipModel
import Foundation

/// An exclusive lock on a file, which is released when the value is destroyed or when the process ends.
///
/// The lock is advisory, so it affects only processes that also use `flock`. A second lock on the same file in the same
/// process also fails.
public struct FileLock: ~Copyable, Sendable {
  /// The path of the locked file.
  public let path: String
  private let file: OpenFile

  /// Acquires the lock without waiting, or returns `nil` if the lock is already held. Creates the file with mode 0600,
  /// but not its folder.
  /// - Parameter note: a line that describes the holder and can be read with `holderNote(at:)`. If `nil`, the process ID is
  ///   used.
  public init?(path: String, note: String? = nil) throws(DurableFileError) {
    while true {
      let file = try OpenFile(path, flags: O_RDWR | O_CREAT | O_NOFOLLOW, for: .lock(path))
      let acquired = try SystemCall.check(.lock(path), tolerating: [EWOULDBLOCK]) {
        flock(file.descriptor, LOCK_EX | LOCK_NB)
      }
      if acquired == nil { return nil }
      // The last holder may have removed the file between open and flock. A lock on a removed file would have no effect
      // on other processes.
      guard let current = SystemCall.status(of: path, followsLink: false),
        try FileIdentity(file.status()).isSameFile(as: FileIdentity(current))
      else { continue }
      // The note is optional. If the disk is full, the lock works without a note, so that jobs can still be removed.
      if ftruncate(file.descriptor, 0) == 0 {
        let line = Array("\(note ?? String(getpid()))\n".utf8)
        try? file.write(line.span)
      }
      self.path = path
      self.file = file
      return
    }
  }

  /// Waits for the lock. Returns `nil` if the lock isn't released within `timeout`.
  /// - Throws: `DurableFileError`, `CancellationError`.
  public static func wait(path: String, timeout: Duration) async throws -> FileLock? {
    let clock = ContinuousClock()
    let deadline = clock.now + timeout
    while true {
      if let lock = try FileLock(path: path) { return lock }
      guard clock.now < deadline else { return nil }
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  /// Unlock explicitly, because a child process between fork and exec may still have the file open.
  deinit { _ = flock(file.descriptor, LOCK_UN) }

  /// Releases the lock and removes the lock file, so that lock files don't accumulate.
  ///
  /// If the value is destroyed instead, the lock is released and the lock file is kept.
  public consuming func releaseAndRemove() { _ = unsafe unlink(path) }

  /// Returns the note that the lock's holder wrote, for use in messages, or `nil` if the lock file has no note. If the lock is free,
  /// the note may be outdated.
  public static func holderNote(at path: String) -> String? {
    guard let bytes = try? DurableFile.read(path, limit: 4096) else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).first.map(String.init)
  }
}
