public import ClipModel

extension ShareStage {
  /// The arrow that leads on from here.
  public var nextArrow: ShareStep {
    switch self {
    case .queued: .probe
    case .probed: .plan
    case .planned: .process
    case .processed, .uploading: .upload
    case .uploaded, .registered, .rejected, .cancelled: .register
    }
  }

  /// What the work keeps busy.
  enum Part {
    case making, sending, registering
  }

  /// `nil` when there is nothing left to do.
  var part: Part? {
    switch self {
    case .queued, .probed, .planned: .making
    case .processed, .uploading: .sending
    case .uploaded: .registering
    case .registered, .rejected, .cancelled: nil
    }
  }

  /// The highlight is there.
  package var isRegistered: Bool { if case .registered = self { true } else { false } }

  /// Refused by the rules.
  package var isRejected: Bool { if case .rejected = self { true } else { false } }

  /// The backend's id of the upload that holds the clip, or will.
  var uploadID: String? {
    switch self {
    case .uploading(_, let session): session.uploadID
    case .uploaded(_, let receipt): receipt.uploadID
    case .queued, .probed, .planned, .processed, .registered, .rejected, .cancelled: nil
    }
  }

  /// The source's bytes will be read again.
  var needsSource: Bool {
    switch self {
    case .queued, .probed, .planned: true
    case .processed, .uploading, .uploaded, .registered, .rejected, .cancelled: false
    }
  }

  /// The processed clip whose bytes will be read again.
  var clipToSend: ProcessedClip? {
    switch self {
    case .processed(let clip), .uploading(let clip, _): clip
    case .queued, .probed, .planned, .uploaded, .registered, .rejected, .cancelled: nil
    }
  }
}

extension UploadState.Status {
  /// What is waited for, for people who look at a progress line.
  var awaited: String? {
    switch self {
    case .waiting: "waiting until the backend has noticed the clip"
    case .assetCreated: "waiting until the clip can be watched"
    case .ready: "waiting for the highlight"
    case .errored, .cancelled, .timedOut: nil
    }
  }
}
