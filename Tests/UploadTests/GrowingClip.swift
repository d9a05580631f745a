import Foundation
import TestSupport
import Upload

/// The writer of a file that grows while it's uploaded. A new writer of the same file continues it, like a resumed encode.
final class GrowingClip: Sendable {
  let source: GrowingFileSource
  private let bytes: [UInt8]
  private let path: String

  /// - Parameter path: the file, whose bytes so far are final.
  init(_ bytes: [UInt8], at path: String) throws {
    if !FileManager.default.fileExists(atPath: path) { try Data().write(to: URL(filePath: path)) }
    (self.bytes, self.path) = (bytes, path)
    source = try GrowingFileSource(path: path)
    source.extend(to: Int64(try writtenCount))
  }

  var writtenCount: Int {
    get throws { (try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0 }
  }

  /// Appends bytes and reports them as final.
  func write(upTo end: Int) throws {
    let handle = try FileHandle(forWritingTo: URL(filePath: path))
    let start = Int(try handle.seekToEnd())
    guard start < end else { return }
    try handle.write(contentsOf: bytes[start..<end])
    try handle.close()
    source.extend(to: Int64(end))
  }

  func truncate(to count: Int) throws {
    let handle = try FileHandle(forWritingTo: URL(filePath: path))
    try handle.truncate(atOffset: UInt64(count))
    try handle.close()
  }
}
