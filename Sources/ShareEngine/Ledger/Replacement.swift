import ClipModel
import DurableFiles
import Foundation

/// A result that takes its source's place, and the source that goes to the trash: carried out, or not at all.
///
/// First the source goes aside, then the result comes in. At every moment what is on the disk says how far it came, and
/// the ledger's line, written before, whose it is.
struct Replacement: Sendable {
  enum Outcome: Equatable, Sendable {
    case carriedOut
    /// The source is where it was.
    case takenBack
    /// The source is in the trash, and something else in the places of source or result.
    case displaced
  }

  let root: String
  let place: Trash.Place
  /// Of the result, relative to the root; the source's own when that is an MP4.
  let output: String

  private var source: String { "\(root)/\(place.name)" }
  private var destination: String { "\(root)/\(output)" }
  private var aside: String { Trash(root: root).absolutePath(of: place) }
  private var isSamePlace: Bool { place.name == output }

  init(root: String, place: Trash.Place, output: String) {
    self.root = root
    self.place = place
    self.output = output
  }

  /// Of a line in the ledger; `nil` for a result that replaced nothing.
  init?(_ entry: LedgerEntry, root: String) {
    guard let number = entry.trash else { return nil }
    self.init(root: root, place: Trash.Place(number: number, name: entry.source), output: entry.output)
  }

  /// Names have at most 255 bytes on every common file system.
  private static let longestName = 255

  /// Why a source cannot be replaced, told before any work is done. Blocks.
  static func check(_ item: BatchItem, root: String) throws {
    let folder = (item.path as NSString).deletingLastPathComponent
    if FileMove.isLink(item.path) {
      throw ShareEngineError(.replaceLink, ["file": item.shown])
    }
    guard (item.output as NSString).lastPathComponent.utf8.count <= longestName else {
      throw ShareEngineError(.replaceNameTooLong, ["file": item.shown])
    }
    let own = "\(root)/\(Ledger.folderName)"
    try Folder.create(own, permissions: 0o755)
    do {
      try FileMove.checkMoves(from: own, to: folder, named: UUID().uuidString)
    } catch {
      throw ShareEngineError(
        .replaceCannotSwap,
        ["file": item.shown, "root": root, "reason": error.explanation.why, "folder": folder])
    }
  }

  /// The result in, the source out. Blocks.
  /// - Parameters:
  ///   - made: the finished result, on the same disk; the name is gone afterwards.
  ///   - original: the source as it was read: any other file that is there by now stays.
  /// - Throws: `DurableFileError`; then `settle` puts everything right.
  func carryOut(_ made: String, original: FileIdentity) throws(DurableFileError) {
    FileMove.copyOwner(of: source, to: made)
    try FileMove.move(source, to: aside)
    // What was moved is looked at, not what had the name before: nobody can swap it in between. The inode is not: some
    // file systems in layers change it with the name.
    let moved = try FileIdentity.of(aside)
    guard moved.byteCount == original.byteCount, moved.modifiedNanoseconds == original.modifiedNanoseconds else {
      try FileMove.move(aside, to: source)
      throw .changed(replacing: source)
    }
    try FileMove.move(made, to: destination)
  }

  /// Ends what was begun and interrupted, by what is on the disk: told by digests, never by names alone. Blocks.
  /// - Parameter entry: the line that said `made`.
  /// - Throws: when a source cannot be put back; both stay as they are.
  func settle(_ entry: LedgerEntry) throws -> Outcome {
    let trash = Trash(root: root)
    let inTrash = try content(of: aside, entry)
    let there = try content(of: source, entry)
    let result = isSamePlace ? there : try content(of: destination, entry)
    switch (inTrash, result) {
    case (.original, .result): return .carriedOut
    // Somebody emptied the trash.
    case (.nothing, .result) where isSamePlace || there == .nothing: return .carriedOut
    case (.nothing, _): break
    case (.original, _) where there == .nothing:
      try Folder.create((source as NSString).deletingLastPathComponent, permissions: 0o755)
      try FileMove.move(aside, to: source)
    // Two names of one file, or a copy that somebody put back.
    case (.original, _) where there == .original: try DurableFile.remove(aside)
    default: return .displaced
    }
    trash.giveUp(place)
    return .takenBack
  }

  private enum Content {
    case nothing, original, result, other
  }

  private func content(of path: String, _ entry: LedgerEntry) throws -> Content {
    guard try FileMove.exists(path) else { return .nothing }
    guard !FileMove.isLink(path), let identity = try? FileIdentity.of(path) else { return .other }
    let sizes = [entry.identity.byteCount, entry.result?.byteCount]
    guard sizes.contains(identity.byteCount) else { return .other }
    switch try FileDigest.sha256(ofFileAt: path, check: {}) {
    case entry.key.sha256: return .original
    case entry.result?.sha256: return .result
    default: return .other
    }
  }
}
