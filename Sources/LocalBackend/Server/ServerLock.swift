import Foundation

/// The exclusive lock of a data folder: one running server each. Held as long as this object lives.
///
/// `flock` belongs to the open file, so it ends with the process however that dies, and two servers inside one
/// process exclude each other too.
final class ServerLock: Sendable {
  private let descriptor: Int32

  private init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Takes the lock.
  ///
  /// Tries for a tenth of a second, because `isHeld` of another process holds it for an instant.
  static func acquire(_ path: String) throws(LocalBackendError) -> ServerLock {
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .folderUnusable(path: path, reason: systemErrorText(errno)) }
    let lock = ServerLock(descriptor: descriptor)
    for attempt in 0..<10 {
      if attempt > 0 { usleep(10_000) }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return lock }
      guard errno == EWOULDBLOCK || errno == EINTR else {
        throw .folderUnusable(path: path, reason: systemErrorText(errno))
      }
    }
    throw .folderInUse(path: (path as NSString).deletingLastPathComponent)
  }

  /// Gives the lock back before the object goes.
  func release() { _ = flock(descriptor, LOCK_UN) }

  /// Whether a live server holds the lock.
  static func isHeld(_ path: String) -> Bool {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }
}

/// The system's words for an errno value.
func systemErrorText(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
