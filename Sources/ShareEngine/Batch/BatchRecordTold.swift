import ClipModel
import DurableFiles

/// Records from what a ledger knows.
extension BatchRecord {
  /// Of an output that is there.
  init(kept entry: LedgerEntry, _ item: BatchItem) {
    self.init(file: item.shown, output: item.output, status: .kept)
    sourceByteCount = entry.result?.sourceByteCount
    byteCount = entry.result?.byteCount
    sha256 = entry.result?.sha256
    decisions = entry.result?.decisions ?? []
    removed = entry.result?.removed ?? []
  }

  /// Of a file that is no source, but what an earlier run made.
  /// - Parameter settings: what is asked for now.
  init(result entry: LedgerEntry, _ item: BatchItem, settings: String) {
    self.init(kept: entry, item)
    output = item.name
    original = entry.original
    if entry.key.settings != settings {
      notes = ["it was made of \(entry.source) with other settings, and is not made small twice"]
    }
  }

  /// As a ledger has it; what was begun and not finished is a failure.
  init(told entry: LedgerEntry) {
    let isDone = entry.event == .done
    self.init(
      file: entry.source, output: entry.output,
      status: isDone ? .done : entry.event == .refused && entry.error == nil ? .refused : .failed)
    sourceByteCount = entry.result?.sourceByteCount ?? entry.identity.byteCount
    if isDone {
      byteCount = entry.result?.byteCount
      sha256 = entry.result?.sha256
    }
    decisions = entry.result?.decisions ?? []
    removed = entry.result?.removed ?? []
    notes = entry.result?.notes ?? []
    findings = entry.findings ?? []
    error = entry.error
    if [.began, .made].contains(entry.event) {
      error = Explanation(.batchNotFinished, ["file": entry.source])
    }
  }

  /// Of a failure that would come again.
  init(refused entry: LedgerEntry, _ item: BatchItem) {
    self.init(file: item.shown, output: item.output, status: entry.error == nil ? .refused : .failed)
    error = entry.error
    findings = entry.findings ?? []
    isOld = true
  }
}
