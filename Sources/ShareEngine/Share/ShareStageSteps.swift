public import ClipModel

extension ShareStage {
  /// The step that follows.
  public var nextStep: ShareStep {
    switch self {
    case .queued: .probe
    case .probed: .plan
    case .planned: .process
    case .processed, .uploading: .upload
    case .uploaded, .registered, .rejected, .cancelled: .register
    }
  }

  package var isRegistered: Bool { if case .registered = self { true } else { false } }

  package var isRejected: Bool { if case .rejected = self { true } else { false } }

  /// The backend's ID of the upload.
  var uploadID: String? {
    switch self {
    case .uploading(_, let session): session.uploadID
    case .uploaded(_, let receipt): receipt.uploadID
    default: nil
    }
  }

  /// The processed clip that the next step sends.
  var clipToSend: ProcessedClip? {
    switch self {
    case .processed(let clip), .uploading(let clip, _): clip
    default: nil
    }
  }
}

extension UploadState.Status {
  /// What the job is waiting for, as text for a progress line.
  var progressText: String? {
    switch self {
    case .waiting: "waiting until the backend has received the clip"
    case .assetCreated: "waiting until the clip can be played"
    case .ready: "waiting for the highlight"
    case .errored, .cancelled, .timedOut: nil
    }
  }
}
