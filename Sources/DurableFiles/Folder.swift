import ClipModel
import Foundation

/// Creates, lists, synchronizes and removes folders.
public enum Folder {
  /// Returns whether the path is a folder, or a symbolic link to a folder.
  public static func exists(_ path: String) -> Bool {
    SystemCall.status(of: path, followsLink: true).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
  }

  /// Creates a folder and its missing parents. An existing folder isn't changed.
  /// - Parameter permissions: the permissions of each created folder. The default is 0700, because state and secrets
  ///   are private.
  public static func create(_ path: String, permissions: UInt16 = 0o700) throws(DurableFileError) {
    var partial = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      partial += part
      // Some systems report a different error than EEXIST if the folder exists.
      if case .failure(let failure) = SystemCall.attempt({ unsafe mkdir(partial, mode_t(permissions)) }),
        !exists(partial)
      {
        guard failure.code == EEXIST else { throw DurableFileError(.createFolder(path), errno: failure.code) }
        throw DurableFileError(
          "file.not-a-folder", .createFolder(path), why: "\(partial) exists and is not a folder",
          facts: ["path": partial], .inputOutput, code: EEXIST)
      }
      partial += "/"
    }
  }

  /// Creates a folder in an existing parent folder. Returns `false` if the name already exists.
  public static func createExclusively(_ path: String, permissions: UInt16) throws(DurableFileError) -> Bool {
    try SystemCall.check(.createFolder(path), tolerating: [EEXIST]) { unsafe mkdir(path, mode_t(permissions)) } != nil
  }

  /// Removes a folder if it is empty. Returns whether the folder was removed.
  @discardableResult
  public static func removeIfEmpty(_ path: String) -> Bool { unsafe rmdir(path) == 0 }

  /// Removes a folder and its contents, if it exists. Symbolic links aren't followed.
  public static func remove(_ path: String) throws(DurableFileError) {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      let cocoa = error as? CocoaError
      if cocoa?.code == .fileNoSuchFile { return }
      let posix = cocoa?.underlying as? POSIXError
      throw DurableFileError(.remove(path), errno: posix?.code.rawValue ?? EIO)
    }
  }

  /// Writes the folder's created and removed names to the disk. Blocks until they are durable.
  static func synchronize(_ path: String, for operation: FileOperation) throws(DurableFileError) {
    // A folder can be writable without being readable. In that case, the file system decides when the names become
    // durable.
    guard let folder = try? OpenFile(path, flags: O_RDONLY | O_DIRECTORY, for: operation) else { return }
    // Network and user-space file systems may not support fsync for folders.
    try SystemCall.check(operation, tolerating: [EINVAL, ENOTSUP, ENOSYS, EBADF]) { fsync(folder.descriptor) }
  }

  /// Returns the path, or its nearest existing parent if the path doesn't exist.
  static func nearestExistingFolder(_ path: String) -> String {
    var candidate = path.isEmpty ? "." : path
    while unsafe access(candidate, F_OK) != 0 {
      let parent = FilePathParts.folder(of: candidate)
      if parent == candidate { break }
      candidate = parent
    }
    return candidate
  }
}
