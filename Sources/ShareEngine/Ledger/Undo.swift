package import ClipModel
import DurableFiles
import Foundation

/// Takes replacements back: sources where they were, results away.
package struct Undo: Sendable {
  package enum Outcome: Sendable, Equatable {
    case restored
    /// The source is back; something else is worth a word.
    case restoredWith(note: String)
    /// Why not, and where the source is.
    case left(Explanation)
  }

  private let ledger: Ledger
  private let trash: Trash

  /// - Parameters:
  ///   - root: the folder that was compressed, an absolute path.
  ///   - name: as it was named.
  /// - Throws: `ShareEngineError` when nothing was replaced in this folder.
  package static func check(root: String, named name: String) throws {
    guard Ledger.exists(in: root, kind: .beside) || Ledger.hasReplacements(in: root) else {
      let outer = OutputTargets.outerTrash(of: root)
      throw ShareEngineError(
        outer == nil ? .nothingReplaced : .undoAbove,
        ["folder": name, "parent": outer, "inside": outer.map { String(root.dropFirst($0.count + 1)) }])
    }
  }

  /// The latest first. One that cannot be put back stops none of the others.
  /// - Parameters:
  ///   - root: the folder that was compressed, an absolute path.
  ///   - isWanted: asked with the name of each source in that folder.
  ///   - tell: called for each with its name.
  /// - Throws: `ShareEngineError` (locked), `DurableFileError` when nothing can be said of the folder;
  ///   `CancellationError`.
  package static func run(
    root: String, isWanted: @escaping @Sendable (String) -> Bool,
    tell: @escaping @Sendable (String, Outcome) -> Void
  ) async throws {
    let undo = Undo(ledger: try Ledger(root: root, kind: .beside), trash: Trash(root: root))
    try await WorkerThread.run("bsc undo") { flag in
      for (name, error) in undo.ledger.settleReplacements() where isWanted(name) {
        tell(name, .left(error.explanation))
      }
      try undo.endInterrupted { try flag.check() }
      for place in try undo.trash.places() where isWanted(place.name) {
        try flag.check()
        tell(place.name, try undo.outcome(of: place) { try flag.check() })
      }
      undo.trash.removeEmpty()
    }
  }

  /// An undo that was killed behind its last step but one: the source is back, and its result lies in the trash.
  private func endInterrupted(check: () throws -> Void) throws {
    for entry in ledger.replacements {
      let place = Trash.Place(number: entry.trash ?? 0, name: entry.source)
      let result = trash.resultPath(of: place)
      guard try !FileMove.exists(trash.absolutePath(of: place)), try FileMove.exists(result),
        try FileDigest.sha256(ofFileAt: result, check: check) == entry.result?.sha256
      else { continue }
      try DurableFile.remove(result)
      _ = try note(entry)
    }
  }

  private func outcome(of place: Trash.Place, check: () throws -> Void) throws -> Outcome {
    do {
      guard let entry = ledger.replacement(place) else { return try restoreUnknown(place) }
      return try restore(place, entry, check: check)
    } catch let error as any ExplainedError {
      return .left(error.explanation)
    }
  }

  private func left(_ place: Trash.Place, _ text: ErrorText) -> Outcome {
    .left(Explanation(text, ["file": place.name, "trash": trash.absolutePath(of: place)]))
  }

  private func source(of place: Trash.Place) -> String { "\(ledger.root)/\(place.name)" }

  /// A path says enough to put it back where nothing is.
  private func restoreUnknown(_ place: Trash.Place) throws -> Outcome {
    let (aside, source) = (trash.absolutePath(of: place), source(of: place))
    guard try !FileMove.exists(source) else {
      return left(place, .undoUnknownFile)
    }
    try move(aside, to: source)
    trash.giveUp(place)
    return .restoredWith(note: "nobody remembers what was made of it: a result may be there still")
  }

  private func restore(
    _ place: Trash.Place, _ entry: LedgerEntry, check: () throws -> Void
  ) throws -> Outcome {
    let (aside, source) = (trash.absolutePath(of: place), source(of: place))
    func digest(_ path: String) throws -> String { try FileDigest.sha256(ofFileAt: path, check: check) }
    guard try ledger.digest(of: FileIdentity.of(aside)) ?? digest(aside) == entry.key.sha256 else {
      return left(place, .undoTrashChanged)
    }
    let result = "\(ledger.root)/\(entry.output)"
    // Out of the way first, under a name of ours: whatever is found out about it, it is not lost.
    let isOurs = try takeAway(result, to: trash.resultPath(of: place), entry, digest: digest)
    do {
      if try FileMove.exists(source) {
        guard try digest(source) == entry.key.sha256 else {
          if isOurs { try FileMove.move(trash.resultPath(of: place), to: result) }
          return left(place, .undoOccupied)
        }
        // Somebody put a copy back, or an undo was killed in the middle.
        try DurableFile.remove(aside)
      } else {
        try move(aside, to: source)
      }
    } catch {
      if isOurs { try? FileMove.move(trash.resultPath(of: place), to: result) }
      throw error
    }
    if isOurs { try DurableFile.remove(trash.resultPath(of: place)) }
    var notes: [String] = []
    if !isOurs, entry.output != entry.source, try FileMove.exists(result) {
      notes.append("\(entry.output) was changed since it was made, and stays")
    }
    if let failure = try note(entry) { notes.append(failure) }
    trash.giveUp(place)
    return notes.isEmpty ? .restored : .restoredWith(note: notes.joined(separator: "; "))
  }

  /// Tells the ledger that a source is back; its metadata goes with the result.
  /// - Returns: why it does not know it, for people: the files are right all the same.
  private func note(_ entry: LedgerEntry) throws -> String? {
    do {
      try Sidecar.takeBack(of: entry, root: ledger.root)
      var restored = entry
      restored.event = .restored
      try ledger.appendNow(restored)
      return nil
    } catch let error as any ExplainedError {
      return "the ledger does not know it: \(error.explanation.why)"
    }
  }

  /// Moves a result aside whose bytes are those that were made.
  /// - Returns: whether it is there; otherwise nothing was moved.
  private func takeAway(
    _ result: String, to target: String, _ entry: LedgerEntry, digest: (String) throws -> String
  ) throws -> Bool {
    // An undo that was killed in the middle had it there.
    if try FileMove.exists(target) {
      if try digest(target) == entry.result?.sha256 {
        // Where the file system knows no better, it has both names.
        if entry.output != entry.source, try FileMove.exists(result), try digest(result) == entry.result?.sha256 {
          try DurableFile.remove(result)
        }
        return true
      }
      try FileMove.move(target, to: result)
    }
    guard try FileMove.exists(result), !FileMove.isLink(result), let before = try? FileIdentity.of(result),
      before.byteCount == entry.result?.byteCount, try digest(result) == entry.result?.sha256
    else { return false }
    try FileMove.move(result, to: target)
    let moved = try FileIdentity.of(target)
    guard moved.byteCount == before.byteCount, moved.modifiedNanoseconds == before.modifiedNanoseconds else {
      // Somebody saved another file there while this one was read.
      try FileMove.move(target, to: result)
      return false
    }
    return true
  }

  private func move(_ aside: String, to source: String) throws {
    try Folder.create((source as NSString).deletingLastPathComponent, permissions: 0o755)
    try FileMove.move(aside, to: source)
  }
}
