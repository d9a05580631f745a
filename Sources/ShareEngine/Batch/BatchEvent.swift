/// What a batch tells while it runs.
package enum BatchEvent: Sendable {
  /// Everything was looked at: so many files are to be made, with so many bytes.
  case planned(fileCount: Int, byteCount: Int64)
  case began(BatchItem, byteCount: Int64)
  /// 0 to 1, and how long its result will be.
  case progressed(BatchItem, fraction: Double, seconds: Double)
  /// Something is waited for: room on the disk, or, without a file, the time of the day.
  case paused(BatchItem?, reason: String)
  case resumed(BatchItem?)
  case ended(BatchItem, BatchRecord)
}

/// Sums over records.
package struct BatchTotals: Equatable, Sendable {
  package var counts: [BatchRecord.Status: Int] = [:]
  /// Of what was made or copied in this run: its sources and results.
  package var sourceByteCount: Int64 = 0
  package var byteCount: Int64 = 0

  package init() {}

  package mutating func add(_ record: BatchRecord) {
    counts[record.status, default: 0] += 1
    guard record.status == .done || record.status == .copied else { return }
    sourceByteCount += record.sourceByteCount ?? 0
    byteCount += record.byteCount ?? 0
  }

  package func count(_ status: BatchRecord.Status) -> Int { counts[status] ?? 0 }
}
