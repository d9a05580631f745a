public import ClipModel
public import Foundation

/// Reads and writes small files as a whole. After a crash, a file has either its old or its new content.
public enum DurableFile {
  /// Creates the file at `path` with these bytes, or replaces it. Blocks until the bytes are on the disk.
  /// - Parameter permissions: the permissions of the file, restricted by the process's umask.
  public static func write(
    _ bytes: some Sequence<UInt8>, to path: String, permissions: UInt16 = 0o644, policy: ReplacePolicy = .replace
  ) throws(DurableFileError) {
    let staged = try StagedFile(for: path, permissions: permissions)
    try staged.append(Array(bytes))
    try staged.commit(replacing: policy)
  }

  /// Reads the whole file. Blocks.
  /// - Parameter limit: the maximum size in bytes. A larger file is rejected (`unjudged`) to save memory.
  public static func read(_ path: String, limit: Int) throws(DurableFileError) -> Data {
    try OpenFile(reading: path).contents(of: path, limit: limit)
  }

  /// Like `read(_:limit:)`, but returns `nil` when there is no such file.
  public static func readIfPresent(_ path: String, limit: Int) throws(DurableFileError) -> Data? {
    do throws(DurableFileError) {
      return try read(path, limit: limit)
    } catch  where error.code == ENOENT {
      return nil
    }
  }

  /// Removes the file if it exists.
  public static func remove(_ path: String) throws(DurableFileError) {
    if try SystemCall.check(.remove(path), tolerating: [ENOENT], { unsafe unlink(path) }) != nil {
      try Folder.synchronize(FilePathParts.folder(of: path), for: .remove(path))
    }
  }
}

extension OpenFile {
  /// Reads the whole file, up to `limit` bytes.
  func contents(of path: String, limit: Int) throws(DurableFileError) -> Data {
    var bytes = Data()
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while case let count = try read(into: &buffer, at: Int64(bytes.count)), count > 0 {
      bytes += buffer[..<count]
      guard bytes.count <= limit else {
        throw DurableFileError("file.too-big", .read(path), why: "it is larger than \(limit) bytes", .unjudged)
      }
    }
    return bytes
  }
}
