import ClipMedia
package import ClipModel
import DurableFiles
import Foundation
import Synchronization

/// Many files made small, one after the other or several at once: nothing is made twice, one that fails stops none of the
/// others, and a run that was interrupted is continued by the next.
package struct ClipBatch: Sendable {
  package var items: [BatchItem]
  package var request: ShareRequest
  /// A rally is looked for in metadata.
  package var isOfRally: Bool
  /// By `BatchItem.root`.
  package var ledgers: [String: Ledger]
  package var options: BatchOptions
  package var report: @Sendable (BatchEvent) -> Void

  /// Who makes a result: sources with the same bytes come one after the other, so that the second finds the first's.
  let making = KeyedMutex<LedgerEntry.Key>()
  let sidecars = SidecarNames()

  package init(
    items: [BatchItem], request: ShareRequest, isOfRally: Bool, ledgers: [String: Ledger], options: BatchOptions,
    report: @escaping @Sendable (BatchEvent) -> Void
  ) {
    self.items = items
    self.request = request
    self.isOfRally = isOfRally
    self.ledgers = ledgers
    self.options = options
    self.report = report
  }

  /// Works on all files.
  /// - Returns: what became of each, in the order in which they ended. With `failsFast` the rest is missing.
  /// - Throws: `CancellationError`; what was made by then is in the ledger.
  package func run() async throws -> [BatchRecord] {
    let settings = try BatchSettings.fingerprint(request, isOfRally: isOfRally)
    let (ended, open) = try await WorkerThread.run("bsc batch") { [self] flag in try look(settings, flag) }
    var records = ended.map(\.record)
    for (item, record) in ended { report(.ended(item, record)) }
    report(.planned(fileCount: open.count, byteCount: open.reduce(0) { $0 + $1.byteCount }))
    if options.failsFast, records.contains(where: { $0.failure != nil }) { return records }
    var schedule = BatchSchedule(
      costs: open.map { Double($0.byteCount) }, coreCount: options.coreCount, jobLimit: options.jobLimit)
    try await withThrowingTaskGroup(of: (Int, BatchRecord).self) { group in
      var isStopped = false
      while !schedule.isOver {
        if let window = options.window, schedule.isIdle { try await wait(for: window) }
        while !isStopped, isOpen, let start = schedule.next() {
          let next = open[start.index]
          group.addTask { (start.index, try await work(on: next, settings, coreCount: start.coreCount)) }
        }
        // Nothing runs where the window closed in this very moment.
        guard let (index, record) = try await group.next() else { continue }
        schedule.end(index)
        records.append(record)
        report(.ended(open[index].item, record))
        if options.failsFast, record.failure != nil {
          isStopped = true
          group.cancelAll()
          break
        }
      }
    }
    return records
  }

  // MARK: Before anything is read

  private typealias Ended = (item: BatchItem, record: BatchRecord)

  struct Open {
    var item: BatchItem
    var byteCount: Int64
  }

  /// Files that an earlier run has settled, and those that are to be worked on: thousands in a second, because their
  /// digests are known. Blocks.
  private func look(_ settings: String, _ flag: CancellationFlag) throws -> (ended: [Ended], open: [Open]) {
    var (ended, open): ([Ended], [Open]) = ([], [])
    for item in items {
      try flag.check()
      // What is wrong with a file is told when it is worked on.
      let identity = try? FileIdentity.of(item.path)
      if let entry = ledger(of: item)?.ownResult(item.name) {
        ended.append((item, BatchRecord(result: entry, item, settings: settings)))
        continue
      }
      if let identity, let ledger = ledger(of: item), let digest = ledger.digest(of: identity) {
        if let entry = ledger.result(ofDigest: digest) {
          ended.append((item, BatchRecord(result: entry, item, settings: settings)))
          continue
        }
        let key = LedgerEntry.Key(sha256: digest, settings: settings)
        switch try ledger.decision(
          for: item, key: key, force: options.force, retriesRefusals: options.retriesFailed)
        {
        case .keep(let entry):
          ended.append((item, try bringMetadata(with: item, entry, ledger)))
          continue
        case .refused(let entry):
          ended.append((item, BatchRecord(refused: entry, item)))
          continue
        case .copy, .make: break
        }
      }
      open.append(Open(item: item, byteCount: identity?.byteCount ?? 0))
    }
    return (ended, open)
  }

  /// The metadata may have come, or been corrected, after the clip was made. One that cannot be read is that clip's
  /// failure and nobody else's. Blocks.
  private func bringMetadata(with item: BatchItem, _ entry: LedgerEntry, _ ledger: Ledger) throws -> BatchRecord {
    var (entry, record) = (entry, kept(entry, item))
    guard Sidecar.isBehind(item, names: sidecars) else { return record }
    do {
      let sidecar = try Sidecar.travel(with: item, names: sidecars, known: entry.sidecar)
      if let note = sidecar.note { record.notes.append(note) }
      if sidecar.digest != entry.sidecar {
        entry.sidecar = sidecar.digest
        try ledger.appendNow(entry)
      }
    } catch let error as any ExplainedError {
      record = BatchRecord(file: item.shown, output: item.output, status: .failed)
      record.error = item.named(error.explanation)
    }
    return record
  }

  func kept(_ entry: LedgerEntry, _ item: BatchItem) -> BatchRecord {
    var record = BatchRecord(kept: entry, item)
    if options.replaces, item.output != item.name {
      record.notes = ["\(item.output) was made of the same bytes before; \(item.name) stays where it is"]
    }
    return record
  }

  func ledger(of item: BatchItem) -> Ledger? { item.root.flatMap { ledgers[$0] } }
}
