import CFileShims
import Foundation

/// Other names for files of one disk, on the disk when a call returns.
public enum FileMove {
  /// Gives a file another name, which is free. Blocks.
  /// - Throws: `DurableFileError`, with `EEXIST` when the name is taken: nothing is ever written over. Killed in the
  ///   middle, the file may have both names, where the file system knows no better.
  public static func move(_ path: String, to target: String) throws(DurableFileError) {
    let what = FileOperation("move", path, " to \(target)")
    let moved = try SystemCall.check(what, .write, tolerating: [EINVAL, ENOSYS, ENOTSUP]) {
      unsafe bsc_rename_exclusive(path, target)
    }
    // Network file systems have no such call, but hard links, which refuse a name that is taken.
    if moved == nil { try linkAndUnlink(path, target, what: what) }
    let folders = [FilePathParts.folder(of: path), FilePathParts.folder(of: target)]
    try Folder.synchronize(folders[1], what: what)
    if folders[0] != folders[1] { try Folder.synchronize(folders[0], what: what) }
  }

  private static func linkAndUnlink(_ path: String, _ target: String, what: FileOperation) throws(DurableFileError) {
    let linked = try SystemCall.check(what, .write, tolerating: [EPERM, ENOTSUP, ENOSYS, EMLINK]) {
      unsafe link(path, target)
    }
    if linked != nil {
      try SystemCall.check(what, .write) { unsafe unlink(path) }
    } else {
      // FAT and exFAT on an old system have neither: a look before the move has to do.
      guard try !isThere(target) else { throw DurableFileError(what, errno: EEXIST, purpose: .write) }
      try SystemCall.check(what, .write) { unsafe rename(path, target) }
    }
  }

  /// Whether a name is taken, by whatever: also by a link that leads nowhere.
  /// - Throws: `DurableFileError` when that is unknown: a folder that may not be searched, a disk that fails.
  public static func isThere(_ path: String) throws(DurableFileError) -> Bool {
    var status = stat()
    return try SystemCall.check(.read(path), .read, tolerating: [ENOENT, ENOTDIR]) {
      unsafe lstat(path, &status)
    } != nil
  }

  /// Whether a name is a symbolic link.
  public static func isLink(_ path: String) -> Bool {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return false }
    return status.st_mode & S_IFMT == S_IFLNK
  }

  /// Whether files can be moved out of one folder into another: two folders of one disk can be kept apart all the same
  /// (bind mounts, quotas). Both exist. Told by moving a file that is not there, which leaves nothing behind.
  /// - Parameter name: that no file has.
  public static func requireMoves(from folder: String, to target: String, named name: String) throws(DurableFileError) {
    let what = FileOperation("move files from", folder, " to \(target)")
    try SystemCall.check(what, .write, tolerating: [ENOENT]) {
      unsafe rename("\(folder)/\(name)", "\(target)/\(name)")
    }
    for place in [folder, target] {
      try SystemCall.check(FileOperation("write in", place), .write) { unsafe access(place, W_OK) }
    }
  }

  /// Makes the owner of one file that of another, where this process may: root works on files of others.
  public static func giveOwner(of source: String, to path: String) {
    var status = stat()
    guard geteuid() == 0, unsafe lstat(source, &status) == 0 else { return }
    _ = unsafe lchown(path, status.st_uid, status.st_gid)
  }
}
