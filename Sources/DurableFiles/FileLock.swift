import ClipModel
import Foundation

/// An exclusive lock on a file, held as long as the value lives and never longer than its process.
///
/// It is advisory (`flock`): only those who ask notice it. A second handle in the same process is refused as well.
public struct FileLock: ~Copyable, Sendable {
  /// The locked file.
  public let path: String
  private let file: OpenFile

  /// Takes the lock, or `nil` when another process holds it. Never waits. Creates the file (0600), not its folder.
  /// - Parameter note: one line for those who are refused, read with `note(at:)`; this process's id when `nil`.
  public init?(path: String, note: String? = nil) throws(DurableFileError) {
    let what = FileOperation.lock(path)
    while true {
      let file = try OpenFile(path, flags: O_RDWR | O_CREAT | O_NOFOLLOW, what: what, .write)
      let answer = try SystemCall.check(what, .write, tolerating: [EWOULDBLOCK]) {
        flock(file.descriptor, LOCK_EX | LOCK_NB)
      }
      if answer == nil { return nil }
      // The last holder may have removed the file between open and flock: a lock on a nameless file is useless.
      guard try Self.isNamed(file, path, what: what) else { continue }
      // The note is a courtesy: on a full disk the lock holds without it, so that jobs can still be removed.
      if ftruncate(file.descriptor, 0) == 0 {
        let line = Array("\(note ?? String(getpid()))\n".utf8)
        try? unsafe line.span.bytes.withUnsafeBytes { buffer throws(DurableFileError) in
          try unsafe file.write(buffer, what: what)
        }
      }
      self.path = path
      self.file = file
      return
    }
  }

  /// Takes the lock as soon as it is free; `nil` when that takes longer than `patience`.
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

  /// Unlocked by name, not by the close alone: a child that is between fork and exec still has the file open.
  deinit { _ = flock(file.descriptor, LOCK_UN) }

  /// Gives the lock back and removes its file, so that folders of locks don't fill up.
  ///
  /// Dropping the value gives the lock back and leaves the file.
  public consuming func releaseAndRemove() { _ = unsafe unlink(path) }

  /// The holder's note, for messages; `nil` when there is none. A free lock's file may still have an old one.
  public static func note(at path: String) -> String? {
    guard let bytes = try? DurableFile.read(path, limit: 4096) else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).first.map(String.init)
  }

  private static func isNamed(
    _ file: borrowing OpenFile, _ path: String, what: FileOperation
  ) throws(DurableFileError) -> Bool {
    let held = try file.status(what: what, .write)
    var named = stat()
    guard unsafe lstat(path, &named) == 0 else { return false }
    return held.st_dev == named.st_dev && held.st_ino == named.st_ino
  }
}
