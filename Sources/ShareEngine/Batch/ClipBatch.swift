import ClipMedia
import ClipModel
import DurableFiles
import Foundation
import Synchronization

/// Compresses many files concurrently. No result is created twice, a failure doesn't affect other files, and a new
/// run continues where an interrupted run stopped.
struct ClipBatch: Sendable {
  let items: [BatchItem]
  let request: ShareRequest
  /// Whether the request selects a rally.
  let isRally: Bool
  /// The ledgers, keyed by `BatchItem.root`.
  let ledgers: [String: Ledger]
  let options: BatchOptions
  let report: @Sendable (BatchEvent) -> Void

  /// A mutex that processes identical sources one after another, so that later sources can reuse the first result.
  let resultMutex = KeyedMutex<LedgerEntry.ResultKey>()
  let sidecars = SidecarNames()

  /// Processes all files.
  /// - Returns: the records of all files, in order of completion. If `failsFast` is set, records can be missing.
  /// - Throws: `CancellationError` if the task is canceled. Finished results are already in the ledger.
  func run() async throws -> [BatchRecord] {
    let settings = try BatchSettings.computeFingerprint(request, isRally: isRally)
    let files = try await WorkerThread.run("bsc batch") { [self] flag in
      try items.map { item in
        try flag.check()
        // Ignore errors here. They are reported later, when the file is processed.
        let identity = try? FileIdentity.of(item.path)
        let record = try findSettledRecord(of: item, identity, settings)
        if record?.status == .kept { StoredEncode(of: item.destination).remove() }
        return (item: item, byteCount: identity?.byteCount ?? 0, record: record)
      }
    }
    var records = files.compactMap(\.record)
    for file in files { if let record = file.record { report(.ended(file.item, record)) } }
    let open = files.filter { $0.record == nil }
    report(.planned(fileCount: open.count, byteCount: open.reduce(0) { $0 + $1.byteCount }))
    if options.failsFast, records.contains(where: { $0.failure != nil }) { return records }
    var schedule = BatchSchedule(
      costs: open.map { Double($0.byteCount) }, coreCount: options.coreCount, jobLimit: options.jobLimit)
    try await withThrowingTaskGroup(of: (Int, BatchRecord).self) { group in
      while !schedule.isFinished {
        if let window = options.window, schedule.isIdle { try await waitForWindow(window) }
        while isWindowOpen, let start = schedule.startNextFile() {
          let next = open[start.index]
          group.addTask {
            let (item, byteCount) = (next.item, next.byteCount)
            return (start.index, try await process(item, byteCount, settings, coreCount: start.coreCount))
          }
        }
        // If the time window has just closed, there is no task.
        guard let (index, record) = try await group.next() else { continue }
        schedule.markFinished(index)
        records.append(record)
        report(.ended(open[index].item, record))
        if options.failsFast, record.failure != nil { return group.cancelAll() }
      }
    }
    return records
  }

  // MARK: Before anything is read

  /// Returns the record of a file that needs no processing, or `nil` for other files. The lookup is fast, because it
  /// uses only digests from the ledger.
  private func findSettledRecord(
    of item: BatchItem, _ identity: FileIdentity?, _ settings: String
  ) throws -> BatchRecord? {
    guard let ledger = findLedger(for: item) else { return nil }
    if let entry = ledger.findResult(named: item.name) { return BatchRecord(result: entry, item, settings: settings) }
    guard let digest = identity.flatMap(ledger.knownDigest) else { return nil }
    if let entry = ledger.findResult(withDigest: digest) { return BatchRecord(result: entry, item, settings: settings) }
    let key = LedgerEntry.ResultKey(sha256: digest, settings: settings)
    switch try ledger.decideProcessing(for: item, key: key, options: options) {
    case .keep(let entry): return try updateMetadata(of: item, entry, ledger)
    case .refused(let entry): return BatchRecord(refused: entry, item)
    case .copy, .make: return nil
    }
  }

  /// Copies metadata that was added or changed after the result was created. Unreadable metadata affects only its own
  /// clip. Blocks until the operation has finished.
  private func updateMetadata(of item: BatchItem, _ entry: LedgerEntry, _ ledger: Ledger) throws -> BatchRecord {
    var (entry, record) = (entry, makeKeptRecord(entry, item))
    guard Sidecar.isOutdated(item, names: sidecars) else { return record }
    do {
      let sidecar = try Sidecar.copyMetadata(with: item, names: sidecars, known: entry.sidecar)
      if let note = sidecar.note { record.notes.append(note) }
      if sidecar.digest != entry.sidecar {
        entry.sidecar = sidecar.digest
        try ledger.appendSynchronously(entry)
      }
    } catch let error as any ExplainedError {
      record = makeFailedRecord(item, error)
    }
    return record
  }

  func makeKeptRecord(_ entry: LedgerEntry, _ item: BatchItem) -> BatchRecord {
    var record = BatchRecord(existing: entry, item)
    if options.replaces, item.output != item.name {
      record.notes = ["\(item.output) was already created from an identical file, so \(item.name) was not moved"]
    }
    return record
  }

  func makeFailedRecord(_ item: BatchItem, _ error: any ExplainedError) -> BatchRecord {
    var record = BatchRecord(file: item.displayPath, output: item.output, status: .failed)
    record.error = item.replaceAbsolutePaths(in: error.explanation)
    return record
  }

  func findLedger(for item: BatchItem) -> Ledger? { item.root.flatMap { ledgers[$0] } }
}
