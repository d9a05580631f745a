import ClipModel
import Foundation

/// Identifies a version of a file without reading its contents. If two identities are equal, the file hasn't been
/// modified.
public struct FileIdentity: Codable, Hashable, Sendable {
  public var device: UInt64
  public var inode: UInt64
  public var byteCount: Int64
  /// The time of the last modification, in nanoseconds since 1970.
  public var modifiedNanoseconds: Int64

  /// Returns the identity of the regular file at `path`, which this process must be able to read. Follows symbolic
  /// links.
  /// - Throws: `DurableFileError` with the category `noInput` if the file is missing or unreadable, or is a folder, a
  ///   pipe, a socket or a device. The file isn't opened, because opening a pipe without a writer would block
  ///   indefinitely.
  public static func of(_ path: String) throws(DurableFileError) -> FileIdentity {
    var status = stat()
    try SystemCall.check(.read(path)) { unsafe stat(path, &status) }
    if let error = DurableFileError.notRegularFile(.read(path), mode: status.st_mode) { throw error }
    // Use faccessat instead of open, because every open requires a round trip on network file systems.
    try SystemCall.check(.read(path)) { unsafe faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) }
    return FileIdentity(status)
  }

  /// Returns the identity of the file with an open descriptor, even if a different file is now at the same path.
  /// - Throws: `DurableFileError`.
  public static func of(descriptor: Int32) throws(DurableFileError) -> FileIdentity {
    var status = stat()
    let operation = FileOperation(verb: "check an open file", path: "", isReading: true)
    try SystemCall.check(operation) { unsafe fstat(descriptor, &status) }
    return FileIdentity(status)
  }

  /// Returns whether both identities refer to the same file, possibly under different names. Writing to the file under
  /// one name changes it under every name.
  public func isSameFile(as other: FileIdentity) -> Bool { device == other.device && inode == other.inode }

  /// Returns whether the size and modification time are equal. Ignores the inode, which some layered file systems
  /// change when a file is renamed.
  public func hasSameContent(as other: FileIdentity) -> Bool {
    byteCount == other.byteCount && modifiedNanoseconds == other.modifiedNanoseconds
  }

  /// Returns the time of the last change to the file or its attributes, including a move to this path, in nanoseconds
  /// since 1970. Copies don't preserve this time. Returns `nil` if the time cannot be determined.
  public static func changeTimeNanoseconds(of path: String) -> Int64? {
    SystemCall.status(of: path, followsLink: true)?.changeTime.nanoseconds
  }

  init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(status.st_ino)
    byteCount = Int64(status.st_size)
    modifiedNanoseconds = status.modificationTime.nanoseconds
  }
}

extension timespec {
  fileprivate var nanoseconds: Int64 { Int64(tv_sec) * 1_000_000_000 + Int64(tv_nsec) }
}

extension stat {
  #if canImport(Darwin)
  var accessTime: timespec { st_atimespec }
  var modificationTime: timespec { st_mtimespec }
  fileprivate var changeTime: timespec { st_ctimespec }
  #else
  var accessTime: timespec { st_atim }
  var modificationTime: timespec { st_mtim }
  fileprivate var changeTime: timespec { st_ctim }
  #endif
}
