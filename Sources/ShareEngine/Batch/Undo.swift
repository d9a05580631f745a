public import ClipModel
import DurableFiles
import Foundation

/// Takes replacements back: sources where they were, results away.
public enum Undo {
  public enum Outcome: Sendable, Equatable {
    case restored
    /// The source is back; something else is worth a word.
    case restoredWith(note: String)
    /// Why not, and where the source is.
    case left(Explanation)
  }

  /// The latest first, so that a file that was replaced twice comes back as it was in the beginning. One that cannot
  /// be put back stops none of the others.
  /// - Parameters:
  ///   - root: the folder that was compressed, an absolute path.
  ///   - isWanted: asked with the name of each source in that folder.
  ///   - tell: called for each with its name.
  /// - Throws: `ShareEngineError` (locked), `DurableFileError` when nothing can be said of the folder;
  ///   `CancellationError`.
  public static func run(
    root: String, isWanted: @escaping @Sendable (String) -> Bool,
    tell: @escaping @Sendable (String, Outcome) -> Void
  ) async throws {
    let ledger = try Ledger(root: root, kind: .beside)
    let trash = Trash(root: root)
    try await WorkerThread.run("bsc undo") { flag in
      try ledger.settleReplacements()
      for place in try trash.places() where isWanted(place.name) {
        try flag.check()
        let outcome: Outcome
        do {
          outcome = try restore(place, trash, ledger) { try flag.check() }
        } catch let error as any ExplainedError {
          outcome = .left(error.explanation)
        }
        tell(place.name, outcome)
      }
      trash.removeEmpty()
    }
  }

  private static func restore(
    _ place: Trash.Place, _ trash: Trash, _ ledger: Ledger, check: () throws -> Void
  ) throws -> Outcome {
    let (aside, source) = (trash.absolutePath(of: place), "\(ledger.root)/\(place.name)")
    func left(_ why: String, _ next: String) -> Outcome {
      .left(
        Explanation(what: "cannot put back \(place.name)", why: why, next: next, category: .unjudged))
    }
    guard let entry = ledger.replacement(place.number), entry.source == place.name else {
      // A path says enough to put it back where nothing is.
      guard !FileMove.exists(source) else {
        return left("a file is there, and nobody remembers whose", "compare it with \(aside)")
      }
      try move(aside, to: source)
      trash.giveUp(place)
      return .restoredWith(note: "nobody remembers what was made of it: a result may be there still")
    }
    let digest = try ledger.digest(of: FileIdentity.of(aside)) ?? FileDigest.sha256(ofFileAt: aside, check: check)
    guard digest == entry.key.sha256 else {
      return left("it was changed in the trash", "look at \(aside)")
    }
    let result = "\(ledger.root)/\(entry.output)"
    let isOurs = try ledger.isIntact(entry) && FileDigest.sha256(ofFileAt: result, check: check) == entry.result?.sha256
    var outcome = Outcome.restored
    if entry.output == entry.source, isOurs {
      try FileMove.replace(source, by: aside)
    } else if FileMove.isSameFile(aside, source) {
      // An undo that was killed in the middle.
      try DurableFile.remove(aside)
    } else if FileMove.exists(source) {
      return left("another file is there now", "move that away, and undo again; the source is \(aside)")
    } else {
      // Whoever is killed here finds the source in the trash, and undoes again.
      if isOurs {
        try DurableFile.remove(result)
      } else if FileMove.exists(result) {
        outcome = .restoredWith(note: "\(entry.output) was changed since it was made, and stays")
      }
      try move(aside, to: source)
    }
    try Sidecar.takeBack(of: entry, root: ledger.root)
    var restored = entry
    restored.event = .restored
    try ledger.appendNow(restored)
    trash.giveUp(place)
    return outcome
  }

  private static func move(_ aside: String, to source: String) throws {
    try Folder.create((source as NSString).deletingLastPathComponent, permissions: 0o755)
    try FileMove.move(aside, to: source)
  }
}
