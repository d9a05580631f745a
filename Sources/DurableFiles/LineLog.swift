import Foundation

/// An append-only text file. An incomplete line left by a crash stays on its own line, which readers skip.
public struct LineLog: ~Copyable, Sendable {
  private let file: OpenFile

  /// Opens the file for appending, or creates it.
  /// - Throws: `DurableFileError`.
  public init(path: String) throws(DurableFileError) {
    if let status = SystemCall.status(of: path, followsLink: false), status.st_nlink > 1 {
      // The folder was copied with hard links (cp -al, snapshots). The copy must not change.
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

  /// Appends a line in one write, and returns when it is on the disk. Blocks.
  /// - Parameter line: text without line feeds.
  public func append(_ line: String) throws(DurableFileError) {
    let bytes = Array("\(line)\n".utf8)
    try file.write(bytes.span)
    try file.synchronize()
  }
}
