import ClipMedia
import ClipModel
import DurableFiles
import Foundation

/// Support for results that replace their sources.
extension ClipBatch {
  func requireReplaceableSource(_ item: BatchItem, _ source: LedgerSource) throws {
    try Replacement.requireReplaceableSource(item, root: source.ledger.root)
    if item.output != item.name { try StagedFile.checkDestination(item.destination, replacing: .keepExisting) }
  }

  /// - Parameters:
  ///   - made: the path of the finished and verified result. This call moves or removes the file.
  ///   - record: the batch record of the result.
  func replaceSource(
    _ item: BatchItem, by made: String, _ plan: ProcessingPlan, _ record: BatchRecord, _ source: LedgerSource
  ) async throws -> BatchRecord {
    var record = record
    defer { try? DurableFile.remove(made) }
    guard !savesTooLittleSpace(item, plan, record) else {
      record.byteCount = record.sourceByteCount
      record.sha256 = source.key.sha256
      record.decisions = []
      record.notes = ["the file was not replaced, because the result would not be smaller"]
      try await recordResult(&record, item, source)
      return record
    }
    let done = record
    let replaced = try await WorkerThread.run("bsc replace") { _ in
      try performReplacement(item, by: made, done, source)
    }
    record.original = Trash.relativePath(of: replaced.trash)
    do {
      try await recordResult(&record, item, source, replaced: replaced)
    } catch let error as any ExplainedError {
      // The files are correct. The next run adds the missing ledger entry.
      record.notes.append("the ledger couldn't be updated: \(error.explanation.why)")
    }
    return record
  }

  /// Whether the result is a complete copy that saves less than 1% of space. If so, a valid source is not replaced.
  private func savesTooLittleSpace(_ item: BatchItem, _ plan: ProcessingPlan, _ record: BatchRecord) -> Bool {
    guard item.output == item.name, plan.dropped.isEmpty, plan.video.encoding == nil else { return false }
    if case .encode = plan.audio { return false }
    let (before, after) = (record.sourceByteCount ?? 0, record.byteCount ?? 0)
    return before - after < before / 100
  }

  /// Moves the source to the trash and the result to its destination. Blocks until the operation has finished.
  private func performReplacement(
    _ item: BatchItem, by made: String, _ record: BatchRecord, _ source: LedgerSource
  ) throws -> (trash: Trash.Slot, result: FileIdentity) {
    let ledger = source.ledger
    let result = try FileIdentity.of(made)
    let trash = try ledger.reserveTrash(for: item.name)
    var entry = source.makeEntry(.made, item, output: result, record)
    entry.trash = trash.number
    try ledger.appendSynchronously(entry)
    do {
      try Replacement(root: ledger.root, slot: trash, output: item.output).replaceSource(
        with: made, original: source.identity)
    } catch {
      // Complete or revert the replacement immediately, so that it is never incomplete.
      guard try ledger.recoverReplacement(entry) == .completed else { throw error }
    }
    return (trash, result)
  }
}
