/// The progress of a batch.
package enum BatchEvent: Sendable {
  /// All files were examined: the number and total size of those that need work.
  case planned(fileCount: Int, byteCount: Int64)
  case began(BatchItem, byteCount: Int64)
  /// The completed fraction (0 to 1), and the duration of the result.
  case progressed(BatchItem, fraction: Double, seconds: Double)
  /// The batch is paused: until disk space is free if a file is given, otherwise until the scheduled time of day.
  case paused(BatchItem?, reason: String)
  case resumed(BatchItem?)
  case ended(BatchItem, BatchRecord)
}

/// The totals of several records.
package struct BatchTotals: Equatable, Sendable {
  package private(set) var counts: [BatchRecord.Status: Int] = [:]
  /// The total sizes of the sources and results that this run created or copied.
  package private(set) var sourceByteCount: Int64 = 0
  package private(set) var byteCount: Int64 = 0

  package init() {}

  package mutating func add(_ record: BatchRecord) {
    counts[record.status, default: 0] += 1
    guard record.status == .done || record.status == .copied else { return }
    sourceByteCount += record.sourceByteCount ?? 0
    byteCount += record.byteCount ?? 0
  }

  package func count(_ status: BatchRecord.Status) -> Int { counts[status] ?? 0 }
}
