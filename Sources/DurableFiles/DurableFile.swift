public import ClipModel
public import Foundation

/// Whole small files: written so that a crash leaves the old or the new content, read with a limit.
public enum DurableFile {
  /// Replaces the file at `path`, or creates it, with exactly these bytes. Blocks until they are on the disk.
  /// - Parameter permissions: of the file, narrowed by the process's umask.
  public static func write(
    _ bytes: some ContiguousBytes, to path: String, permissions: UInt16 = 0o644, policy: ReplacePolicy = .replace
  ) throws(DurableFileError) {
    let staged = try StagedFile(for: path, permissions: permissions)
    let result: Result<Void, DurableFileError> = unsafe bytes.withUnsafeBytes { buffer in
      do throws(DurableFileError) {
        return .success(try unsafe staged.write(buffer))
      } catch {
        return .failure(error)
      }
    }
    try result.get()
    try staged.commit(replacing: policy)
  }

  /// The whole file. Blocks.
  /// - Parameter limit: in bytes; a bigger file is refused (`unjudged`), so that no wrong file fills the memory.
  public static func read(_ path: String, limit: Int) throws(DurableFileError) -> Data {
    let what = FileOperation.read(path)
    _ = try FileIdentity.of(path)
    let file = try OpenFile(path, flags: O_RDONLY, what: what, .read)
    return try file.contents(limit: limit, what: what)
  }

  /// As `read`, `nil` when there is no such file.
  public static func readIfPresent(_ path: String, limit: Int) throws(DurableFileError) -> Data? {
    do throws(DurableFileError) {
      return try read(path, limit: limit)
    } catch  where error.code == ENOENT {
      return nil
    }
  }

  /// Removes the file; one that is not there is fine.
  public static func remove(_ path: String) throws(DurableFileError) {
    let what = FileOperation.remove(path)
    if try SystemCall.check(what, .write, tolerating: [ENOENT], { unsafe unlink(path) }) != nil {
      try Folder.synchronize(FilePathParts.folder(of: path), what: what)
    }
  }
}

extension OpenFile {
  /// Everything from the file's position on, at most `limit` bytes.
  func contents(limit: Int, what: FileOperation) throws(DurableFileError) -> Data {
    var bytes = [UInt8]()
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = try buffer.fill(from: self, what: what)
      if count == 0 { return Data(bytes) }
      bytes += buffer[..<count]
      guard bytes.count <= limit else {
        throw DurableFileError("file.too-big", what, why: "it is bigger than \(limit) bytes", .unjudged)
      }
    }
  }
}

extension [UInt8] {
  /// Fills the array from the file's position; returns how many bytes came, fewer than `count` only at the end.
  mutating func fill(from file: borrowing OpenFile, what: FileOperation) throws(DurableFileError) -> Int {
    var span = mutableSpan
    return try unsafe span.withUnsafeMutableBytes { buffer throws(DurableFileError) in
      try unsafe file.read(into: buffer, what: what)
    }
  }
}
