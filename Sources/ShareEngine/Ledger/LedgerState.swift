import DurableFiles

/// The state that results from a ledger's entries.
struct LedgerState {
  private(set) var digests: [FileIdentity: String] = [:]
  /// The results, by result key and output path.
  private(set) var results: [LedgerEntry.ResultKey: [String: LedgerEntry]] = [:]
  private(set) var refusals: [LedgerEntry.ResultKey: LedgerEntry] = [:]
  /// The entries for the files that bsc wrote to each output path: the last result, and a result that was about to
  /// replace the last result.
  private(set) var claims: [String: [LedgerEntry]] = [:]
  /// The entries for files whose processing started but didn't end, by output path.
  private(set) var begun: [String: LedgerEntry] = [:]
  /// The pending and completed replacements whose sources have not been restored.
  private(set) var replacements: [Trash.Slot: LedgerEntry] = [:]
  /// The results, by digest. The digest identifies a result even after a rename.
  private(set) var made: [String: LedgerEntry] = [:]
  /// The highest trash slot number used so far.
  private(set) var lastTrash = 0
  /// The latest entry time so far. New entries never have an earlier time, even if the clock was set back.
  private(set) var lastAt: Int64 = 0

  init(_ entries: [LedgerEntry]) {
    for entry in entries { applyEntry(entry) }
  }

  mutating func applyEntry(_ entry: LedgerEntry) {
    digests[entry.identity] = entry.key.sha256
    lastAt = max(lastAt, entry.at)
    if let slot = entry.slot {
      replacements[slot] = entry.event == .restored ? nil : entry
      lastTrash = max(lastTrash, slot.number)
    }
    if ![.made, .failed].contains(entry.event) { begun[entry.output] = entry.event == .began ? entry : nil }
    switch entry.event {
    case .began, .failed: break
    case .made: claims[entry.output, default: []].append(entry)
    case .done:
      // An output path contains only one file, so earlier results from other sources or settings no longer exist.
      for last in claims[entry.output] ?? [] where last.key != entry.key { results[last.key]?[entry.output] = nil }
      claims[entry.output] = [entry]
      results[entry.key, default: [:]][entry.output] = entry
      if let result = entry.result, result.sha256 != entry.key.sha256 { made[result.sha256] = entry }
      refusals[entry.key] = nil
    case .refused: refusals[entry.key] = entry
    case .restored:
      for claim in claims[entry.output] ?? [] where claim.trash == entry.trash {
        results[claim.key]?[entry.output] = nil
      }
      claims[entry.output]?.removeAll { $0.trash == entry.trash }
    }
  }
}
