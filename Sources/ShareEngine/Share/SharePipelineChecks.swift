import ClipModel
import DurableFiles
import Foundation

/// What has to hold before a job goes on: its files are what they were, and there is room.
extension SharePipeline {
  /// The job as it can go on: a changed source is refused, a processed clip that is gone or changed is made again.
  func checked(_ job: ShareJob) async throws -> ShareJob {
    guard !job.stage.isFinal else { return job }
    if job.stage.needsSource { try await requireSource(of: job, why: "the file") }
    guard let clip = job.stage.clipToSend else { return job }
    if (try? await journal.sha256(ofFileAt: clip.path)) == clip.sha256 { return job }
    try Task.checkCancellation()
    report(.noted(job.id, "the processed clip is gone or changed; making it again"))
    try await requireSource(of: job, why: "its processed clip is gone, and the file itself")
    var job = job
    // The bytes may come out differently, and must not be mixed with those that the old upload holds.
    if case .uploading = job.stage { job.attempt += 1 }
    return try await store(job, at: .queued)
  }

  /// - Parameter why: the beginning of a sentence that goes on with what is wrong with the file.
  private func requireSource(of job: ShareJob, why: String) async throws {
    let id = String(job.id.uuidString.lowercased().prefix(8))
    var facts: [String: String?] = ["file": job.source.name, "path": job.source.path, "job": id, "kind": why]
    do {
      guard try await journal.sha256(ofFileAt: job.source.path) != job.source.sha256 else { return }
    } catch let error as DurableFileError where error.explanation.category == .noInput {
      facts["reason"] = error.explanation.why
      throw ShareEngineError(.sourceMissing, facts)
    }
    throw ShareEngineError(.sourceChanged, facts)
  }

  /// The output is never bigger than the source by much; a full disk is told before an hour of work.
  func requireRoom(for plan: ProcessingPlan, of source: SourceFile, in folder: String) throws {
    // Of a cut only the part counts; its size is an estimate.
    let cut = plan.trim == nil ? nil : plan.estimatedByteCount.map { $0 * 3 / 2 }
    try DiskRoom.require(
      min(cut ?? source.byteCount, source.byteCount) + (64 << 20), at: folder, operation: "process the clip",
      folder: folder, text: .jobDiskFull)
  }
}
