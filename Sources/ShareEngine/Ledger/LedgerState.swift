import DurableFiles

/// The combined content of a ledger's lines.
struct LedgerState {
  private(set) var digests: [FileIdentity: String] = [:]
  /// The results by their outputs.
  private(set) var results: [LedgerEntry.Key: [String: LedgerEntry]] = [:]
  private(set) var refusals: [LedgerEntry.Key: LedgerEntry] = [:]
  /// The files that bsc wrote to each output path: the last result, and a result that was about to replace it.
  private(set) var claims: [String: [LedgerEntry]] = [:]
  /// Entries that have a beginning but no end.
  private(set) var begun: [String: LedgerEntry] = [:]
  /// Replacements that were made or completed, and have not been restored.
  private(set) var replacements: [Trash.Slot: LedgerEntry] = [:]
  /// Results by their digest, which identifies them even after a rename.
  private(set) var made: [String: LedgerEntry] = [:]
  /// The highest trash number used so far.
  private(set) var lastTrash = 0
  /// The latest time so far. Later entries never have an earlier time, even if the clock is set back.
  private(set) var lastAt: Int64 = 0

  init(_ entries: [LedgerEntry]) {
    for entry in entries { apply(entry) }
  }

  mutating func apply(_ entry: LedgerEntry) {
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
      // An output has only one content, so earlier results from other sources or settings no longer exist.
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
