public import ClipModel
public import Foundation
public import Upload

/// The five arrows of the flow, as people are told about them.
public enum ShareStep: String, Codable, Sendable, CaseIterable {
  /// From the file to its facts.
  case probe
  /// From facts to a plan, or to findings.
  case plan
  /// From the plan to the clip.
  case process
  /// From the clip to the server's receipt.
  case upload
  /// From the receipt to the highlight.
  case register
}

/// What happens to a job while it is worked on. Reporters render it as text or JSON.
public enum ShareEvent: Sendable {
  /// The job exists; `isContinued` when an earlier run began it.
  case opened(ShareJob, isContinued: Bool)
  /// Work on an arrow of the job begins.
  case began(UUID, ShareStep)
  /// Fraction done, 0 to 1, where there is one to tell; and what a person wants to know beside it.
  case progressed(UUID, ShareStep, fraction: Double?, detail: ProgressDetail?)
  /// The arrow is done, and the job stored at its new stage.
  case ended(ShareJob, ShareStep)
  /// Worth telling, and nothing failed.
  case noted(UUID, String)
  /// Nothing failed, but somebody may want to do something about it.
  case warned(UUID, String)
}

extension ShareEvent {
  /// How far an upload is, as people are told.
  public static func upload(_ job: UUID, _ progress: UploadProgress) -> ShareEvent {
    let total = progress.totalByteCount ?? 0
    let done = progress.confirmedByteCount + progress.sentByteCount
    // What was sent is not there yet: 100 % is said by the receipt alone.
    let fraction = total > 0 ? min(Double(done) / Double(total), 0.99) : 0
    if let pause = progress.pause {
      return .progressed(
        job, .upload, fraction: fraction,
        detail: .pause(reason: pause.reason, pause.duration))
    }
    return .progressed(
      job, .upload, fraction: progress.isComplete ? 1 : fraction,
      detail: .bytes(min(done, total), of: total))
  }
}
