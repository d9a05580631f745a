import ClipModel
import DurableFiles
import Foundation

/// A result that takes its source's place: the source goes to the trash of the ledger's folder, never away.
struct Replacement: Sendable {
  /// Where the result is made: on the same disk as the source, and hidden.
  let workPath: String
  /// Where the source goes, relative to the ledger's folder.
  let trash: String
  private let item: BatchItem
  private let root: String

  private static let trashFolder = "\(Ledger.folderName)/trash"

  init(of item: BatchItem, in root: String) {
    self.item = item
    self.root = root
    let number = UInt32.random(in: .min ... .max)
    workPath = "\(root)/\(Ledger.folderName)/work/\(number).mp4"
    // A file may be replaced more than once: each time under a name of its own.
    let stem = (item.name as NSString).deletingPathExtension
    let ending = (item.name as NSString).pathExtension
    let plain = "\(Self.trashFolder)/\(item.name)"
    let isTaken =
      FileManager.default.fileExists(atPath: "\(root)/\(plain)")
      && !FileMove.isSameFile(item.path, "\(root)/\(plain)")
    trash = isTaken ? "\(Self.trashFolder)/\(stem)-\(String(number, radix: 16)).\(ending)" : plain
  }

  /// Makes the folders. Files of runs that were killed go.
  func prepare() throws {
    let work = (workPath as NSString).deletingLastPathComponent
    try Folder.create(work, permissions: 0o755)
    try Folder.create(("\(root)/\(trash)" as NSString).deletingLastPathComponent, permissions: 0o755)
  }

  /// Tells the ledger of replacements that were carried out by a process that died before it could.
  static func tellFinished(in ledger: Ledger) async throws {
    for entry in ledger.replacements() where entry.event == .began {
      guard let trash = entry.trash else { continue }
      let (aside, result) = ("\(ledger.root)/\(trash)", "\(ledger.root)/\(entry.output)")
      let isOut =
        entry.source == entry.output || !FileManager.default.fileExists(atPath: "\(ledger.root)/\(entry.source)")
      guard isOut, let source = try? FileIdentity.of(aside), let identity = try? FileIdentity.of(result),
        !identity.isSameFile(as: source)
      else { continue }
      var done = entry
      done.event = .done
      done.result = LedgerEntry.Result(
        byteCount: identity.byteCount, modifiedNanoseconds: identity.modifiedNanoseconds,
        sha256: try await FileDigest.sha256(path: result), sourceByteCount: source.byteCount, decisions: [],
        removed: [], notes: ["an interrupted run made it"])
      try await ledger.append(done)
    }
  }

  /// The result in, the source out. Blocks.
  /// - Parameter policy: for another file that is where the result goes.
  func carryOut(_ policy: ReplacePolicy) throws(DurableFileError) {
    let aside = "\(root)/\(trash)"
    if item.destination == item.path {
      try FileMove.exchange(workPath, for: item.path, keeping: aside)
    } else {
      try FileMove.move(workPath, to: item.destination, policy: policy)
      try FileMove.move(item.path, to: aside, policy: .keepExisting)
    }
  }
}

/// Takes replacements back: the sources where they were, the results away.
public enum Undo {
  public enum Outcome: Sendable, Equatable {
    case restored
    /// Why not, for people.
    case left(String)
  }

  /// - Parameters:
  ///   - root: the folder that was compressed, an absolute path.
  ///   - tell: called for each source with its name in that folder.
  /// - Throws: `ShareEngineError`, `DurableFileError`.
  public static func run(root: String, tell: (String, Outcome) -> Void) async throws {
    let ledger = try Ledger(root: root, kind: .beside)
    try await Replacement.tellFinished(in: ledger)
    for entry in ledger.replacements() {
      try Task.checkCancellation()
      guard let trash = entry.trash else { continue }
      let (aside, source) = ("\(root)/\(trash)", "\(root)/\(entry.source)")
      let result = "\(root)/\(entry.output)"
      guard FileManager.default.fileExists(atPath: aside) else {
        // A run that was killed before it came to that, or a trash that was emptied.
        if entry.event == .done { tell(entry.source, .left("its source is no longer in the trash")) }
        continue
      }
      let isSamePlace = entry.source == entry.output
      if FileMove.isSameFile(aside, source) {
        // Killed before the result took the name: the source never left.
        try DurableFile.remove(aside)
        continue
      }
      let isTaken = FileManager.default.fileExists(atPath: source) && !(isSamePlace && ledger.isIntact(entry))
      guard !isTaken else {
        tell(entry.source, .left("another file is there now"))
        continue
      }
      try Folder.create((source as NSString).deletingLastPathComponent, permissions: 0o755)
      try await WorkerThread.run("bsc undo") { _ in
        try FileMove.move(aside, to: source, policy: isSamePlace ? .replace : .keepExisting)
      }
      var outcome = Outcome.restored
      if !isSamePlace, FileManager.default.fileExists(atPath: result) {
        if ledger.isIntact(entry) {
          try DurableFile.remove(result)
        } else if entry.event == .done {
          outcome = .left("the source is back; \(entry.output) was changed since, and stays")
        }
      }
      var restored = entry
      restored.event = .restored
      restored.at = Int64(Date().timeIntervalSince1970)
      restored.result = nil
      restored.trash = nil
      try await ledger.append(restored)
      tell(entry.source, outcome)
    }
  }
}
