import ClipModel

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Names of files on one file system: given, moved and taken away so that they are on the disk when a call returns.
public enum FileMove {
  /// Moves a file to another name, whose folder exists. Blocks.
  /// - Throws: `DurableFileError`, also when something is there that has to stay.
  public static func move(_ path: String, to target: String, policy: ReplacePolicy) throws(DurableFileError) {
    let what = "cannot move \(path) to \(target)"
    switch policy {
    case .replace: try SystemCall.check(what, .write) { unsafe rename(path, target) }
    case .keepExisting:
      // A hard link refuses a name that is taken; where there are none, the look before has to do.
      switch SystemCall.attempt({ unsafe link(path, target) }) {
      case .success: try SystemCall.check(what, .write) { unsafe unlink(path) }
      case .failure(let failure) where isWithoutLinks(failure.code):
        guard unsafe access(target, F_OK) != 0 else { throw DurableFileError(what, errno: EEXIST, purpose: .write) }
        try SystemCall.check(what, .write) { unsafe rename(path, target) }
      case .failure(let failure): throw DurableFileError(what, errno: failure.code, purpose: .write)
      }
    }
    try synchronize(path, target, what: what)
  }

  /// Puts `path` in the place of `target`, which keeps its bytes under the name `aside`. At no moment is there nothing
  /// at `target`, except on file systems without hard links, where it is for as long as a rename takes. Blocks.
  /// - Throws: `DurableFileError`, also when `aside` is taken; then nothing was changed.
  public static func exchange(_ path: String, for target: String, keeping aside: String) throws(DurableFileError) {
    let what = "cannot replace \(target)"
    switch SystemCall.attempt({ unsafe link(target, aside) }) {
    case .success: break
    // A process that was killed came so far.
    case .failure(let failure) where failure.code == EEXIST && isSameFile(target, aside): break
    case .failure(let failure) where isWithoutLinks(failure.code): try move(target, to: aside, policy: .keepExisting)
    case .failure(let failure): throw DurableFileError(what, errno: failure.code, purpose: .write)
    }
    try synchronize(target, aside, what: what)
    try move(path, to: target, policy: .replace)
  }

  /// Whether two names lead to one file.
  public static func isSameFile(_ first: String, _ second: String) -> Bool {
    guard let one = try? FileIdentity.of(first), let other = try? FileIdentity.of(second) else { return false }
    return one.isSameFile(as: other)
  }

  private static func isWithoutLinks(_ code: Int32) -> Bool { [EPERM, ENOTSUP, ENOSYS, EMLINK].contains(code) }

  private static func synchronize(_ first: String, _ second: String, what: String) throws(DurableFileError) {
    let folders = [FilePathParts.folder(of: first), FilePathParts.folder(of: second)]
    try Folder.synchronize(folders[1], what: what)
    if folders[0] != folders[1] { try Folder.synchronize(folders[0], what: what) }
  }
}
