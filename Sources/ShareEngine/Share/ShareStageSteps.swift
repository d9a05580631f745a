public import ClipModel

extension ShareStage {
  /// The step that follows this stage.
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

  /// The backend's ID for the upload.
  var uploadID: String? {
    switch self {
    case .uploading(_, let session): session.uploadID
    case .uploaded(_, let receipt): receipt.uploadID
    default: nil
    }
  }

  /// The processed clip that the next step uploads.
  var clipToSend: ProcessedClip? {
    switch self {
    case .processed(let clip), .uploading(let clip, _): clip
    default: nil
    }
  }
}

extension ShareJob {
  /// The backend's ID for the upload, which may have started before the clip was finished.
  var uploadID: String? { stage.uploadID ?? startedUpload?.session?.uploadID }

  /// Whether the highlight exists, but was not sent to the recipients yet.
  var awaitsLinks: Bool { stage.isRegistered && request.recipients != nil && linksSentAt == nil }
}

extension UploadState.Status {
  /// A description of what the job is waiting for, for a progress line.
  var progressText: String? {
    switch self {
    case .waiting: "waiting for the backend to receive the clip"
    case .assetCreated: "waiting for the clip to become playable"
    case .ready: "waiting for the highlight"
    case .errored, .cancelled, .timedOut: nil
    }
  }
}
