import ClipModel
public import Foundation

/// Files that only this user may read: mode 0600, in a folder with mode 0700. Files with wider permissions are
/// rejected.
public enum PrivateFile {
  /// Creates or replaces the file, and creates its folder (0700) when it is missing. Blocks.
  /// - Throws: `DurableFileError`; `notConfigured` when other users can access the folder.
  public static func write(_ bytes: some Sequence<UInt8>, to path: String) throws(DurableFileError) {
    let folder = FilePathParts.folder(of: path)
    try Folder.create(folder)
    try checkFolder(folder, for: .write(path))
    try DurableFile.write(bytes, to: path, permissions: 0o600)
  }

  /// Reads the whole file; `nil` when it does not exist. A symbolic link is rejected. Blocks.
  /// - Parameters:
  ///   - limit: the maximum size in bytes.
  ///   - isInPrivateFolder: `false` for a path chosen by the user, whose folder may have any owner.
  /// - Throws: `DurableFileError`; `notConfigured` when other users can access the file or its folder, or when another
  ///   user owns one of them.
  public static func read(
    _ path: String, limit: Int, isInPrivateFolder: Bool = true
  ) throws(DurableFileError) -> Data? {
    do throws(DurableFileError) {
      // Uses O_NONBLOCK in case the file is a pipe.
      let file = try OpenFile(path, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK, for: .read(path))
      if isInPrivateFolder { try checkFolder(FilePathParts.folder(of: path), for: .read(path)) }
      // Checks the open file, not the path: the file cannot be swapped between check and read.
      try check(try file.status(), of: path, permissions: "600", for: .read(path))
      return try file.contents(of: path, limit: limit)
    } catch  where error.code == ENOENT {
      return nil
    }
  }

  private static func checkFolder(_ folder: String, for operation: FileOperation) throws(DurableFileError) {
    let file = try OpenFile(folder, flags: O_RDONLY | O_DIRECTORY, for: operation)
    try check(try file.status(), of: folder, permissions: "700", for: operation)
  }

  private static func check(
    _ status: stat, of path: String, permissions: String, for operation: FileOperation
  ) throws(DurableFileError) {
    guard status.st_uid == geteuid() else {
      throw DurableFileError("file.foreign-owner", operation, why: "\(path) belongs to another user", .notConfigured)
    }
    guard status.st_mode & 0o077 == 0 else {
      throw DurableFileError(
        "file.not-private", operation,
        why: "other users may read \(path) (mode 0\(String(status.st_mode & 0o777, radix: 8)))",
        facts: ["permissions": permissions, "path": path], .notConfigured)
    }
  }
}
