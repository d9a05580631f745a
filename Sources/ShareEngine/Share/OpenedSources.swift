import ClipMedia
import ClipModel
import Foundation
import Synchronization

/// The open source files of a run's jobs. Each file is opened only once, regardless of how many steps need it.
final class OpenedSources: Sendable {
  private let clips = Mutex<[UUID: OpenedClip]>([:])

  /// - Parameter knownProbe: the source's probe, if an earlier run stored it.
  /// - Throws: the same errors as `OpenedClip.init`.
  func open(_ job: ShareJob, knownProbe: ClipProbe? = nil) async throws -> OpenedClip {
    if let clip = clips.withLock({ $0[job.id] }) { return clip }
    let clip = try await OpenedClip(path: job.source.path, known: knownProbe)
    clips.withLock { $0[job.id] = clip }
    return clip
  }

  func close(_ job: ShareJob) { clips.withLock { $0[job.id] = nil } }
}
