#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Other names for files of one disk, on the disk when a call returns.
public enum FileMove {
  /// Gives a file another name, which nobody has. Blocks.
  /// - Throws: `DurableFileError`, with `EEXIST` when the name is taken: nothing is ever written over. Killed in the
  ///   middle, the file may have both names.
  public static func move(_ path: String, to target: String) throws(DurableFileError) {
    let what = "cannot move \(path) to \(target)"
    switch SystemCall.attempt({ unsafe link(path, target) }) {
    case .success: try SystemCall.check(what, .write) { unsafe unlink(path) }
    case .failure(let failure) where isWithoutLinks(failure.code):
      // FAT and exFAT have no links: the look before has to do.
      guard unsafe access(target, F_OK) != 0 else { throw DurableFileError(what, errno: EEXIST, purpose: .write) }
      try SystemCall.check(what, .write) { unsafe rename(path, target) }
    case .failure(let failure): throw DurableFileError(what, errno: failure.code, purpose: .write)
    }
    try synchronize(path, target, what: what)
  }

  /// Puts `path` in the place of `target`, which keeps its bytes under the name `aside`. At no moment is there nothing
  /// at `target`, except on disks without hard links, where that is for as long as a rename takes. Blocks.
  /// - Parameter isExpected: asked about the file that has been put aside: what came to `target` a moment ago stays.
  /// - Throws: `DurableFileError`, also when `aside` is taken. Killed in the middle, or on an error, `target` has its
  ///   bytes still, or `aside` alone does.
  public static func exchange(
    _ path: String, for target: String, keeping aside: String, isExpected: (FileIdentity) -> Bool
  ) throws(DurableFileError) {
    let what = "cannot replace \(target)"
    switch SystemCall.attempt({ unsafe link(target, aside) }) {
    case .success: break
    case .failure(let failure) where isWithoutLinks(failure.code): try move(target, to: aside)
    case .failure(let failure): throw DurableFileError(what, errno: failure.code, purpose: .write)
    }
    try synchronize(target, aside, what: what)
    guard isExpected(try FileIdentity.of(aside)) else {
      throw .changed(what)
    }
    try replace(target, by: path)
  }

  /// Gives a file the name of another, which is gone then; in one step. Blocks.
  public static func replace(_ target: String, by path: String) throws(DurableFileError) {
    let what = "cannot replace \(target)"
    try SystemCall.check(what, .write) { unsafe rename(path, target) }
    try synchronize(path, target, what: what)
  }

  /// Whether two names lead to one file.
  public static func isSameFile(_ first: String, _ second: String) -> Bool {
    var (one, other) = (stat(), stat())
    guard unsafe lstat(first, &one) == 0, unsafe lstat(second, &other) == 0 else { return false }
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino
  }

  /// Whether files can be moved from one folder into the other; both exist.
  public static func areOnOneDisk(_ first: String, _ second: String) -> Bool {
    var (one, other) = (stat(), stat())
    guard unsafe stat(first, &one) == 0, unsafe stat(second, &other) == 0 else { return false }
    return one.st_dev == other.st_dev
  }

  /// Whether a name is taken, by whatever: also by a link that leads nowhere.
  public static func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  /// Whether a name is a symbolic link.
  public static func isLink(_ path: String) -> Bool {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return false }
    return status.st_mode & S_IFMT == S_IFLNK
  }

  private static func isWithoutLinks(_ code: Int32) -> Bool { [EPERM, ENOTSUP, ENOSYS, EMLINK].contains(code) }

  private static func synchronize(_ first: String, _ second: String, what: String) throws(DurableFileError) {
    let folders = [FilePathParts.folder(of: first), FilePathParts.folder(of: second)]
    try Folder.synchronize(folders[1], what: what)
    if folders[0] != folders[1] { try Folder.synchronize(folders[0], what: what) }
  }
}
