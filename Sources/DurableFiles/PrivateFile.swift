import ClipModel
public import Foundation

/// Reads and writes files that only this user may read. The files have mode 0600, and their folder has mode 0700. Files
/// with wider permissions are rejected.
public enum PrivateFile {
  /// Creates or replaces a file, and creates its folder with mode 0700 if the folder is missing. Blocks the calling
  /// thread.
  /// - Throws: `DurableFileError`, with the category `notConfigured` if other users can access the folder.
  public static func write(_ bytes: some Sequence<UInt8>, to path: String) throws(DurableFileError) {
    let folder = FilePathParts.folder(of: path)
    try Folder.create(folder)
    try checkFolder(folder, for: .write(path))
    try DurableFile.write(bytes, to: path, permissions: 0o600)
  }

  /// Reads the entire file, or returns `nil` if the file doesn't exist. Symbolic links are rejected. Blocks the calling
  /// thread.
  /// - Parameters:
  ///   - limit: the maximum size in bytes.
  ///   - isInPrivateFolder: `false` if the user chose the path, because its folder may then have any owner.
  /// - Throws: `DurableFileError`, with the category `notConfigured` if other users can access the file or its folder,
  ///   or if a different user owns the file or its folder.
  public static func read(
    _ path: String, limit: Int, isInPrivateFolder: Bool = true
  ) throws(DurableFileError) -> Data? {
    do throws(DurableFileError) {
      // Use O_NONBLOCK in case the file is a pipe.
      let file = try OpenFile(path, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK, for: .read(path))
      if isInPrivateFolder { try checkFolder(FilePathParts.folder(of: path), for: .read(path)) }
      // Check the open file instead of the path, so that the file cannot be replaced between the check and the read.
      try checkAccess(try file.status(), of: path, permissions: "600", for: .read(path))
      return try file.contents(of: path, limit: limit)
    } catch  where error.code == ENOENT {
      return nil
    }
  }

  private static func checkFolder(_ folder: String, for operation: FileOperation) throws(DurableFileError) {
    let file = try OpenFile(folder, flags: O_RDONLY | O_DIRECTORY, for: operation)
    try checkAccess(try file.status(), of: folder, permissions: "700", for: operation)
  }

  private static func checkAccess(
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
