import CFileShims
import Foundation

/// Moves files within a file system. When a call returns, the move is durable.
public enum FileMove {
  /// Moves a file to a path that must not exist yet. Blocks the calling thread.
  /// - Throws: `DurableFileError`, with the code `EEXIST` if the target path already exists, because existing files are
  ///   never replaced. On file systems without an exclusive rename, a process that is killed during the call may leave
  ///   the file under both names.
  public static func move(_ path: String, to target: String) throws(DurableFileError) {
    let operation = FileOperation(verb: "move", path: path, rest: " to \(target)")
    try renameExclusively(path, to: target, for: operation)
    let folders = [FilePathParts.folder(of: path), FilePathParts.folder(of: target)]
    try Folder.synchronize(folders[1], for: operation)
    if folders[0] != folders[1] { try Folder.synchronize(folders[0], for: operation) }
  }

  /// Renames a file without replacing an existing file.
  static func renameExclusively(
    _ path: String, to target: String, for operation: FileOperation
  ) throws(DurableFileError) {
    let renamed = try SystemCall.check(operation, tolerating: [EINVAL, ENOSYS, ENOTSUP]) {
      unsafe bsc_rename_exclusive(path, target)
    }
    if renamed != nil { return }
    // Network file systems don't support exclusive renames. Create a hard link instead, which fails if the name already
    // exists.
    let linked = try SystemCall.check(operation, tolerating: [EPERM, ENOTSUP, ENOSYS, EMLINK]) {
      unsafe link(path, target)
    }
    if linked != nil {
      // Tolerate a missing file, because a network file system may repeat a request that has already succeeded.
      try SystemCall.check(operation, tolerating: [ENOENT]) { unsafe unlink(path) }
    } else {
      // On older systems, FAT and exFAT support neither exclusive renames nor hard links, so only check before
      // renaming.
      guard try !exists(target) else { throw DurableFileError(operation, errno: EEXIST) }
      try SystemCall.check(operation) { unsafe rename(path, target) }
    }
  }

  /// Returns whether a file, a folder or a symbolic link exists at the path, even if the link is broken.
  /// - Throws: `DurableFileError` if this cannot be determined, because the folder isn't searchable or the disk fails.
  public static func exists(_ path: String) throws(DurableFileError) -> Bool {
    var status = stat()
    return try SystemCall.check(.read(path), tolerating: [ENOENT, ENOTDIR]) { unsafe lstat(path, &status) } != nil
  }

  /// Returns whether the path is a symbolic link.
  public static func isLink(_ path: String) -> Bool {
    SystemCall.status(of: path, followsLink: false).map { $0.st_mode & S_IFMT == S_IFLNK } ?? false
  }

  /// Checks that files can be moved from one existing folder to another. Folders on the same disk may still be on
  /// separate file systems, for example because of bind mounts or quotas. To check, this method tries to move a file
  /// that doesn't exist, which has no side effects.
  /// - Parameter name: an unused file name.
  public static func checkMoves(from folder: String, to target: String, named name: String) throws(DurableFileError) {
    let operation = FileOperation(verb: "move files from", path: folder, rest: " to \(target)")
    try SystemCall.check(operation, tolerating: [ENOENT]) { unsafe rename("\(folder)/\(name)", "\(target)/\(name)") }
    for path in [folder, target] {
      try SystemCall.check(FileOperation(verb: "write in", path: path)) { unsafe access(path, W_OK) }
    }
  }

  /// Copies the owner and group of `source` to `path` if this process runs as root.
  public static func copyOwner(of source: String, to path: String) {
    guard geteuid() == 0, let status = SystemCall.status(of: source, followsLink: false) else { return }
    _ = unsafe lchown(path, status.st_uid, status.st_gid)
  }
}
