package import ClipModel

/// An event during a batch.
package enum BatchEvent: Sendable {
  /// All files were checked. The values are the number and total size of the files to process.
  case planned(fileCount: Int, byteCount: Int64)
  case began(BatchItem, byteCount: Int64)
  /// An interrupted encode of the file continues.
  case continued(BatchItem, EncodingProgress)
  /// The completed fraction of a file, from 0 to 1, and the duration of its result in seconds.
  case progressed(BatchItem, fraction: Double, seconds: Double)
  /// The batch is paused. If a file is given, the batch waits for free disk space; otherwise, it waits for the
  /// scheduled time.
  case paused(BatchItem?, reason: String)
  case resumed(BatchItem?)
  case ended(BatchItem, BatchRecord)
}

/// The totals over several batch records.
package struct BatchTotals: Equatable, Sendable {
  package private(set) var counts: [BatchRecord.Status: Int] = [:]
  /// The total sizes of the sources whose results this run created or copied, and of these results, in bytes.
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
