import ClipMedia
import ClipModel
import DurableFiles
import Foundation
import Synchronization

/// Support for results that replace their sources.
extension Ledger {
  /// Returns a new path on the same disk, at which a result is created before it replaces its source. Blocks.
  func makeWorkPath() throws -> String {
    let folder = workFolderPath(of: name)
    try Folder.create(folder, permissions: 0o755)
    return "\(folder)/\(UUID().uuidString).mp4"
  }

  /// Reserves a slot in the trash for a source. Blocks.
  func reserveTrash(for source: String) throws -> Trash.Slot {
    try Trash(root: root).reserveSlot(for: source, after: state.withLock(\.lastTrash))
  }

  /// Returns the entry of an unchanged result in the source folder, or `nil` if the file is a source. Blocks.
  /// - Parameter name: the file's path relative to the root folder.
  func findResult(named name: String) -> LedgerEntry? {
    guard kind == .beside else { return nil }
    let entry = state.withLock { $0.claims[name]?.last { $0.recordsNewFile } }
    return entry.flatMap { isIntact($0) ? $0 : nil }
  }

  /// Returns the names of unchanged results in a folder that also contains sources. Doesn't require a lock or change
  /// any files. Blocks.
  static func findResultNames(in root: String) -> Set<String> {
    guard hasLedger(in: root, kind: .beside), let entries = try? readEntries(in: root, kind: .beside).entries else {
      return []
    }
    return Set(entries.filter { $0.recordsNewFile && isIntact($0, in: root) }.map(\.output))
  }

  /// Returns the entry of the result with this digest under any name, or `nil` if the file is a source.
  func findResult(withDigest sha256: String) -> LedgerEntry? {
    kind == .beside ? state.withLock { $0.made[sha256] } : nil
  }

  /// The replacements whose sources have not been restored, by trash slot.
  var replacements: [Trash.Slot: LedgerEntry] { state.withLock(\.replacements) }

  /// Completes or reverts all replacements that a killed process left unfinished. Blocks.
  /// - Returns: the sources whose replacement can be neither completed nor reverted, with the errors.
  func recoverReplacements() -> [(name: String, error: any ExplainedError)] {
    let unfinished = replacements.values.filter { $0.event == .made && shard?.owns($0.source) ?? true }
    let failures = unfinished.sorted { ($0.trash ?? 0) < ($1.trash ?? 0) }.compactMap {
      entry -> (name: String, error: any ExplainedError)? in
      do {
        try recoverReplacement(entry)
        return nil
      } catch {
        let facts = ["file": entry.source, "reason": "\(error)", "trash": "\(root)/.bsc/trash"]
        return (entry.source, error as? any ExplainedError ?? ShareEngineError(.undoFailed, facts))
      }
    }
    // If there are several shards, other shards might be reserving slots right now.
    if shard == nil { Trash(root: root).removeEmptySlots() }
    return failures
  }

  @discardableResult
  func recoverReplacement(_ entry: LedgerEntry) throws -> Replacement.Outcome {
    guard let slot = entry.slot else { return .reverted }
    let outcome = try Replacement(root: root, slot: slot, output: entry.output).completeOrRevertReplacement(entry)
    var recovered = entry
    recovered.event = outcome == .reverted ? .restored : .done
    try appendSynchronously(recovered)
    if outcome == .completed { StoredEncode(of: "\(root)/\(entry.output)").remove() }
    return outcome
  }

  /// Whether a folder contains sources that were replaced and have not been restored.
  /// - Parameter prefix: the prefix of the source names to consider. The default includes all sources.
  static func hasReplacements(in root: String, under prefix: String = "") -> Bool {
    guard !FileMove.isLink("\(root)/\(folderName)") else { return false }
    if let slots = try? Trash(root: root).listSlots(), slots.contains(where: { $0.name.hasPrefix(prefix) }) {
      return true
    }
    guard hasLedger(in: root, kind: .beside), let entries = try? readEntries(in: root, kind: .beside).entries else {
      return false
    }
    return LedgerState(entries).replacements.keys.contains { $0.name.hasPrefix(prefix) }
  }
}
