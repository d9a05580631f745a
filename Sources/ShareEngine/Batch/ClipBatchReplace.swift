import ClipMedia
import ClipModel
import DurableFiles
import Foundation

/// Results that replace their sources.
extension ClipBatch {
  func checkReplacement(_ item: BatchItem, _ source: LedgerSource) throws {
    try Replacement.check(item, root: source.ledger.root)
    if item.output != item.name { try StagedFile.check(item.destination, replacing: .keepExisting) }
  }

  /// - Parameters:
  ///   - made: the finished and verified result, which this call moves or removes.
  ///   - record: the record of the result.
  func replace(
    _ item: BatchItem, by made: String, _ plan: ProcessingPlan, _ record: BatchRecord, _ source: LedgerSource
  ) async throws -> BatchRecord {
    var record = record
    defer { try? DurableFile.remove(made) }
    guard !isPointless(item, plan, record) else {
      record.byteCount = record.sourceByteCount
      record.sha256 = source.key.sha256
      record.decisions = []
      record.notes = ["it is not replaced: the result would not be smaller"]
      try await finish(&record, item, source)
      return record
    }
    let done = record
    let replaced = try await WorkerThread.run("bsc replace") { _ in
      try performReplacement(item, by: made, done, source)
    }
    record.original = Trash.path(of: replaced.trash)
    do {
      try await finish(&record, item, source, replaced: replaced)
    } catch let error as any ExplainedError {
      // The files are correct, and the next run adds the missing ledger entry.
      record.notes.append("the ledger could not be updated: \(error.explanation.why)")
    }
    return record
  }

  /// Whether the result is a complete copy that saves less than 1 %. In that case, a valid source is not replaced.
  private func isPointless(_ item: BatchItem, _ plan: ProcessingPlan, _ record: BatchRecord) -> Bool {
    guard item.output == item.name, plan.dropped.isEmpty, plan.video.encoding == nil else { return false }
    if case .encode = plan.audio { return false }
    let (before, after) = (record.sourceByteCount ?? 0, record.byteCount ?? 0)
    return before - after < before / 100
  }

  /// Blocks until the operation has finished.
  private func performReplacement(
    _ item: BatchItem, by made: String, _ record: BatchRecord, _ source: LedgerSource
  ) throws -> (trash: Trash.Slot, result: FileIdentity) {
    let ledger = source.ledger
    let result = try FileIdentity.of(made)
    let trash = try ledger.reserveTrash(for: item.name)
    var entry = source.entry(.made, item, output: result, record)
    entry.trash = trash.number
    try ledger.appendNow(entry)
    do {
      try Replacement(root: ledger.root, slot: trash, output: item.output).perform(made, original: source.identity)
    } catch {
      // Completes or reverts the replacement immediately, so that it is never left half done.
      guard try ledger.recover(entry) == .completed else { throw error }
    }
    return (trash, result)
  }
}
