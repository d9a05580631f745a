import ClipModel
import Foundation
import LocalBackend
import Reports
import ShareEngine

#if Recruiting
import Recruiting
#endif

extension QueuedUpload {
  /// Returns a function that lists this machine's most recent jobs, for the uploads page of `bsc serve`.
  static func makeList(_ places: ApplicationFolders) -> @Sendable () async throws -> [QueuedUpload] {
    { try await JobRegistry.loadMostRecentJobs(200, in: places).map(QueuedUpload.init) }
  }

  private init(_ job: JobSummary) {
    let part = job.post.map { " (clip \($0.part + 1) of \($0.count))" } ?? ""
    self.init(id: job.id, clip: URL(filePath: job.source).lastPathComponent.printable + part, state: job.state)
    (sentByteCount, byteCount) = (job.confirmedByteCount, job.confirmedByteCount == nil ? nil : job.byteCount)
    reason = job.findings?.first { $0.severity == .error }?.message
    if job.backend == BackendKind.local.rawValue { highlightID = job.highlight?.id.uuidString.lowercased() }
    if job.highlight == nil, job.findings == nil, job.state != "cancelled" {
      reason = job.setback?.reason
      isRunning = job.process != nil
      next =
        job.secondsToRetry.map { "retries in \($0) s" }
        ?? (job.process == nil ? "bsc resume \(job.id.prefix(8))" : "running")
    }
  }
}

extension ServedReport {
  /// Creates a page from a batch report or an output folder.
  /// - Throws: `ShareEngineError` if the path is neither.
  init(path: String) throws {
    let request = try BatchReportRequest(path: path)
    let cache = BatchPageCache()
    self.init(name: (request.path as NSString).lastPathComponent) {
      let all = try await request.readRecords()
      return try await cache.renderHTML(all)
    }
  }
}

/// The most recently rendered page of a report. Rendering takes time because of the pictures, so the page is rendered
/// again only if the records have changed.
private actor BatchPageCache {
  private var last: (records: [BatchRecord], html: String)?

  func renderHTML(_ all: [(record: BatchRecord, output: String?)]) async throws -> String {
    let records = all.map(\.record)
    if let last, last.records == records { return last.html }
    let html = try await BatchPage.renderHTML(all, seconds: records.reduce(0) { $0 + $1.seconds })
    last = (records, html)
    return html
  }
}

#if Recruiting
extension RecruitingSession {
  /// Returns a function that syncs a family's posts as the owner of the server, for its pages.
  static func makeSync(_ environment: EngineEnvironment) -> @Sendable (_ family: String) async throws -> Int {
    { id in
      let session = try RecruitingSession(environment)
      return try await session.runAndClose {
        guard let family = try await session.api.families().first(where: { $0.id == id }) else {
          throw RecruitingError(.notFound, ["operation": "sync the posts"])
        }
        let report = try await session.sync(family)
        if report.isFailure { throw CommandFailure(.syncFailed, ["count": "\(report.results.count)"]) }
        return report.ingest.added
      }
    }
  }
}
#endif
