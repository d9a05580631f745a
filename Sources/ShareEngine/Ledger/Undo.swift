package import ClipModel
import DurableFiles
import Foundation

/// Restores replaced sources and removes their results.
package struct Undo: Sendable {
  package enum Outcome: Sendable, Equatable {
    case restored
    /// The source is restored, with a note for the user.
    case restoredWith(note: String)
    /// The source is still in the trash.
    case left(Explanation)
  }

  private let ledger: Ledger
  private let trash: Trash
  private let flag: CancellationFlag

  /// - Parameters:
  ///   - root: the absolute path of the compressed folder.
  ///   - name: the folder as specified by the user.
  /// - Throws: `ShareEngineError` when nothing was replaced in this folder.
  package static func check(root: String, named name: String) throws {
    guard Ledger.exists(in: root, kind: .beside) || Ledger.hasReplacements(in: root) else {
      let parent = OutputTargets.parentWithTrash(of: root)
      throw ShareEngineError(
        parent == nil ? .nothingReplaced : .undoAbove,
        ["folder": name, "parent": parent, "inside": parent.map { String(root.dropFirst($0.count + 1)) }])
    }
  }

  /// Restores sources, latest first. A failure does not affect the other sources.
  /// - Parameters:
  ///   - root: the absolute path of the compressed folder.
  ///   - isWanted: called with the name of each source in that folder.
  ///   - report: called with the name and outcome of each selected source.
  /// - Throws: `ShareEngineError` (locked), `DurableFileError` when the folder is not accessible; `CancellationError`.
  package static func run(
    root: String, isWanted: @escaping @Sendable (String) -> Bool,
    report: @escaping @Sendable (String, Outcome) -> Void
  ) async throws {
    let ledger = try Ledger(root: root, kind: .beside)
    try await WorkerThread.run("bsc undo") { flag in
      let undo = Undo(ledger: ledger, trash: Trash(root: root), flag: flag)
      for (name, error) in ledger.recoverReplacements() where isWanted(name) {
        report(name, .left(error.explanation))
      }
      try undo.finishInterrupted()
      for slot in try undo.trash.slots() where isWanted(slot.name) {
        try flag.check()
        report(slot.name, try undo.outcome(of: slot))
      }
      undo.trash.removeEmpty()
    }
  }

  /// Finishes an undo that was killed before its last two steps, when the source was already restored and its result
  /// was in the trash.
  private func finishInterrupted() throws {
    for (slot, entry) in ledger.replacements {
      let result = trash.resultPath(of: slot)
      guard try !FileMove.exists(trash.absolutePath(of: slot)), try FileMove.exists(result),
        try digest(result) == entry.result?.sha256
      else { continue }
      try DurableFile.remove(result)
      _ = try recordRestored(entry)
    }
  }

  private func outcome(of slot: Trash.Slot) throws -> Outcome {
    do {
      let notes = try restore(slot)
      trash.release(slot)
      return notes.isEmpty ? .restored : .restoredWith(note: notes.joined(separator: "; "))
    } catch let error as any ExplainedError {
      return .left(error.explanation)
    }
  }

  private func digest(_ path: String) throws -> String { try FileDigest.sha256(ofFileAt: path, check: flag.check) }

  /// - Returns: notes for the user.
  /// - Throws: when the source cannot be restored.
  private func restore(_ slot: Trash.Slot) throws -> [String] {
    let (trashed, source) = (trash.absolutePath(of: slot), "\(ledger.root)/\(slot.name)")
    func left(_ text: ErrorText) -> ShareEngineError { ShareEngineError(text, ["file": slot.name, "trash": trashed]) }
    guard let entry = ledger.replacements[slot] else {
      // Without a ledger entry, a source can still be restored if nothing is at its original path.
      guard try !FileMove.exists(source) else { throw left(.undoUnknownFile) }
      try trash.restore(slot)
      return ["its result is unknown and may still exist"]
    }
    guard try ledger.digest(of: FileIdentity.of(trashed)) ?? digest(trashed) == entry.key.sha256 else {
      throw left(.undoTrashChanged)
    }
    let result = "\(ledger.root)/\(entry.output)"
    let moved = trash.resultPath(of: slot)
    // Moves the result to the trash first, so that it is never lost.
    let isMoved = try moveAway(result, to: moved, entry)
    do {
      if try !FileMove.exists(source) {
        try trash.restore(slot)
      } else if try digest(source) == entry.key.sha256 {
        // The user restored a copy, or an earlier undo was killed.
        try DurableFile.remove(trashed)
      } else {
        throw left(.undoOccupied)
      }
    } catch {
      if isMoved { try FileMove.move(moved, to: result) }
      throw error
    }
    var notes: [String] = []
    if isMoved {
      try DurableFile.remove(moved)
    } else if entry.output != entry.source, try FileMove.exists(result) {
      notes.append("\(entry.output) was changed after it was made, and is kept")
    }
    if let failure = try recordRestored(entry) { notes.append(failure) }
    return notes
  }

  /// Removes the result's metadata, and records in the ledger that the source was restored.
  /// - Returns: a note if that fails. The files are correct even in that case.
  private func recordRestored(_ entry: LedgerEntry) throws -> String? {
    do {
      try Sidecar.remove(with: entry, root: ledger.root)
      var restored = entry
      restored.event = .restored
      try ledger.appendNow(restored)
      return nil
    } catch let error as any ExplainedError {
      return "the ledger could not be updated: \(error.explanation.why)"
    }
  }

  /// Moves an unchanged result away.
  /// - Returns: whether the result is at `target`. If not, nothing was moved.
  private func moveAway(_ result: String, to target: String, _ entry: LedgerEntry) throws -> Bool {
    // An earlier undo that was killed has already moved it.
    if try FileMove.exists(target) {
      if try digest(target) == entry.result?.sha256 {
        // On file systems without an exclusive rename, the file can have both names.
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
    guard try FileIdentity.of(target).hasSameContent(as: before) else {
      // The file was replaced while its digest was computed.
      try FileMove.move(target, to: result)
      return false
    }
    return true
  }
}
