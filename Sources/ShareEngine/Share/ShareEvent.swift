public import ClipModel
public import Foundation
public import Upload

/// The five steps of a share. The raw values appear in JSON events.
public enum ShareStep: String, Codable, Sendable, CaseIterable {
  /// Reads the clip's properties.
  case probe
  /// Creates a processing plan from the clip's properties, or findings if the clip is rejected.
  case plan
  /// Creates the processed clip.
  case process
  /// Uploads the processed clip.
  case upload
  /// Waits until the highlight exists.
  case register
}

/// An event in the progress of a job. Reporters render events as text or JSON.
public enum ShareEvent: Sendable {
  /// The job exists. `isContinued` is true if an earlier run created it.
  case opened(ShareJob, isContinued: Bool)
  /// A step of the job has started.
  case began(UUID, ShareStep)
  /// The step's completed fraction, from 0 to 1 (`nil` if unknown), and a detail for display.
  case progressed(UUID, ShareStep, fraction: Double?, detail: ProgressDetail?)
  /// The step has ended, and the journal contains the job at its new stage.
  case ended(ShareJob, ShareStep)
  /// Information that is not a failure.
  case note(UUID, String)
  /// A problem that is not a failure, but might require action by the user.
  case warning(UUID, String)
}

extension ShareEvent {
  /// Creates an event for the progress of an upload. The fraction reaches 1 only when the server has acknowledged the
  /// entire file.
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
