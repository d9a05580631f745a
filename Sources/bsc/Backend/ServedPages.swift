import ClipModel
import Foundation
import LocalBackend
import Reports
import ShareEngine

extension QueuedUpload {
  /// The newest jobs of this machine, for the page of `bsc serve`. A journal is created when the page is first opened.
  static func list(_ places: Places) -> @Sendable () async throws -> [QueuedUpload] {
    { try await JobRegistry.open(places).newest(200).map(QueuedUpload.init) }
  }

  private init(_ job: JobSummary) {
    let part = job.post.map { " (clip \($0.part + 1) of \($0.count))" } ?? ""
    self.init(id: job.id, clip: URL(filePath: job.source).lastPathComponent.printable + part, state: job.state)
    (sentByteCount, byteCount) = (job.confirmedByteCount, job.confirmedByteCount == nil ? nil : job.byteCount)
    reason = job.findings?.first { $0.severity == .error }?.message
    if job.backend == BackendKind.local.rawValue { highlightID = job.highlight?.id.uuidString.lowercased() }
    if job.highlight == nil, job.findings == nil, job.state != "cancelled" {
      reason = job.setback?.reason
      next =
        job.secondsToRetry.map { "retries in \($0) s" }
        ?? (job.process == nil ? "bsc resume \(job.id.prefix(8))" : "running")
    }
  }
}

extension ServedReport {
  /// The report of a batch, or a results folder.
  /// - Throws: `ShareEngineError` if it is neither.
  init(path: String) throws {
    let request = try BatchReportRequest(path: path)
    let cache = BatchPageCache()
    self.init(name: (request.path as NSString).lastPathComponent) {
      let all = try await request.records()
      return try await cache.html(all)
    }
  }
}

/// The most recent page of a report. It is rendered only when the records have changed, because its pictures take time.
private actor BatchPageCache {
  private var last: (records: [BatchRecord], html: String)?

  func html(_ all: [(record: BatchRecord, output: String?)]) async throws -> String {
    let records = all.map(\.record)
    if let last, last.records == records { return last.html }
    let html = try await BatchPage.html(all, seconds: records.reduce(0) { $0 + $1.seconds })
    last = (records, html)
    return html
  }
}
