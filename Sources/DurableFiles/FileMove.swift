import CFileShims
import Foundation

/// Moves files within a file system. Each move is on the disk when the call returns.
public enum FileMove {
  /// Moves a file to a path that is free. Blocks.
  /// - Throws: `DurableFileError`, with `EEXIST` when the path is taken: no file is ever replaced. On file systems
  ///   without an exclusive rename, a process killed during the call can leave the file under both names.
  public static func move(_ path: String, to target: String) throws(DurableFileError) {
    let operation = FileOperation(verb: "move", path: path, rest: " to \(target)")
    try renameExclusively(path, to: target, for: operation)
    let folders = [FilePathParts.folder(of: path), FilePathParts.folder(of: target)]
    try Folder.synchronize(folders[1], for: operation)
    if folders[0] != folders[1] { try Folder.synchronize(folders[0], for: operation) }
  }

  /// Renames a file without replacing another one.
  static func renameExclusively(
    _ path: String, to target: String, for operation: FileOperation
  ) throws(DurableFileError) {
    let renamed = try SystemCall.check(operation, tolerating: [EINVAL, ENOSYS, ENOTSUP]) {
      unsafe bsc_rename_exclusive(path, target)
    }
    if renamed != nil { return }
    // Network file systems lack this call, but creating a hard link fails when the name is taken.
    let linked = try SystemCall.check(operation, tolerating: [EPERM, ENOTSUP, ENOSYS, EMLINK]) {
      unsafe link(path, target)
    }
    if linked != nil {
      // A network file system can repeat the request after it succeeded.
      try SystemCall.check(operation, tolerating: [ENOENT]) { unsafe unlink(path) }
    } else {
      // On older systems, FAT and exFAT support neither, so checking before the rename has to suffice.
      guard try !exists(target) else { throw DurableFileError(operation, errno: EEXIST) }
      try SystemCall.check(operation) { unsafe rename(path, target) }
    }
  }

  /// Whether anything is at this path, including a broken symbolic link.
  /// - Throws: `DurableFileError` when that is unknown: the folder may not be searched, or the disk fails.
  public static func exists(_ path: String) throws(DurableFileError) -> Bool {
    var status = stat()
    return try SystemCall.check(.read(path), tolerating: [ENOENT, ENOTDIR]) { unsafe lstat(path, &status) } != nil
  }

  /// Whether there is a symbolic link at this path.
  public static func isLink(_ path: String) -> Bool {
    SystemCall.status(of: path, followsLink: false).map { $0.st_mode & S_IFMT == S_IFLNK } ?? false
  }

  /// Checks that files can be moved from one existing folder to another: folders on the same disk can still be separate
  /// file systems (bind mounts, quotas). Tries to move a file that does not exist, which leaves no trace.
  /// - Parameter name: an unused file name.
  public static func checkMoves(from folder: String, to target: String, named name: String) throws(DurableFileError) {
    let operation = FileOperation(verb: "move files from", path: folder, rest: " to \(target)")
    try SystemCall.check(operation, tolerating: [ENOENT]) { unsafe rename("\(folder)/\(name)", "\(target)/\(name)") }
    for path in [folder, target] {
      try SystemCall.check(FileOperation(verb: "write in", path: path)) { unsafe access(path, W_OK) }
    }
  }

  /// Gives `path` the owner and group of `source` when this process runs as root.
  public static func copyOwner(of source: String, to path: String) {
    guard geteuid() == 0, let status = SystemCall.status(of: source, followsLink: false) else { return }
    _ = unsafe lchown(path, status.st_uid, status.st_gid)
  }
}
