import ClipModel
import Foundation

/// Folders: made with their parents, removed with what is in them.
public enum Folder {
  /// Creates the folder and the parents that are missing; one that exists stays as it is.
  /// - Parameter permissions: of every folder made; 0700 because state and secrets concern one user only.
  public static func create(_ path: String, permissions: UInt16 = 0o700) throws(DurableFileError) {
    let what = FileOperation("create the folder", path)
    var partial = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      partial += part
      switch SystemCall.attempt({ unsafe mkdir(partial, mode_t(permissions)) }) {
      case .success: break
      // Some systems answer for an existing folder with what else is wrong with making it.
      case .failure(let failure):
        if !isFolder(partial) { throw creationError(what, partial, failure.code) }
      }
      partial += "/"
    }
  }

  /// Makes the folder exclusively: `false` when it is there. Its parent is there.
  public static func claim(_ path: String, permissions: UInt16 = 0o700) throws(DurableFileError) -> Bool {
    switch SystemCall.attempt({ unsafe mkdir(path, mode_t(permissions)) }) {
    case .success: return true
    case .failure(let failure) where failure.code == EEXIST: return false
    case .failure(let failure): throw creationError(FileOperation("create the folder", path), path, failure.code)
    }
  }

  /// Removes the folder when nothing is in it.
  @discardableResult
  public static func removeEmpty(_ path: String) -> Bool { unsafe rmdir(path) == 0 }

  /// Removes the folder with everything in it; one that is not there is fine. Symbolic links are not followed.
  public static func remove(_ path: String) throws(DurableFileError) {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      let cocoa = error as? CocoaError
      if cocoa?.code == .fileNoSuchFile { return }
      let posix = cocoa?.underlying as? POSIXError
      throw DurableFileError(.remove(path), errno: posix?.code.rawValue ?? EIO, purpose: .write)
    }
  }

  /// Names of the entries, sorted, without `.` and `..`.
  public static func names(in path: String) throws(DurableFileError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    } catch {
      let cocoa = error as? CocoaError
      let posix = (cocoa?.underlying as? POSIXError)?.code.rawValue
      let code = posix ?? (cocoa?.code == .fileReadNoSuchFile ? ENOENT : EIO)
      throw DurableFileError(.list(path), errno: code, purpose: .read)
    }
  }

  /// New and removed names in the folder are on the disk when this returns. Blocks.
  static func synchronize(_ path: String, what: FileOperation) throws(DurableFileError) {
    switch SystemCall.attempt({ unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }) {
    // A folder may be writable and not readable; then the file system alone decides when the name is durable.
    case .failure: return
    case .success(let descriptor):
      defer { _ = close(descriptor) }
      // Network and user-space file systems may have no such operation for folders.
      try SystemCall.check(what, .write, tolerating: [EINVAL, ENOTSUP, ENOSYS, EBADF]) { fsync(descriptor) }
    }
  }

  /// The path itself, or the nearest parent that exists: what a file system question about a path to be can ask.
  static func nearestExisting(_ path: String) -> String {
    var candidate = path.isEmpty ? "." : path
    while unsafe access(candidate, F_OK) != 0 {
      let parent = FilePathParts.folder(of: candidate)
      if parent == candidate { break }
      candidate = parent
    }
    return candidate
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func creationError(_ what: FileOperation, _ place: String, _ code: Int32) -> DurableFileError {
    guard code == EEXIST else { return DurableFileError(what, errno: code, purpose: .write) }
    return DurableFileError(
      "file.not-a-folder", what, why: "\(place) exists and is not a folder", facts: ["path": place], .inputOutput,
      code: code)
  }
}
