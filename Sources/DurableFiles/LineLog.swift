import Foundation

/// An append-only text file. If a crash leaves an incomplete line, the next line starts on a new line, and readers skip
/// the incomplete line.
public struct LineLog: ~Copyable, Sendable {
  private let file: OpenFile

  /// Opens a file for appending. Creates the file if it doesn't exist.
  /// - Throws: `DurableFileError`.
  public init(path: String) throws(DurableFileError) {
    if let status = SystemCall.status(of: path, followsLink: false), status.st_nlink > 1 {
      // The folder was copied with hard links (for example, by `cp -al` or a snapshot). Replace the file, so that the
      // copy doesn't change.
      try DurableFile.write(try DurableFile.read(path, limit: .max), to: path)
    }
    let file = try OpenFile(path, flags: O_RDWR | O_CREAT | O_APPEND, permissions: 0o644, for: .write(path))
    let byteCount = try file.status().st_size
    let newline = [UInt8(ascii: "\n")]
    var last = newline
    if byteCount > 0 { _ = try file.read(into: &last, at: Int64(byteCount) - 1) }
    if last != newline { try file.write(newline.span) }
    self.file = file
  }

  /// Appends a line in a single write. Blocks until the line has been written to the disk.
  /// - Parameter line: the text of the line, without line feeds.
  public func append(_ line: String) throws(DurableFileError) {
    let bytes = Array("\(line)\n".utf8)
    try file.write(bytes.span)
    try file.synchronize()
  }
}
