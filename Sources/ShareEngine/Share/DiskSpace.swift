package import ClipModel
import DurableFiles

package enum DiskSpace {
  /// Checks whether the disk has enough free space for a result. Call it before the work starts. Blocks briefly.
  /// - Parameters:
  ///   - byteCount: the maximum size of the result in bytes.
  ///   - path: the path of the result. The file and its folder don't have to exist.
  ///   - operation: the operation for the error message, for example `write small/clip.mp4`.
  ///   - folder: the folder for the error message, unless `operation` already contains it.
  ///   - text: the error's ID and text.
  /// - Throws: `ShareEngineError` in the category `inputOutput` if fewer bytes are free, or `DurableFileError` if the
  ///   free space cannot be determined.
  package static func requireFreeSpace(
    _ byteCount: Int64, at path: String, operation: String, folder: String? = nil, text: ErrorText = .outputDiskFull
  ) throws {
    let free = try FreeSpace.availableBytes(at: path)
    guard free < byteCount else { return }
    throw ShareEngineError(
      text,
      [
        "operation": operation, "disk": folder.map { "the disk that contains \($0)" } ?? "its disk",
        "free": ByteCount.text(free), "needed": ByteCount.text(byteCount),
      ])
  }
}
