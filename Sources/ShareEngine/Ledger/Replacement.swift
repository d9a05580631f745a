import ClipModel
import DurableFiles
import Foundation

/// Replaces a source with its result and moves the source to the trash. The replacement either completes or has no
/// effect.
///
/// The source is moved to the trash first, and then the result is moved into place. At any time, the files on the disk
/// and the ledger entry that was written before the first step show how far the replacement has progressed.
struct Replacement: Sendable {
  enum Outcome: Equatable, Sendable {
    case completed
    /// The source is back at its original path.
    case reverted
    /// The source is in the trash, and an unrelated file is at the source's or the result's path.
    case displaced
  }

  let root: String
  let slot: Trash.Slot
  /// The result's path, relative to the root folder. It equals the source's path if the source is an MP4 file.
  let output: String

  private var source: String { "\(root)/\(slot.name)" }
  private var destination: String { "\(root)/\(output)" }
  private var trashed: String { Trash(root: root).absolutePath(of: slot) }

  /// The maximum length of a file name, in bytes. All common file systems use this limit.
  private static let maximumNameLength = 255

  /// Checks that a source can be replaced, before any other work starts. Blocks.
  static func requireReplaceableSource(_ item: BatchItem, root: String) throws {
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
  ///   - made: the path of the finished result. It must be on the same disk, because the file is moved.
  ///   - original: the source's identity at the time it was read. If a different file is now at the source's path, that
  ///     file is kept.
  /// - Throws: `DurableFileError`. After an error, call `completeOrRevertReplacement`.
  func replaceSource(with made: String, original: FileIdentity) throws(DurableFileError) {
    FileMove.copyOwner(of: source, to: made)
    try FileMove.move(source, to: trashed)
    // Check the file after the move, so that no process can swap the file between the check and the move.
    guard try FileIdentity.of(trashed).hasSameContent(as: original) else {
      try FileMove.move(trashed, to: source)
      throw .changedSinceRead(replacing: source)
    }
    try FileMove.move(made, to: destination)
  }

  /// Completes or reverts an interrupted replacement. Identifies files by their digests, not only by their names.
  /// Blocks until the operation has finished.
  /// - Parameter entry: the replacement's `made` entry in the ledger.
  /// - Throws: an error if the source cannot be moved back. In that case, both files are kept.
  func completeOrRevertReplacement(_ entry: LedgerEntry) throws -> Outcome {
    let trash = Trash(root: root)
    let isSamePath = slot.name == output
    let inTrash = try identifyContent(of: trashed, entry)
    let atSource = try identifyContent(of: source, entry)
    let result = isSamePath ? atSource : try identifyContent(of: destination, entry)
    switch (inTrash, result) {
    case (.original, .result): return .completed
    // The user has emptied the trash.
    case (.nothing, .result) where isSamePath || atSource == .nothing: return .completed
    case (.nothing, _): break
    case (.original, _) where atSource == .nothing: try trash.restoreSource(from: slot)
    // The source exists under two names, or the user restored a copy.
    case (.original, _) where atSource == .original: try DurableFile.remove(trashed)
    default: return .displaced
    }
    trash.removeEmptyFolders(of: slot)
    return .reverted
  }

  private enum FileContent {
    case nothing, original, result, other
  }

  private func identifyContent(of path: String, _ entry: LedgerEntry) throws -> FileContent {
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
