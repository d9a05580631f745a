import ClipModel
import DurableFiles
import Foundation
import Synchronization

/// Results that replace their sources.
extension Ledger {
  /// A new path on the same disk, where a result is made before it replaces its source. Blocks.
  func workPath() throws -> String {
    let folder = workFolder(of: name)
    try Folder.create(folder, permissions: 0o755)
    return "\(folder)/\(UUID().uuidString).mp4"
  }

  /// Reserves a slot in the trash. Blocks.
  func reserveTrash(for source: String) throws -> Trash.Slot {
    try Trash(root: root).reserve(for: source, after: state.withLock(\.lastTrash))
  }

  /// The entry of an unchanged result that is located among the sources; `nil` for a source. Blocks.
  /// - Parameter name: relative to the root.
  func result(named name: String) -> LedgerEntry? {
    guard kind == .beside else { return nil }
    let entry = state.withLock { $0.claims[name]?.last { $0.recordsNewFile } }
    return entry.flatMap { isIntact($0) ? $0 : nil }
  }

  /// The names of unchanged results in a folder that contains sources. Doesn't need a lock and changes nothing. Blocks.
  static func resultNames(in root: String) -> Set<String> {
    guard exists(in: root, kind: .beside), let entries = try? entries(in: root, kind: .beside).entries else {
      return []
    }
    return Set(entries.filter { $0.recordsNewFile && isIntact($0, in: root) }.map(\.output))
  }

  /// The entry of a result with these bytes under any name; `nil` for a source.
  func result(withDigest sha256: String) -> LedgerEntry? {
    kind == .beside ? state.withLock { $0.made[sha256] } : nil
  }

  /// Replacements that were made and have not been restored.
  var replacements: [Trash.Slot: LedgerEntry] { state.withLock(\.replacements) }

  /// Completes or reverts each replacement that a killed process left unfinished. Blocks.
  /// - Returns: the sources for which neither is possible.
  func recoverReplacements() -> [(name: String, error: any ExplainedError)] {
    let unfinished = replacements.values.filter { $0.event == .made && shard?.owns($0.source) ?? true }
    let failures = unfinished.sorted { ($0.trash ?? 0) < ($1.trash ?? 0) }.compactMap {
      entry -> (name: String, error: any ExplainedError)? in
      do {
        try recover(entry)
        return nil
      } catch {
        let facts = ["file": entry.source, "reason": "\(error)", "trash": "\(root)/.bsc/trash"]
        return (entry.source, error as? any ExplainedError ?? ShareEngineError(.undoFailed, facts))
      }
    }
    // Other shards may be reserving slots right now.
    if shard == nil { Trash(root: root).removeEmpty() }
    return failures
  }

  @discardableResult
  func recover(_ entry: LedgerEntry) throws -> Replacement.Outcome {
    guard let slot = entry.slot else { return .reverted }
    let outcome = try Replacement(root: root, slot: slot, output: entry.output).recover(entry)
    var recovered = entry
    recovered.event = outcome == .reverted ? .restored : .done
    try appendNow(recovered)
    return outcome
  }

  /// Whether sources in a folder were replaced and have not been restored.
  /// - Parameter prefix: considers only sources whose names start with this.
  static func hasReplacements(in root: String, under prefix: String = "") -> Bool {
    guard !FileMove.isLink("\(root)/\(folderName)") else { return false }
    if let slots = try? Trash(root: root).slots(), slots.contains(where: { $0.name.hasPrefix(prefix) }) { return true }
    guard exists(in: root, kind: .beside), let entries = try? entries(in: root, kind: .beside).entries else {
      return false
    }
    return LedgerState(entries).replacements.keys.contains { $0.name.hasPrefix(prefix) }
  }
}
