package import ClipModel
import DurableFiles

/// Room on the disk of a result: looked for before work that would be lost.
package enum DiskRoom {
  /// Blocks for a moment.
  /// - Parameters:
  ///   - byteCount: what the result may need.
  ///   - path: of the result; neither it nor its folder has to be there.
  ///   - operation: what needs the room: `write small/clip.mp4`.
  ///   - folder: whose disk it is, for people, unless `operation` names it.
  ///   - text: the error.
  /// - Throws: `ShareEngineError` of the category `inputOutput` when fewer bytes are free, `DurableFileError`.
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
