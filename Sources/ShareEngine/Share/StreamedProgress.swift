import ClipMedia
import ClipModel
import Foundation
import Synchronization
import Upload

/// The progress of an upload that runs while its clip is encoded. Its finished part and
/// the encoded fraction determine the estimated size of the clip.
final class StreamedProgress: Sendable {
  private struct State {
    var sentByteCount: Int64 = 0
    /// The estimated size of the clip, or 0 before its first part is finished.
    var estimatedByteCount = 0.0
    var encodedFraction = 0.0
    var isEncoding = true
  }

  private let job: UUID
  private let report: @Sendable (ShareEvent) -> Void
  private let state = Mutex(State())

  init(_ job: UUID, report: @escaping @Sendable (ShareEvent) -> Void) {
    (self.job, self.report) = (job, report)
  }

  /// Handles an event of the encode. Can be called on any thread.
  func add(_ event: StreamedOutputEvent) {
    state.withLock { state in
      switch event {
      case .started: state = State()
      case .extended(let part): state.estimatedByteCount = Double(part.byteCount) / max(state.encodedFraction, 0.01)
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

  /// Returns the uploaded fraction for an event of the encode, or `nil` if nothing was sent.
  func uploadedFraction(atEncoded fraction: Double) -> Double? {
    state.withLock { state in
      state.encodedFraction = fraction
      guard state.sentByteCount > 0, state.estimatedByteCount > 0 else { return nil }
      return min(Double(state.sentByteCount) / state.estimatedByteCount, 0.99)
    }
  }
}
