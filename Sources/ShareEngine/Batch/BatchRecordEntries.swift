import ClipMedia
import ClipModel
import DurableFiles

/// Initializers that create batch records from ledger entries.
extension BatchRecord {
  private init(_ entry: LedgerEntry, file: String, output: String, status: Status) {
    self.init(file: file, output: output, status: status)
    let result = entry.result
    (sourceByteCount, byteCount, sha256) = (result?.sourceByteCount, result?.byteCount, result?.sha256)
    (decisions, removed) = (result?.decisions ?? [], result?.removed ?? [])
    (findings, error) = (entry.findings ?? [], entry.error)
  }

  /// Creates the record for an existing result.
  init(existing entry: LedgerEntry, _ item: BatchItem, status: Status = .kept) {
    self.init(entry, file: item.displayPath, output: item.output, status: status)
  }

  /// Creates the record for an input that is itself the result of an earlier run.
  /// - Parameter settings: the fingerprint of the current settings.
  init(result entry: LedgerEntry, _ item: BatchItem, settings: String) {
    self.init(existing: entry, item)
    output = item.name
    original = entry.original
    if entry.key.settings != settings {
      notes = ["compressed from \(entry.source) with different settings; not compressed again"]
    }
  }

  /// Creates the record for a failure that would occur again.
  init(refused entry: LedgerEntry, _ item: BatchItem) {
    self.init(existing: entry, item, status: entry.error == nil ? .refused : .failed)
    isOld = true
  }

  /// Creates the record for a report. A file whose processing started but did not finish counts as failed. Blocks.
  /// - Parameter root: the ledger's root folder.
  init(reporting entry: LedgerEntry, root: String) {
    let isDone = entry.event == .done
    self.init(
      entry, file: entry.source, output: entry.output,
      status: isDone ? .done : entry.event == .refused && entry.error == nil ? .refused : .failed)
    sourceByteCount = sourceByteCount ?? entry.identity.byteCount
    notes = entry.result?.notes ?? []
    if !isDone { (byteCount, sha256) = (nil, nil) }
    guard [.began, .made].contains(entry.event) else { return }
    error = Explanation(.batchNotFinished, ["file": entry.source])
    encoding = StoredEncode(of: "\(root)/\(entry.output)").readProgress()
  }
}
