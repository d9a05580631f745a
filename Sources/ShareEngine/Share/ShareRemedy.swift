import ClipMedia
import ClipModel
import Highlights
import Upload

extension ExplainedError {
  /// The clip itself is the reason: whoever tries again gets the same answer. A missing encoder or a full disk is none.
  var judgesClip: Bool {
    if let error = self as? ClipMediaError { return error.isFinal }
    switch self as? HighlightsError {
    case .clipRejected, .postFailed: return true
    default: return false
    }
  }
}

extension UploadError {
  /// What helps a job whose upload failed.
  enum Remedy {
    /// The same upload goes on.
    case later
    /// A new upload from the backend, at once.
    case newUpload
    /// The server said no: it would say so again, but the next run need not meet the same URL.
    case newUploadLater
    case newClip
    case none
  }

  var remedy: Remedy {
    switch self {
    case .outOfReach, .serverDiskFull: .later
    case .urlExpired: .newUpload
    case .refused, .protocolViolation: .newUploadLater
    case .sourceChanged, .sourceUnreadable: .newClip
    case .cancelledRemotely: .none
    }
  }
}

extension HighlightsError {
  /// The upload is lost, the clip is fine: `bsc resume` begins a new one.
  var asksForNewUpload: Bool {
    switch self {
    case .uploadCancelled, .uploadTimedOut: true
    // The backend knows nothing of the upload: its data was lost.
    case .refused(_, let status, _): status == 404
    default: false
    }
  }
}
