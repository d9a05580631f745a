import ClipModel
import DurableFiles
import Foundation

/// Previews an undo without changing any files. A preview holds no lock, so it can miss changes by other processes.
extension ReplacementUndo {
  package struct Preview: Sendable, Equatable {
    /// The source's path, relative to the folder.
    package var name: String
    /// The source's size in bytes, or `nil` if the source cannot be read.
    package var byteCount: Int64?
    /// The path of the result that would be removed, or `nil` if there is none or if it was changed and would be kept.
    package var result: String?
    /// The reason that the source would remain in the trash, or `nil` if it would be restored.
    package var obstacle: String?
  }

  /// - Parameters:
  ///   - root: the absolute path of the compressed folder.
  ///   - isWanted: returns whether to include the source with the given name.
  /// - Returns: the previews, in the order in which the sources would be restored.
  /// - Throws: `DurableFileError` if the folder cannot be read, or `CancellationError`.
  package static func previewUndo(
    root: String, isWanted: @escaping @Sendable (String) -> Bool
  ) async throws -> [Preview] {
    try await WorkerThread.run("bsc undo") { flag in
      // If there is no ledger, use only the trash.
      let entries = (try? Ledger.readEntries(in: root, kind: .beside).entries) ?? []
      let trash = Trash(root: root)
      var simulation = UndoSimulation(root: root, trash: trash, state: LedgerState(entries), flag: flag)
      return try trash.listSlots().filter { isWanted($0.name) }.map { slot in
        try flag.check()
        do {
          return try simulation.previewSlot(slot)
        } catch let error as any ExplainedError {
          return Preview(name: slot.name, obstacle: error.explanation.why)
        }
      }
    }
  }
}

/// Simulates the folder's state after each step, because a step can depend on a source that an earlier step restored.
private struct UndoSimulation {
  let root: String
  let trash: Trash
  let state: LedgerState
  let flag: CancellationFlag
  /// The digests of changed files, by path. An inner `nil` means that the file would be removed.
  var changed: [String: String?] = [:]

  mutating func previewSlot(_ slot: Trash.Slot) throws -> ReplacementUndo.Preview {
    let (trashed, source) = (trash.absolutePath(of: slot), "\(root)/\(slot.name)")
    var preview = ReplacementUndo.Preview(name: slot.name, byteCount: try FileIdentity.of(trashed).byteCount)
    let existing = try simulatedDigest(source)
    guard let entry = state.replacements[slot] else {
      if existing == nil { changed[source] = .some(try simulatedDigest(trashed)) }
      preview.obstacle = existing.map { _ in "a file of unknown origin is at the original path" }
      return preview
    }
    guard try simulatedDigest(trashed) == entry.key.sha256 else {
      preview.obstacle = "the file in the trash has changed"
      return preview
    }
    let result = "\(root)/\(entry.output)"
    let removesResult = try simulatedDigest(result) == entry.result?.sha256
    guard existing == nil || existing == entry.key.sha256 || removesResult && entry.output == slot.name else {
      preview.obstacle = "a different file is now at the original path"
      return preview
    }
    if removesResult {
      preview.result = entry.output
      changed[result] = .some(nil)
    }
    changed[source] = .some(entry.key.sha256)
    return preview
  }

  /// - Returns: the file's digest, or `nil` if there is no file at the path.
  private func simulatedDigest(_ path: String) throws -> String? {
    if let digest = changed[path] { return digest }
    guard try FileMove.exists(path) else { return nil }
    // bsc never creates symbolic links, so a link cannot be a result.
    guard !FileMove.isLink(path) else { return "link" }
    return try state.digests[FileIdentity.of(path)] ?? FileDigest.sha256(ofFileAt: path, check: flag.check)
  }
}
