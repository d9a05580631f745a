package import ClipModel
import DurableFiles

package enum DiskSpace {
  /// Checks the free space before work whose result would not fit on the disk. Blocks briefly.
  /// - Parameters:
  ///   - byteCount: the maximum size of the result in bytes.
  ///   - path: the path of the result. The file and its folder don't have to exist.
  ///   - operation: the operation, for the error: `write small/clip.mp4`.
  ///   - folder: the folder for the error, unless `operation` already contains it.
  ///   - text: the text of the error.
  /// - Throws: `ShareEngineError` in the category `inputOutput` if fewer bytes are free, `DurableFileError`.
  package static func require(
    _ byteCount: Int64, at path: String, operation: String, folder: String? = nil, text: ErrorText = .outputDiskFull
  ) throws {
    let free = try FreeSpace.bytes(at: path)
    guard free < byteCount else { return }
    throw ShareEngineError(
      text,
      [
        "operation": operation, "disk": folder.map { "the disk of \($0)" } ?? "its disk",
        "free": ByteCount.text(free), "needed": ByteCount.text(byteCount),
      ])
  }
}
