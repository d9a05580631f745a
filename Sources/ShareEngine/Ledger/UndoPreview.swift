import ClipModel
import DurableFiles
import Foundation

/// A preview of an undo. It changes nothing and takes no lock, so it may miss changes that other processes make.
extension Undo {
  package struct Preview: Sendable, Equatable {
    /// The source's path relative to the folder.
    package var name: String
    /// The size of the source; `nil` when it cannot be examined.
    package var byteCount: Int64?
    /// The path of the result that would be removed; `nil` when there is none, or if it was changed and would therefore
    /// be kept.
    package var result: String?
    /// Why the source would stay in the trash.
    package var obstacle: String?
  }

  /// - Parameters:
  ///   - root: the absolute path of the compressed folder.
  ///   - isWanted: called with the name of each source in that folder.
  /// - Returns: previews in the order of the undo.
  /// - Throws: `DurableFileError` when the folder cannot be examined, `CancellationError`.
  package static func preview(
    root: String, isWanted: @escaping @Sendable (String) -> Bool
  ) async throws -> [Preview] {
    try await WorkerThread.run("bsc undo") { flag in
      // Without a ledger, only the trash is used.
      let entries = (try? Ledger.entries(in: root, kind: .beside).entries) ?? []
      let trash = Trash(root: root)
      var simulation = UndoSimulation(root: root, trash: trash, state: LedgerState(entries), flag: flag)
      return try trash.slots().filter { isWanted($0.name) }.map { slot in
        try flag.check()
        do {
          return try simulation.preview(of: slot)
        } catch let error as any ExplainedError {
          return Preview(name: slot.name, obstacle: error.explanation.why)
        }
      }
    }
  }
}

/// Simulates the folder after each step, because a step can depend on a source that an earlier step restored.
private struct UndoSimulation {
  let root: String
  let trash: Trash
  let state: LedgerState
  let flag: CancellationFlag
  /// The digests of changed paths; an inner `nil` means that the file would be removed.
  var changed: [String: String?] = [:]

  mutating func preview(of slot: Trash.Slot) throws -> Undo.Preview {
    let (trashed, source) = (trash.absolutePath(of: slot), "\(root)/\(slot.name)")
    var preview = Undo.Preview(name: slot.name, byteCount: try FileIdentity.of(trashed).byteCount)
    let existing = try digest(source)
    guard let entry = state.replacements[slot] else {
      if existing == nil { changed[source] = .some(try digest(trashed)) }
      preview.obstacle = existing.map { _ in "a file of unknown origin is at its path" }
      return preview
    }
    guard try digest(trashed) == entry.key.sha256 else {
      preview.obstacle = "it changed in the trash"
      return preview
    }
    let result = "\(root)/\(entry.output)"
    let removesResult = try digest(result) == entry.result?.sha256
    guard existing == nil || existing == entry.key.sha256 || removesResult && entry.output == slot.name else {
      preview.obstacle = "a different file is now at its path"
      return preview
    }
    if removesResult {
      preview.result = entry.output
      changed[result] = .some(nil)
    }
    changed[source] = .some(entry.key.sha256)
    return preview
  }

  /// - Returns: `nil` when there is no file.
  private func digest(_ path: String) throws -> String? {
    if let digest = changed[path] { return digest }
    guard try FileMove.exists(path) else { return nil }
    // A symbolic link is never a file that bsc created.
    guard !FileMove.isLink(path) else { return "link" }
    return try state.digests[FileIdentity.of(path)] ?? FileDigest.sha256(ofFileAt: path, check: flag.check)
  }
}
