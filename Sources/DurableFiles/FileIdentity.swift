import ClipModel
import Foundation

/// Shows whether a file is unchanged without reading it: equal means that it was not modified.
public struct FileIdentity: Codable, Hashable, Sendable {
  public var device: UInt64
  public var inode: UInt64
  public var byteCount: Int64
  /// Last modification, nanoseconds since 1970.
  public var modifiedNanoseconds: Int64

  /// Of the regular file at `path`, which this process may read. Symbolic links are followed.
  /// - Throws: `DurableFileError` in the category `noInput` for a missing or unreadable file, a folder, a pipe, a
  ///   socket, a device. None of them is opened first: a pipe without a writer would block for ever.
  public static func of(_ path: String) throws(DurableFileError) -> FileIdentity {
    let what = FileOperation.read(path)
    var status = stat()
    try SystemCall.check(what, .read) { unsafe stat(path, &status) }
    if let kind = FileKind.special(status.st_mode) {
      throw DurableFileError.special(what, kind, .noInput)
    }
    // Asked, not opened: on network file systems each open is a round trip.
    try SystemCall.check(what, .read) { unsafe faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) }
    return FileIdentity(status)
  }

  /// Of the regular file behind an open descriptor, whatever its name means by now.
  /// - Throws: `DurableFileError`.
  public static func of(descriptor: Int32) throws(DurableFileError) -> FileIdentity {
    var status = stat()
    try SystemCall.check(FileOperation("check an open file", ""), .read) { unsafe fstat(descriptor, &status) }
    return FileIdentity(status)
  }

  /// Whether both are one file, under one name or several: what is written to one is written to the other.
  public func isSameFile(as other: FileIdentity) -> Bool { device == other.device && inode == other.inode }

  /// When anything about the file changed for the last time, its arrival under this name too: no copy keeps it. Nanoseconds
  /// since 1970; `nil` when the file cannot be looked at.
  public static func changedNanoseconds(of path: String) -> Int64? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    #if canImport(Darwin)
      let changed = status.st_ctimespec
    #else
      let changed = status.st_ctim
    #endif
    return Int64(changed.tv_sec) * 1_000_000_000 + Int64(changed.tv_nsec)
  }

  init(_ status: stat) {
    #if canImport(Darwin)
      let modified = status.st_mtimespec
    #else
      let modified = status.st_mtim
    #endif
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(status.st_ino)
    byteCount = Int64(status.st_size)
    modifiedNanoseconds = Int64(modified.tv_sec) * 1_000_000_000 + Int64(modified.tv_nsec)
  }
}
