import ClipMedia
import ClipModel
import Highlights

extension ExplainedError {
  /// Whether the clip itself caused the failure, so that another run would fail the same way. A missing encoder or a
  /// full disk is not caused by the clip.
  var isCausedByClip: Bool {
    if case .clipRejected? = self as? HighlightsError { return true }
    return (self as? ClipMediaError)?.isFinal ?? false
  }
}

extension HighlightsError {
  /// Whether the upload is lost but the clip is still usable, so that the next run requests a new upload.
  var requiresNewUpload: Bool {
    switch self {
    case .uploadCancelled, .uploadTimedOut: true
    // The backend no longer has the upload's data.
    case .refused(_, let status, _): status == 404
    default: false
    }
  }
}
