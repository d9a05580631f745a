import ClipModel
import Foundation

/// Shows whether a file is unchanged without reading it: equal identities mean that the file was not modified.
public struct FileIdentity: Codable, Hashable, Sendable {
  public var device: UInt64
  public var inode: UInt64
  public var byteCount: Int64
  /// Time of the last modification, in nanoseconds since 1970.
  public var modifiedNanoseconds: Int64

  /// The identity of the regular file at `path`, which this process may read. Follows symbolic links.
  /// - Throws: `DurableFileError` in the category `noInput` for a missing or unreadable file, a folder, a pipe, a
  ///   socket or a device. The file is not opened: opening a pipe without a writer would block forever.
  public static func of(_ path: String) throws(DurableFileError) -> FileIdentity {
    var status = stat()
    try SystemCall.check(.read(path)) { unsafe stat(path, &status) }
    if let error = DurableFileError.special(.read(path), mode: status.st_mode) { throw error }
    // Uses faccessat instead of open, because on network file systems each open requires a round trip.
    try SystemCall.check(.read(path)) { unsafe faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) }
    return FileIdentity(status)
  }

  /// The identity of the regular file with this open descriptor, even if its path now leads to another file.
  /// - Throws: `DurableFileError`.
  public static func of(descriptor: Int32) throws(DurableFileError) -> FileIdentity {
    var status = stat()
    let operation = FileOperation(verb: "check an open file", path: "", isReading: true)
    try SystemCall.check(operation) { unsafe fstat(descriptor, &status) }
    return FileIdentity(status)
  }

  /// Whether both are the same file, under one name or several: writing to one changes the other.
  public func isSameFile(as other: FileIdentity) -> Bool { device == other.device && inode == other.inode }

  /// Whether size and modification time are equal. Ignores the inode, which some layered file systems change on a rename.
  public func hasSameContent(as other: FileIdentity) -> Bool {
    byteCount == other.byteCount && modifiedNanoseconds == other.modifiedNanoseconds
  }

  /// When anything about the file last changed, including its move to this path. Copies don't preserve this time.
  /// The result is in nanoseconds since 1970; `nil` when the file cannot be examined.
  public static func changedNanoseconds(of path: String) -> Int64? {
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
