package import ClipModel
import DurableFiles
import Foundation

/// Restores replaced sources and removes their results.
package struct ReplacementUndo: Sendable {
  package enum Outcome: Sendable, Equatable {
    case restored
    /// The source was restored, and there is a note for the user.
    case restoredWith(note: String)
    /// The source is still in the trash, for the given reason.
    case left(Explanation)
  }

  private let ledger: Ledger
  private let trash: Trash
  private let flag: CancellationFlag

  /// - Parameters:
  ///   - root: the absolute path of the compressed folder.
  ///   - name: the folder as the user entered it.
  /// - Throws: `ShareEngineError` if no sources were replaced in this folder.
  package static func requireReplacements(root: String, named name: String) throws {
    guard Ledger.hasLedger(in: root, kind: .beside) || Ledger.hasReplacements(in: root) else {
      let parent = OutputTargets.findParentWithTrash(of: root)
      throw ShareEngineError(
        parent == nil ? .nothingReplaced : .undoAbove,
        ["folder": name, "parent": parent, "inside": parent.map { String(root.dropFirst($0.count + 1)) }])
    }
  }

  /// Restores replaced sources, latest first. If one source fails, the other sources are still restored.
  /// - Parameters:
  ///   - root: the absolute path of the compressed folder.
  ///   - isWanted: returns whether to restore the source with the given name.
  ///   - report: receives the name and outcome of each selected source.
  /// - Throws: `ShareEngineError` in the category `locked` if another bsc process is using the folder,
  ///   `DurableFileError` if the folder is not accessible, or `CancellationError`.
  package static func run(
    root: String, isWanted: @escaping @Sendable (String) -> Bool,
    report: @escaping @Sendable (String, Outcome) -> Void
  ) async throws {
    let ledger = try Ledger(root: root, kind: .beside)
    try await WorkerThread.run("bsc undo") { flag in
      let undo = ReplacementUndo(ledger: ledger, trash: Trash(root: root), flag: flag)
      for (name, error) in ledger.recoverReplacements() where isWanted(name) {
        report(name, .left(error.explanation))
      }
      try undo.finishInterruptedUndo()
      for slot in try undo.trash.listSlots() where isWanted(slot.name) {
        try flag.check()
        report(slot.name, try undo.restoreSlot(slot))
      }
      undo.trash.removeEmptySlots()
    }
  }

  /// Finishes an undo that was killed before its last two steps, after the source was restored and its result was moved
  /// to the trash.
  private func finishInterruptedUndo() throws {
    for (slot, entry) in ledger.replacements {
      let result = trash.resultPath(of: slot)
      guard try !FileMove.exists(trash.absolutePath(of: slot)), try FileMove.exists(result),
        try computeDigest(result) == entry.result?.sha256
      else { continue }
      try DurableFile.remove(result)
      _ = try recordRestoredSource(entry)
    }
  }

  private func restoreSlot(_ slot: Trash.Slot) throws -> Outcome {
    do {
      let notes = try restoreSource(from: slot)
      trash.removeEmptyFolders(of: slot)
      return notes.isEmpty ? .restored : .restoredWith(note: notes.joined(separator: "; "))
    } catch let error as any ExplainedError {
      return .left(error.explanation)
    }
  }

  private func computeDigest(_ path: String) throws -> String {
    try FileDigest.sha256(ofFileAt: path, check: flag.check)
  }

  /// - Returns: notes for the user about the restored source.
  /// - Throws: an error if the source cannot be restored.
  private func restoreSource(from slot: Trash.Slot) throws -> [String] {
    let (trashed, source) = (trash.absolutePath(of: slot), "\(ledger.root)/\(slot.name)")
    func makeError(_ text: ErrorText) -> ShareEngineError {
      ShareEngineError(text, ["file": slot.name, "trash": trashed])
    }
    guard let entry = ledger.replacements[slot] else {
      // If there is no ledger entry, a source can still be restored as long as its original path is free.
      guard try !FileMove.exists(source) else { throw makeError(.undoUnknownFile) }
      try trash.restoreSource(from: slot)
      return ["the ledger has no entry for the compressed file, which might still exist"]
    }
    guard try ledger.knownDigest(of: FileIdentity.of(trashed)) ?? computeDigest(trashed) == entry.key.sha256 else {
      throw makeError(.undoTrashChanged)
    }
    let result = "\(ledger.root)/\(entry.output)"
    let moved = trash.resultPath(of: slot)
    // Move the result to the trash first, so that it is never lost.
    let isMoved = try moveToTrash(result, to: moved, entry)
    do {
      if try !FileMove.exists(source) {
        try trash.restoreSource(from: slot)
      } else if try computeDigest(source) == entry.key.sha256 {
        // The user has restored a copy, or an earlier undo was killed.
        try DurableFile.remove(trashed)
      } else {
        throw makeError(.undoOccupied)
      }
    } catch {
      if isMoved { try FileMove.move(moved, to: result) }
      throw error
    }
    var notes: [String] = []
    if isMoved {
      try DurableFile.remove(moved)
    } else if entry.output != entry.source, try FileMove.exists(result) {
      notes.append("\(entry.output) was changed after it was created, so it was kept")
    }
    if let failure = try recordRestoredSource(entry) { notes.append(failure) }
    return notes
  }

  /// Removes the result's metadata and records in the ledger that the source was restored.
  /// - Returns: a note if the metadata or the ledger could not be updated. The source is restored even in that case.
  private func recordRestoredSource(_ entry: LedgerEntry) throws -> String? {
    do {
      try Sidecar.removeMetadata(with: entry, root: ledger.root)
      var restored = entry
      restored.event = .restored
      try ledger.appendSynchronously(restored)
      return nil
    } catch let error as any ExplainedError {
      return "the ledger couldn't be updated: \(error.explanation.why)"
    }
  }

  /// Moves an unchanged result to the trash.
  /// - Returns: whether the result is now at `target`. If it is not, no file was moved.
  private func moveToTrash(_ result: String, to target: String, _ entry: LedgerEntry) throws -> Bool {
    // An earlier undo that was killed may have already moved the result.
    if try FileMove.exists(target) {
      if try computeDigest(target) == entry.result?.sha256 {
        // If the file system has no exclusive rename, the file can have both names.
        if entry.output != entry.source, try FileMove.exists(result), try computeDigest(result) == entry.result?.sha256
        {
          try DurableFile.remove(result)
        }
        return true
      }
      try FileMove.move(target, to: result)
    }
    guard try FileMove.exists(result), !FileMove.isLink(result), let before = try? FileIdentity.of(result),
      before.byteCount == entry.result?.byteCount, try computeDigest(result) == entry.result?.sha256
    else { return false }
    try FileMove.move(result, to: target)
    guard try FileIdentity.of(target).hasSameContent(as: before) else {
      // A different file replaced the result while its digest was being computed.
      try FileMove.move(target, to: result)
      return false
    }
    return true
  }
}
