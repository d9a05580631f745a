import ClipMedia
import ClipModel
import DurableFiles
import Foundation

/// Results that take their sources' places.
extension ClipBatch {
  func checkReplacement(_ item: BatchItem, _ place: Place) throws {
    try Replacement.check(item, root: place.ledger.root)
    if item.output != item.name { try StagedFile.check(item.destination, replacing: .keepExisting) }
  }

  /// - Parameters:
  ///   - made: the finished and verified result; gone when this returns.
  ///   - record: what is to be told of it.
  func replace(
    _ item: BatchItem, by made: String, _ plan: ProcessingPlan, _ record: BatchRecord, _ place: Place
  ) async throws -> BatchRecord {
    var record = record
    defer { try? DurableFile.remove(made) }
    guard !isInVain(item, plan, record) else {
      record.byteCount = record.sourceByteCount
      record.sha256 = place.key.sha256
      record.decisions = []
      record.notes = ["nothing to gain: it stays as it is"]
      try await finish(&record, item, place)
      return record
    }
    let done = record
    let replaced = try await WorkerThread.run("bsc replace") { _ in try carryOut(item, by: made, done, place) }
    record.original = Trash.path(of: replaced.trash)
    do {
      try await finish(&record, item, place, replaced: replaced)
    } catch let error as any ExplainedError {
      // The files are right, and say so: what the ledger lacks, the next run adds.
      record.notes.append("the ledger does not know it yet: \(error.explanation.why)")
    }
    return record
  }

  /// A copy of all of it that lacks nothing, and saves less than a hundredth: a sound source is left alone.
  private func isInVain(_ item: BatchItem, _ plan: ProcessingPlan, _ record: BatchRecord) -> Bool {
    guard item.output == item.name, plan.dropped.isEmpty, plan.video.encoding == nil else { return false }
    if case .encode = plan.audio { return false }
    let (before, after) = (record.sourceByteCount ?? 0, record.byteCount ?? 0)
    return before - after < before / 100
  }

  /// Blocks.
  private func carryOut(
    _ item: BatchItem, by made: String, _ record: BatchRecord, _ place: Place
  ) throws -> (trash: Trash.Place, result: FileIdentity) {
    let ledger = place.ledger
    let result = try FileIdentity.of(made)
    let trash = try ledger.takeTrash(for: item.name)
    var entry = place.entry(.made, item)
    entry.trash = trash.number
    entry.result = LedgerEntry.Result(
      byteCount: result.byteCount, modifiedNanoseconds: result.modifiedNanoseconds, sha256: record.sha256 ?? "",
      sourceByteCount: place.identity.byteCount, decisions: record.decisions, removed: record.removed,
      notes: record.notes)
    try ledger.appendNow(entry)
    do {
      try Replacement(root: ledger.root, place: trash, output: item.output).carryOut(made, original: place.identity)
    } catch {
      // Whatever came of it is put right at once: nobody has to find half a replacement.
      guard try ledger.settle(entry) == .carriedOut else { throw error }
    }
    return (trash, result)
  }
}
