import ClipMedia
import ClipModel
import Foundation
import Synchronization
import Upload

/// The progress of an upload that runs while its clip is encoded. The finished part predicts the size of the clip.
final class StreamedProgress: Sendable {
  private struct State {
    var sentByteCount: Int64 = 0
    /// The predicted size of the clip, or 0 before its first part is finished.
    var predictedByteCount = 0.0
    var isEncoding = true
  }

  private let job: UUID
  private let durationSeconds: Double
  private let report: @Sendable (ShareEvent) -> Void
  private let state = Mutex(State())

  /// - Parameter durationSeconds: the planned duration of the clip.
  init(_ job: UUID, durationSeconds: Double, report: @escaping @Sendable (ShareEvent) -> Void) {
    (self.job, self.durationSeconds, self.report) = (job, durationSeconds, report)
  }

  /// Handles an event of the encode. Can be called on any thread.
  func add(_ event: StreamedOutputEvent) {
    state.withLock { state in
      switch event {
      case .started: state = State()
      case .extended(let part): state.predictedByteCount = part.predictedByteCount(ofSeconds: durationSeconds)
      }
    }
  }

  /// Handles the progress of the upload. During the encode, the events of the encode contain it.
  func add(_ progress: UploadProgress) {
    let isEncoding = state.withLock { state in
      state.sentByteCount = progress.confirmedByteCount + progress.sentByteCount
      return state.isEncoding
    }
    if let note = progress.note { report(.note(job, note)) }
    if !isEncoding { report(.upload(job, progress)) }
  }

  func endEncode() { state.withLock { $0.isEncoding = false } }

  /// The uploaded fraction for an event of the encode, or `nil` if nothing was sent.
  var uploadedFraction: Double? {
    state.withLock { state in
      guard state.sentByteCount > 0, state.predictedByteCount > 0 else { return nil }
      return min(Double(state.sentByteCount) / state.predictedByteCount, 0.99)
    }
  }
}
