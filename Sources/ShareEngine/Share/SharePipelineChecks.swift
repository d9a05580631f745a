import ClipModel
import DurableFiles
import Foundation

/// Checks before a job continues: whether its files are unchanged, and whether the disk has enough free space.
extension SharePipeline {
  /// Returns the job at the stage from which it can continue. If the processed clip is missing or has changed, the job
  /// starts again at its first step.
  /// - Throws: `ShareEngineError` if the source file is missing or has changed.
  func requireJobFiles(of job: ShareJob) async throws -> ShareJob {
    guard !job.stage.isFinal else { return job }
    if Self.preparationSteps.contains(job.stage.nextStep) { try await requireSourceFile(of: job, subject: "the file") }
    guard let clip = job.stage.clipToSend else { return job }
    if (try? await journal.sha256(ofFileAt: clip.path)) == clip.sha256 { return job }
    try Task.checkCancellation()
    report(.note(job.id, "the processed clip is missing or has changed; processing the source again"))
    try await requireSourceFile(of: job, subject: "the processed clip is missing, and the source file")
    var job = job
    // The new clip's bytes and draft can differ, so they must not become part of the old upload.
    if case .uploading = job.stage { job.attempt += 1 } else if job.startedUpload != nil { job.attempt += 1 }
    return try await storeJob(job, at: .queued)
  }

  /// - Parameter subject: the subject of the error's reason, which continues with `cannot be read` or `has changed`.
  private func requireSourceFile(of job: ShareJob, subject: String) async throws {
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

  /// - Throws: `ShareEngineError` if the disk has too little free space. The check prevents hours of wasted work.
  func requireDiskSpace(for plan: ProcessingPlan, of source: SourceFile, in folder: String) throws {
    // The output is rarely larger than the source. The output size of a cut is estimated.
    let cut = plan.trim == nil ? nil : plan.estimatedByteCount.map { $0 * 3 / 2 }
    try DiskSpace.requireFreeSpace(
      min(cut ?? source.byteCount, source.byteCount) + (64 << 20), at: folder, operation: "process the clip",
      folder: folder, text: .jobDiskFull)
  }
}
