package import ClipModel
import DurableFiles
import Foundation
import Synchronization

/// Results that take the places of their sources.
extension Ledger {
  /// Where a result is made that takes its source's place: a new file on the same disk. Blocks.
  func workPath() throws -> String {
    let folder = workFolder(of: name)
    try Folder.create(folder, permissions: 0o755)
    return "\(folder)/\(UUID().uuidString).mp4"
  }

  /// A place in the trash. Blocks.
  func takeTrash(for source: String) throws -> Trash.Place {
    try Trash(root: root).take(for: source, after: state.withLock(\.lastTrash))
  }

  /// What a file among sources is the result of, as it was made; `nil` for a source. Blocks.
  /// - Parameter name: relative to the root.
  func ownResult(_ name: String) -> LedgerEntry? {
    guard kind == .beside else { return nil }
    // A source that stayed as it was is noted as its own result.
    let entry = state.withLock {
      $0.claims[name]?.last { $0.event == .done && ($0.trash != nil || $0.output != $0.source) }
    }
    return entry.flatMap { isIntact($0) ? $0 : nil }
  }

  /// Names of files in a folder of sources that are results as they were made, without a lock or a trace. Blocks.
  package static func ownResults(in root: String) -> Set<String> {
    guard exists(in: root, kind: .beside), let entries = try? entries(in: root, kind: .beside).entries else {
      return []
    }
    let made = entries.filter { $0.event == .done && ($0.trash != nil || $0.output != $0.source) }
    return Set(made.filter { (try? FileIdentity.of("\(root)/\($0.output)")).map($0.isResult) ?? false }.map(\.output))
  }

  /// The result with these bytes, whatever its name is now; `nil` for a source.
  func result(ofDigest sha256: String) -> LedgerEntry? {
    kind == .beside ? state.withLock { $0.made[sha256] } : nil
  }

  /// What is known of a source in the trash.
  func replacement(_ place: Trash.Place) -> LedgerEntry? { state.withLock { $0.replacements[place] } }

  /// Those that were carried out and not taken back.
  var replacements: [LedgerEntry] { state.withLock { Array($0.replacements.values) } }

  /// Ends each replacement that a process began and did not live to end. Blocks.
  /// - Returns: the sources of those that can be neither carried out nor taken back.
  package func settleReplacements() -> [(name: String, error: any ExplainedError)] {
    let open = state.withLock { $0.replacements.values.filter { $0.event == .made } }
    var failures: [(name: String, error: any ExplainedError)] = []
    for entry in open.sorted(by: { ($0.trash ?? 0) < ($1.trash ?? 0) }) where shard?.owns(entry.source) ?? true {
      do {
        try settle(entry)
      } catch {
        failures.append(
          (
            entry.source,
            error as? any ExplainedError
              ?? ShareEngineError(
                .undoFailed, ["file": entry.source, "reason": "\(error)", "trash": "\(root)/.bsc/trash"])
          ))
      }
    }
    // Other parts of a split may be taking places at this moment.
    if shard == nil { Trash(root: root).removeEmpty() }
    return failures
  }

  @discardableResult
  func settle(_ entry: LedgerEntry) throws -> Replacement.Outcome {
    guard let replacement = Replacement(entry, root: root) else { return .takenBack }
    let outcome = try replacement.settle(entry)
    var told = entry
    told.event = outcome == .takenBack ? .restored : .done
    try appendNow(told)
    return outcome
  }

  /// Whether results took the places of sources in a folder, and were not taken back.
  /// - Parameter prefix: only of sources whose names in the folder begin like this.
  package static func hasReplacements(in root: String, under prefix: String = "") -> Bool {
    guard !FileMove.isLink("\(root)/\(folderName)") else { return false }
    if let places = try? Trash(root: root).places(), places.contains(where: { $0.name.hasPrefix(prefix) }) {
      return true
    }
    guard exists(in: root, kind: .beside), let entries = try? entries(in: root, kind: .beside).entries else {
      return false
    }
    var open: Set<Trash.Place> = []
    for entry in entries where entry.source.hasPrefix(prefix) {
      guard let number = entry.trash else { continue }
      let place = Trash.Place(number: number, name: entry.source)
      if entry.event == .restored { open.remove(place) } else { open.insert(place) }
    }
    return !open.isEmpty
  }
}
