import ClipMedia
import ClipModel
import Highlights
import Upload

extension ExplainedError {
  /// The clip itself causes the failure: another run would fail the same way, unlike with a missing encoder or a full
  /// disk.
  var isCausedByClip: Bool {
    if let error = self as? ClipMediaError { return error.isFinal }
    switch self as? HighlightsError {
    case .clipRejected, .postFailed: return true
    default: return false
    }
  }
}

extension UploadError {
  /// What continues the job of a failed upload.
  enum Recovery {
    /// The same upload, in a later run.
    case sameUpload
    /// A new upload, at once.
    case newUpload
    /// A new upload in the next run. In this run, the server would refuse it for the same reason.
    case newUploadInNextRun
    /// Nothing: the job was cancelled on the server.
    case cancelledJob
  }

  var recovery: Recovery {
    switch self {
    case .unreachable, .serverDiskFull, .sourceChanged, .sourceUnreadable: .sameUpload
    case .urlExpired: .newUpload
    case .refused, .protocolViolation: .newUploadInNextRun
    case .cancelledRemotely: .cancelledJob
    }
  }
}

extension HighlightsError {
  /// The upload is lost, but the clip is usable: the next run requests a new upload.
  var requiresNewUpload: Bool {
    switch self {
    case .uploadCancelled, .uploadTimedOut: true
    // The backend has lost its data of the upload.
    case .refused(_, let status, _): status == 404
    default: false
    }
  }
}
