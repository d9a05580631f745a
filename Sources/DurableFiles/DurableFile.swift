public import ClipModel
public import Foundation

/// Reads and writes small files atomically. After a crash, a file has either its old or its new contents.
public enum DurableFile {
  /// Creates or replaces the file at `path`. Blocks until the bytes have been written to the disk.
  /// - Parameter permissions: the permissions of the file, before the process's umask is applied.
  public static func write(
    _ bytes: some Sequence<UInt8>, to path: String, permissions: UInt16 = 0o644, policy: ReplacePolicy = .replace
  ) throws(DurableFileError) {
    let staged = try StagedFile(for: path, permissions: permissions)
    try staged.append(Array(bytes))
    try staged.commit(replacing: policy)
  }

  /// Reads the entire file. Blocks until all bytes have been read.
  /// - Parameter limit: the maximum size in bytes. If the file is larger, an error with the category `unjudged` is
  ///   thrown, to limit memory use.
  public static func read(_ path: String, limit: Int) throws(DurableFileError) -> Data {
    try OpenFile(reading: path).contents(of: path, limit: limit)
  }

  /// Reads the entire file in the same way as `read(_:limit:)`, but returns `nil` if the file doesn't exist.
  public static func readIfPresent(_ path: String, limit: Int) throws(DurableFileError) -> Data? {
    do throws(DurableFileError) {
      return try read(path, limit: limit)
    } catch  where error.code == ENOENT {
      return nil
    }
  }

  /// Removes the file at `path` if it exists.
  public static func remove(_ path: String) throws(DurableFileError) {
    if try SystemCall.check(.remove(path), tolerating: [ENOENT], { unsafe unlink(path) }) != nil {
      try Folder.synchronize(FilePathParts.folder(of: path), for: .remove(path))
    }
  }
}

extension OpenFile {
  /// Reads the entire file, which must not be larger than `limit` bytes.
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
