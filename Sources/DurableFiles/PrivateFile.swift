import ClipModel
public import Foundation

/// Files that only this user may read: kept with 0600 in a folder of 0700, and not trusted when they are wider.
public enum PrivateFile {
  /// Creates or replaces the file, and creates its folder (0700) when that is missing. Blocks.
  /// - Throws: `DurableFileError`; `notConfigured` when the folder is open to others.
  public static func write(_ bytes: some ContiguousBytes, to path: String) throws(DurableFileError) {
    let folder = FilePathParts.folder(of: path)
    try Folder.create(folder)
    try checkFolder(folder, what: .write(path))
    try DurableFile.write(bytes, to: path, permissions: 0o600)
  }

  /// The whole file, or `nil` when there is none. A symbolic link is refused. Blocks.
  /// - Parameters:
  ///   - limit: in bytes.
  ///   - isInPrivateFolder: false for a file at a path of the user's choice: its folder may have any owner.
  /// - Throws: `DurableFileError`; `notConfigured` when file or folder is open to others or belongs to another user.
  public static func read(
    _ path: String, limit: Int, isInPrivateFolder: Bool = true
  ) throws(DurableFileError) -> Data? {
    let what = FileOperation.read(path)
    do throws(DurableFileError) {
      // Not blocking, in case it is a pipe.
      let file = try OpenFile(path, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK, what: what, .read)
      if isInPrivateFolder { try checkFolder(FilePathParts.folder(of: path), what: what) }
      // What is open is checked, not what has the name: it cannot be swapped in between.
      try check(try file.status(what: what, .read), of: path, permissions: "600", what: what)
      return try file.contents(limit: limit, what: what)
    } catch  where error.code == ENOENT {
      return nil
    }
  }

  private static func checkFolder(_ folder: String, what: FileOperation) throws(DurableFileError) {
    let file = try OpenFile(folder, flags: O_RDONLY | O_DIRECTORY, what: what, .read)
    try check(try file.status(what: what, .read), of: folder, permissions: "700", what: what)
  }

  private static func check(
    _ status: stat, of path: String, permissions: String, what: FileOperation
  ) throws(DurableFileError) {
    guard status.st_uid == geteuid() else {
      throw DurableFileError(
        "file.foreign-owner", what, why: "\(path) belongs to another user", .notConfigured)
    }
    let mode = status.st_mode & 0o777
    guard mode & 0o077 == 0 else {
      throw DurableFileError(
        "file.not-private", what, why: "other users may read \(path) (mode 0\(String(mode, radix: 8)))",
        facts: ["permissions": permissions, "path": path], .notConfigured)
    }
  }
}
