import ClipModel
import DurableFiles
import Foundation

/// Replaces a source with its result and moves the source to the trash, either completely or not at all.
///
/// The source is moved away first, and then the result is moved into place. At any time, the files on the disk and the
/// ledger entry written before the first step show how far the replacement got.
struct Replacement: Sendable {
  enum Outcome: Equatable, Sendable {
    case completed
    /// The source is at its original path.
    case reverted
    /// The source is in the trash, and a different file is at the path of the source or the result.
    case displaced
  }

  let root: String
  let slot: Trash.Slot
  /// The path of the result relative to the root. It equals the source's path if the source is an MP4 file.
  let output: String

  private var source: String { "\(root)/\(slot.name)" }
  private var destination: String { "\(root)/\(output)" }
  private var trashed: String { Trash(root: root).absolutePath(of: slot) }

  /// Every common file system limits file names to 255 bytes.
  private static let maximumNameLength = 255

  /// Checks whether a source can be replaced, before any other work is done. Blocks.
  static func check(_ item: BatchItem, root: String) throws {
    let folder = (item.path as NSString).deletingLastPathComponent
    if FileMove.isLink(item.path) { throw ShareEngineError(.replaceLink, ["file": item.displayPath]) }
    guard (item.output as NSString).lastPathComponent.utf8.count <= maximumNameLength else {
      throw ShareEngineError(.replaceNameTooLong, ["file": item.displayPath])
    }
    let ledgerFolder = "\(root)/\(Ledger.folderName)"
    try Folder.create(ledgerFolder, permissions: 0o755)
    do {
      try FileMove.checkMoves(from: ledgerFolder, to: folder, named: UUID().uuidString)
    } catch {
      throw ShareEngineError(
        .replaceCannotSwap,
        ["file": item.displayPath, "root": root, "reason": error.explanation.why, "folder": folder])
    }
  }

  /// Moves the source to the trash and the result to its destination. Blocks.
  /// - Parameters:
  ///   - made: the finished result on the same disk, which this call moves.
  ///   - original: the identity of the source when it was read. If a different file has replaced it since then, that
  ///     file is kept.
  /// - Throws: `DurableFileError`. Call `recover` afterwards.
  func perform(_ made: String, original: FileIdentity) throws(DurableFileError) {
    FileMove.copyOwner(of: source, to: made)
    try FileMove.move(source, to: trashed)
    // Checks the file after the move, so that it cannot be swapped between the check and the move.
    guard try FileIdentity.of(trashed).hasSameContent(as: original) else {
      try FileMove.move(trashed, to: source)
      throw .changed(replacing: source)
    }
    try FileMove.move(made, to: destination)
  }

  /// Completes or reverts an interrupted replacement. Identifies the files by their digests and not only by their
  /// names. Blocks until the operation has finished.
  /// - Parameter entry: the `made` entry.
  /// - Throws: if the source cannot be moved back. In that case, both files are kept.
  func recover(_ entry: LedgerEntry) throws -> Outcome {
    let trash = Trash(root: root)
    let isSamePath = slot.name == output
    let inTrash = try content(of: trashed, entry)
    let atSource = try content(of: source, entry)
    let result = isSamePath ? atSource : try content(of: destination, entry)
    switch (inTrash, result) {
    case (.original, .result): return .completed
    // The user emptied the trash.
    case (.nothing, .result) where isSamePath || atSource == .nothing: return .completed
    case (.nothing, _): break
    case (.original, _) where atSource == .nothing: try trash.restore(slot)
    // The file has two names, or the user restored a copy.
    case (.original, _) where atSource == .original: try DurableFile.remove(trashed)
    default: return .displaced
    }
    trash.release(slot)
    return .reverted
  }

  private enum Content {
    case nothing, original, result, other
  }

  private func content(of path: String, _ entry: LedgerEntry) throws -> Content {
    guard try FileMove.exists(path) else { return .nothing }
    guard !FileMove.isLink(path), let byteCount = try? FileIdentity.of(path).byteCount,
      [entry.identity.byteCount, entry.result?.byteCount].contains(byteCount)
    else { return .other }
    switch try FileDigest.sha256(ofFileAt: path, check: {}) {
    case entry.key.sha256: return .original
    case entry.result?.sha256: return .result
    default: return .other
    }
  }
}
