import ClipModel
import DurableFiles
import Foundation

/// Conditions for continuing a job: its files are unchanged, and the disk has enough space.
extension SharePipeline {
  /// The job at the stage from which it can continue. A processed clip that is missing or has changed is processed
  /// again.
  /// - Throws: `ShareEngineError` when the source is missing or has changed.
  func requireFiles(of job: ShareJob) async throws -> ShareJob {
    guard !job.stage.isFinal else { return job }
    if Self.preparationSteps.contains(job.stage.nextStep) { try await requireSource(of: job, subject: "the file") }
    guard let clip = job.stage.clipToSend else { return job }
    if (try? await journal.sha256(ofFileAt: clip.path)) == clip.sha256 { return job }
    try Task.checkCancellation()
    report(.note(job.id, "the processed clip is missing or changed; processing it again"))
    try await requireSource(of: job, subject: "its processed clip is missing, and the source file")
    var job = job
    // The bytes of the new clip can differ, so they must not be appended to those of the old upload.
    if case .uploading = job.stage { job.attempt += 1 }
    return try await store(job, at: .queued)
  }

  /// - Parameter subject: the subject of the error's reason, before `cannot be read` or `changed`.
  private func requireSource(of job: ShareJob, subject: String) async throws {
    var facts: [String: String?] = [
      "file": job.source.name, "path": job.source.path, "job": job.id.shortText, "kind": subject,
    ]
    do {
      guard try await journal.sha256(ofFileAt: job.source.path) != job.source.sha256 else { return }
    } catch let error as DurableFileError where error.explanation.category == .noInput {
      facts["reason"] = error.explanation.why
      throw ShareEngineError(.sourceMissing, facts)
    }
    throw ShareEngineError(.sourceChanged, facts)
  }

  /// - Throws: `ShareEngineError` if the disk has too little space, before hours of work would be wasted.
  func requireSpace(for plan: ProcessingPlan, of source: SourceFile, in folder: String) throws {
    // The output is hardly ever larger than the source. For a cut, its size is estimated.
    let cut = plan.trim == nil ? nil : plan.estimatedByteCount.map { $0 * 3 / 2 }
    try DiskSpace.require(
      min(cut ?? source.byteCount, source.byteCount) + (64 << 20), at: folder, operation: "process the clip",
      folder: folder, text: .jobDiskFull)
  }
}
