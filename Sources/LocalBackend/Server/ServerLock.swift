import ClipModel
import DurableFiles
import Foundation
import Synchronization

/// An exclusive lock on a data folder, so that only one server uses it at a time. The lock is held as long as this
/// object exists.
///
/// The lock belongs to the open file. The system releases it when the process ends, even if the process is killed, and
/// two servers in the same process also exclude each other.
final class ServerLock: Sendable {
  private let lock: Mutex<FileLock?>

  private init(_ lock: consuming FileLock) { self.lock = Mutex(lock) }

  /// Acquires the lock.
  ///
  /// This method retries for 100 ms, because `isHeld` in another process may hold the lock for a moment.
  static func acquire(_ path: String) async throws -> ServerLock {
    do {
      guard let lock = try await FileLock.wait(path: path, timeout: .milliseconds(100)) else {
        throw LocalBackendError.folderInUse(path: FilePathParts.folder(of: path))
      }
      return ServerLock(lock)
    } catch let error as DurableFileError {
      throw LocalBackendError.folderUnusable(path: path, reason: error.explanation.why)
    }
  }

  /// Releases the lock immediately instead of when the object is deinitialized.
  func release() { lock.withLock { $0 = nil } }

  /// Whether a running server holds the lock.
  static func isHeld(_ path: String) -> Bool {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }
}

/// Returns the system's message for an `errno` value.
func systemErrorText(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
