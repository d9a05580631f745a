import Foundation

/// A text file that only grows, a line at a time: what a crash cut off is a line of its own that readers pass over.
public struct LineLog: ~Copyable, Sendable {
  public let path: String
  private let file: OpenFile

  /// Opens the file at its end, and makes it if it is missing.
  /// - Throws: `DurableFileError`.
  public init(path: String, permissions: UInt16 = 0o644) throws(DurableFileError) {
    let what = FileOperation.write(path)
    var status = stat()
    if unsafe lstat(path, &status) == 0, status.st_nlink > 1 {
      // A copy of the folder by hard links (cp -al, snapshots): it keeps its own.
      try DurableFile.write(try DurableFile.read(path, limit: .max), to: path, permissions: permissions)
    }
    let file = try OpenFile(path, flags: O_RDWR | O_CREAT | O_APPEND, permissions: permissions, what: what, .write)
    let byteCount = try file.status(what: what, .write).st_size
    var last = [UInt8(ascii: "\n")]
    if byteCount > 0 {
      try SystemCall.check(what, .read) {
        unsafe last.withUnsafeMutableBytes { unsafe pread(file.descriptor, $0.baseAddress, 1, byteCount - 1) }
      }
    }
    if last != [UInt8(ascii: "\n")] { try Self.write("\n", to: file, what: what) }
    self.path = path
    self.file = file
  }

  /// Appends one line in one write, and returns when it is on the disk. Blocks.
  /// - Parameter line: without a line feed in it.
  public func append(_ line: String) throws(DurableFileError) {
    let what = FileOperation.write(path)
    try Self.write(line + "\n", to: file, what: what)
    try file.synchronize(what: what)
  }

  private static func write(
    _ text: String, to file: borrowing OpenFile, what: FileOperation
  ) throws(DurableFileError) {
    let bytes = Array(text.utf8)
    try unsafe bytes.span.bytes.withUnsafeBytes { buffer throws(DurableFileError) in
      try unsafe file.write(buffer, what: what)
    }
  }
}
