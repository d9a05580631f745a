import ClipModel
import DurableFiles
import Foundation
import LocalBackend
import Reports
import ShareEngine

/// The jobs of this machine, as the pages of `bsc serve` show them: newest first.
actor ServedUploads {
  private let places: Places
  private var registry: JobRegistry?

  /// Of a long life of sharing the newest.
  private static let limit = 200

  init(places: Places) { self.places = places }

  /// - Throws: `ShareEngineError` from the journal.
  func list() async throws -> [QueuedUpload] {
    let registry = try await opened()
    // An entry that does not fit this version is told by `bsc jobs`.
    let jobs = Array(try await registry.journal.readable().suffix(Self.limit).reversed())
    return try await WorkerThread.run("bsc queue") { _ in jobs.map { Self.upload($0, registry) } }
  }

  /// Only when somebody looks: serving alone makes no journal.
  private func opened() async throws -> JobRegistry {
    if let registry { return registry }
    let registry = try await Jobs.registry(places)
    self.registry = registry
    return registry
  }

  private static func upload(_ job: ShareJob, _ registry: JobRegistry) -> QueuedUpload {
    let name = URL(filePath: job.source.path).lastPathComponent
    let part = job.post.map { " (clip \($0.part + 1) of \($0.count))" } ?? ""
    var upload = QueuedUpload(
      id: job.id.uuidString.lowercased(), clip: name.printable + part, state: job.stage.name)
    switch job.stage {
    case .uploading(_, let session):
      (upload.sentByteCount, upload.byteCount) = (session.confirmedOffset, session.byteCount)
    case .uploaded(_, let receipt):
      (upload.sentByteCount, upload.byteCount) = (receipt.byteCount, receipt.byteCount)
    case .registered(let highlight, let clip):
      (upload.sentByteCount, upload.byteCount) = (clip.byteCount, clip.byteCount)
      if job.backend == BackendKind.local.rawValue { upload.highlightID = highlight.id.uuidString.lowercased() }
    case .rejected(let findings): upload.reason = findings.first { $0.severity == .error }?.message
    case .queued, .probed, .planned, .processed, .cancelled: break
    }
    if !job.stage.isFinal {
      upload.reason = job.setback?.reason
      upload.next = next(job, registry)
    }
    return upload
  }

  private static func next(_ job: ShareJob, _ registry: JobRegistry) -> String {
    let wait = (job.setback?.retryAt ?? 0) - Int64(Date().timeIntervalSince1970)
    if wait > 0 { return "tries again in \(wait) s" }
    return registry.holder(of: job.id) == nil ? "bsc resume \(job.id.uuidString.lowercased().prefix(8))" : "at work"
  }
}
