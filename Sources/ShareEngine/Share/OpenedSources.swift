import ClipMedia
import ClipModel
import Foundation
import Synchronization

/// The sources of the jobs that a run works on: each is opened once, however many arrows need it.
final class OpenedSources: Sendable {
  private let opened = Mutex<[UUID: OpenedClip]>([:])

  /// - Parameter known: the source's facts, when an earlier run stored them.
  /// - Throws: as `OpenedClip.init`.
  func open(_ job: ShareJob, known: ClipProbe? = nil) async throws -> OpenedClip {
    if let clip = opened.withLock({ $0[job.id] }) { return clip }
    let clip = try await OpenedClip(path: job.source.path, known: known)
    opened.withLock { $0[job.id] = clip }
    return clip
  }

  /// Forgets what a finished or rejected job no longer needs.
  func close(_ job: ShareJob) { opened.withLock { $0[job.id] = nil } }
}
