import ClipMedia
import ClipModel
import Highlights

extension ExplainedError {
  /// Whether the clip itself caused the failure, so that a retry would fail the same way. Missing encoders and full
  /// disks don't count.
  var isCausedByClip: Bool {
    if case .clipRejected? = self as? HighlightsError { return true }
    return (self as? ClipMediaError)?.isFinal ?? false
  }
}

extension HighlightsError {
  /// Whether the upload is lost but the clip is still usable. If so, the next run requests a new upload.
  var requiresNewUpload: Bool {
    switch self {
    case .uploadCancelled, .uploadTimedOut: true
    // A status of 404 means that the backend no longer has the upload's data.
    case .refused(_, let status, _): status == 404
    default: false
    }
  }
}
