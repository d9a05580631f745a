import DurableFiles

/// What the lines of a ledger say together.
struct LedgerState {
  var digests: [FileIdentity: String] = [:]
  /// By output.
  var results: [LedgerEntry.Key: [String: LedgerEntry]] = [:]
  var refusals: [LedgerEntry.Key: LedgerEntry] = [:]
  /// What we put at each output: the last result, and one that was about to take its place.
  var claims: [String: [LedgerEntry]] = [:]
  /// Begun and not ended.
  var begun: [String: LedgerEntry] = [:]
  /// Made or done, and not restored.
  var replacements: [Trash.Place: LedgerEntry] = [:]
  /// What was made, by its own digest: whatever name it has by now, it is no source.
  var made: [String: LedgerEntry] = [:]
  /// The highest number that was ever given.
  var lastTrash = 0
  /// The clock may be set back; the ledger's does not go that way.
  var lastAt: Int64 = 0

  mutating func take(_ entry: LedgerEntry) {
    digests[entry.identity] = entry.key.sha256
    lastAt = max(lastAt, entry.at)
    if let trash = entry.trash {
      replacements[Trash.Place(number: trash, name: entry.source)] = entry.event == .restored ? nil : entry
      lastTrash = max(lastTrash, trash)
    }
    switch entry.event {
    case .began: begun[entry.output] = entry
    case .made: claims[entry.output, default: []].append(entry)
    case .done:
      // An output has one content: what another source or other settings made there before is gone.
      for last in claims[entry.output] ?? [] where last.key != entry.key { results[last.key]?[entry.output] = nil }
      claims[entry.output] = [entry]
      begun[entry.output] = nil
      results[entry.key, default: [:]][entry.output] = entry
      if let result = entry.result, result.sha256 != entry.key.sha256 { made[result.sha256] = entry }
      refusals[entry.key] = nil
    case .refused:
      begun[entry.output] = nil
      refusals[entry.key] = entry
    case .restored:
      begun[entry.output] = nil
      for claim in claims[entry.output] ?? [] where claim.trash == entry.trash {
        results[claim.key]?[entry.output] = nil
      }
      claims[entry.output]?.removeAll { $0.trash == entry.trash }
    case .failed: break
    }
  }
}
