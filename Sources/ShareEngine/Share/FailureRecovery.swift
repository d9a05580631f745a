import ClipMedia
import ClipModel
import Highlights

extension ExplainedError {
  /// The clip itself causes the failure: another run would fail the same way, unlike with a missing encoder or a full
  /// disk.
  var isCausedByClip: Bool {
    if case .clipRejected? = self as? HighlightsError { return true }
    return (self as? ClipMediaError)?.isFinal ?? false
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
