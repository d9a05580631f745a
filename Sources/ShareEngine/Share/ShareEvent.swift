public import ClipModel
public import Foundation
public import Upload

/// The five steps of a share. The raw values appear in JSON events.
public enum ShareStep: String, Codable, Sendable, CaseIterable {
  /// Reads the properties of the file.
  case probe
  /// Creates a plan from the properties, or findings if the clip is rejected.
  case plan
  /// Creates the clip.
  case process
  /// Sends the clip.
  case upload
  /// Waits for the highlight.
  case register
}

/// The progress of a job. Reporters render it as text or JSON.
public enum ShareEvent: Sendable {
  /// The job exists. `isContinued` is true if an earlier run created it.
  case opened(ShareJob, isContinued: Bool)
  /// A step of the job started.
  case began(UUID, ShareStep)
  /// The completed fraction of the step, from 0 to 1 (`nil` if unknown), and a detail for display.
  case progressed(UUID, ShareStep, fraction: Double?, detail: ProgressDetail?)
  /// The step has ended, and the job was stored at its new stage.
  case ended(ShareJob, ShareStep)
  /// Information that is not a failure.
  case note(UUID, String)
  /// A problem that is not a failure, but may require action by the user.
  case warning(UUID, String)
}

extension ShareEvent {
  /// The progress of an upload. The fraction reaches 1 only when the server has acknowledged the whole file.
  public static func upload(_ job: UUID, _ progress: UploadProgress) -> ShareEvent {
    let total = progress.totalByteCount ?? 0
    let done = progress.confirmedByteCount + progress.sentByteCount
    var fraction = total > 0 ? min(Double(done) / Double(total), 0.99) : 0
    var detail = ProgressDetail.bytes(min(done, total), of: total)
    if let pause = progress.pause {
      detail = .pause(reason: pause.reason, pause.duration)
    } else if progress.isComplete {
      fraction = 1
    }
    return .progressed(job, .upload, fraction: fraction, detail: detail)
  }
}
