import ClipModel
import DurableFiles
import Foundation

/// A result that takes its source's place, and the source that goes to the trash: carried out, or not at all.
///
/// What is on the disk says how far it came, at every moment; the ledger's line, written before, says whose it is.
struct Replacement: Sendable {
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

  /// Why a source cannot be replaced, told before any work is done. Blocks.
  static func check(_ item: BatchItem, root: String) throws {
    let folder = (item.path as NSString).deletingLastPathComponent
    let what = "cannot replace \(item.shown)"
    if FileMove.isLink(item.path) {
      throw ShareEngineError(
        what: what, why: "it is a symbolic link", next: "name the file that it leads to", category: .unjudged)
    }
    try Folder.create("\(root)/\(Ledger.folderName)", permissions: 0o755)
    guard FileMove.areOnOneDisk(folder, "\(root)/\(Ledger.folderName)") else {
      throw ShareEngineError(
        what: what, why: "it is on another disk than \(root), where its trash is",
        next: "name the folder of that disk: bsc compress --replace \(folder)", category: .unjudged)
    }
    guard FileManager.default.isWritableFile(atPath: folder) else {
      throw ShareEngineError(
        what: what, why: "\(folder) may not be written to", next: "check the owner and the permissions (ls -l)",
        category: .inputOutput)
    }
  }

  /// The result in, the source out. Blocks.
  /// - Parameters:
  ///   - made: the finished result, on the same disk; the name is gone afterwards.
  ///   - original: the source as it was read: any other file that is there by now stays.
  /// - Throws: `DurableFileError`; then `settle` puts everything back.
  func carryOut(_ made: String, original: FileIdentity) throws(DurableFileError) {
    if isSamePlace {
      try FileMove.exchange(made, for: source, keeping: aside) { $0 == original }
    } else {
      try FileMove.move(made, to: destination)
      guard try FileIdentity.of(source) == original else { throw DurableFileError.changed("cannot replace \(source)") }
      try FileMove.move(source, to: aside)
    }
  }

  /// Ends what was begun and interrupted: forward when only the last step is missing, else back. Blocks.
  /// - Parameters:
  ///   - entry: the line that said `made`.
  ///   - digest: of a file.
  /// - Returns: whether the source is in the trash.
  func settle(_ entry: LedgerEntry) throws -> Bool {
    let files = FileManager.default
    func isThere(_ path: String) -> Bool { files.fileExists(atPath: path) }
    guard isThere(aside) else {
      defer { Trash(root: root).giveUp(place) }
      // Only the result came to its place.
      guard !isSamePlace, isThere(source), let result = try? FileIdentity.of(destination), entry.isResult(result),
        !FileMove.isSameFile(source, destination)
      else { return false }
      if let now = try? FileIdentity.of(source), now == entry.identity {
        try Folder.create((aside as NSString).deletingLastPathComponent, permissions: 0o755)
        try FileMove.move(source, to: aside)
        return true
      }
      // The source became another one: it has to be looked at again, and this result is of nothing that is there.
      try DurableFile.remove(destination)
      return false
    }
    if !isThere(source), isSamePlace {
      // Without hard links there is a moment at which nothing is in the place.
      try FileMove.move(aside, to: source)
    } else if FileMove.isSameFile(aside, source) {
      if !isSamePlace, let result = try? FileIdentity.of(destination), entry.isResult(result) {
        // Both names of the source: the old one is what is left to take away.
        try DurableFile.remove(source)
        return true
      }
      try DurableFile.remove(aside)
    } else {
      return true
    }
    Trash(root: root).giveUp(place)
    return false
  }
}
