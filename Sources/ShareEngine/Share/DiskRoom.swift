import ClipModel
import DurableFiles

/// Room on the disk of a result: looked for before work that would be lost.
package enum DiskRoom {
  /// Blocks for a moment.
  /// - Parameters:
  ///   - byteCount: what the result may need.
  ///   - path: of the result; neither it nor its folder has to be there.
  ///   - what: what cannot be done without, as in `Explanation.what`.
  ///   - folder: where the room is wanted, for people, unless `what` says it.
  ///   - next: what to do once there is room.
  /// - Throws: `ShareEngineError` of the category `inputOutput` when fewer bytes are free, `DurableFileError`.
  package static func require(
    _ byteCount: Int64, at path: String, what: String, folder: String? = nil,
    next: String = "make room, then run the command again"
  ) throws {
    let free = try FreeSpace.bytes(at: path)
    guard free < byteCount else { return }
    throw ShareEngineError(
      what: what,
      why: "\(folder.map { "the disk of \($0)" } ?? "its disk") is full: \(ByteCount.text(free)) are free, "
        + "\(ByteCount.text(byteCount)) are needed",
      next: next, category: .inputOutput)
  }
}
