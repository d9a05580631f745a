public import Foundation

/// The job of sharing one clip: the request and the progress. The journal stores it after each step.
public struct ShareJob: Codable, Equatable, Sendable {
  /// The ID of the job, which differs from that of the highlight.
  public var id: UUID
  /// The source file as it was when the job was created.
  public var source: SourceFile
  /// The request.
  public var request: ShareRequest
  /// The ID of the highlight, generated together with the job.
  public var highlightID: UUID
  /// The position of the clip in a post of several clips; `nil` for a single clip.
  public var post: PostPart?
  /// The shared rally, which is set with the plan; `nil` if the clip is shared without metadata.
  public var rally: SharedRally?
  /// The number of lost uploads. Together with the job's ID, it is the idempotency key.
  public var attempt = 0
  /// The name of the job's backend (`local`, `supabase`, `mux`). A job never changes its backend.
  public var backend: String
  /// The progress.
  public var stage = ShareStage.queued
  /// Why the job is not progressing; `nil` if it is, or if the reason is unknown.
  public var setback: JobFailure?
  /// Unix seconds.
  public var createdAt: Int64
  /// When the last step was completed, in Unix seconds.
  public var updatedAt: Int64

  public init(
    id: UUID, source: SourceFile, request: ShareRequest, highlightID: UUID, post: PostPart? = nil, backend: String,
    createdAt: Int64
  ) {
    self.id = id
    self.source = source
    self.request = request
    self.highlightID = highlightID
    self.post = post
    self.backend = backend
    self.createdAt = createdAt
    updatedAt = createdAt
  }

  /// The key for the current attempt. If a response was lost, repeating the request returns the same upload.
  public var idempotencyKey: String { "\(id.uuidString.lowercased())-\(attempt)" }
}

/// The position of a job's clip in a post. Each clip has a separate job, and all of these jobs have the same highlight.
public struct PostPart: Codable, Equatable, Sendable {
  /// The zero-based index.
  public var part: Int
  /// The number of clips: 2 to `HighlightDraft.maximumPartCount`.
  public var count: Int

  public init(part: Int, count: Int) {
    self.part = part
    self.count = count
  }
}

/// Why a job is not progressing.
public struct JobFailure: Codable, Equatable, Sendable {
  /// `the server responded with 503`. It does not contain secrets.
  public var reason: String
  /// When it happened, in Unix seconds.
  public var at: Int64
  /// When the process that owns the job tries again, in Unix seconds; `nil` if it has given up.
  public var retryAt: Int64?

  public init(reason: String, at: Int64, retryAt: Int64? = nil) {
    self.reason = reason
    self.at = at
    self.retryAt = retryAt
  }
}

/// The user's request, which does not change after the job is created.
public struct ShareRequest: Codable, Equatable, Sendable {
  /// The caption with its hashtags, at most `HighlightDraft.maximumCaptionLength` characters; `nil` if there is none.
  public var caption: String?
  /// Who can see the highlight.
  public var privacy: PrivacyLevel
  /// Whether the number of likes is hidden from other users.
  public var hideLikes: Bool
  /// The rally metadata of the clip.
  public var metadata: MetadataRequest
  /// The settings for processing.
  public var settings: ProcessingSettings
  /// The selected part of the file in seconds. It overrides the times of the rally.
  public var cut: Range<Double>?
  /// The absolute path, without an extension, for pictures that the user keeps: `/clips/final` for
  /// `/clips/final-sheet.jpg`; `nil` if none were requested.
  public var pictureBase: String?

  public init(
    caption: String? = nil, privacy: PrivacyLevel = .everyone, hideLikes: Bool = false,
    metadata: MetadataRequest = MetadataRequest(), settings: ProcessingSettings = ProcessingSettings(),
    cut: Range<Double>? = nil, pictureBase: String? = nil
  ) {
    self.caption = caption
    self.privacy = privacy
    self.hideLikes = hideLikes
    self.metadata = metadata
    self.settings = settings
    self.cut = cut
    self.pictureBase = pictureBase
  }
}

/// The rally metadata that the user selected for a clip.
public struct MetadataRequest: Codable, Equatable, Sendable {
  /// The absolute path; `nil` to search next to the clip.
  public var path: String?
  /// How the rally's times relate to the file.
  public var mode: MetadataMode
  /// The zero-based index, as in the app.
  public var rallyIndex: Int?
  /// Whether the clip is shared even without metadata. Only the local backend accepts this.
  public var isOptional: Bool

  public init(
    path: String? = nil, mode: MetadataMode = .auto, rallyIndex: Int? = nil, isOptional: Bool = false
  ) {
    self.path = path
    self.mode = mode
    self.rallyIndex = rallyIndex
    self.isOptional = isOptional
  }
}

/// The properties of the chosen rally, copied from its metadata when the job is created.
public struct SharedRally: Codable, Equatable, Sendable {
  /// The app's ID of the source video.
  public var videoID: UUID
  /// The zero-based index in `rallySegments` of the source video.
  public var index: Int
  /// The confidence of the detection, 0 to 1.
  public var confidence: Double
  /// The quality as rated by the app, 0 to 1.
  public var quality: Double
  /// The number of ball detections in the rally.
  public var detectionCount: Int
  /// The part of the source file that is the rally, in seconds; `nil` if the file is the rally.
  public var cut: Range<Double>?
}

/// The progress of a job. Each case contains the last result, so that a resumed job continues with the next step.
public enum ShareStage: Codable, Equatable, Sendable {
  /// No step has been completed.
  case queued
  /// The source was probed.
  case probed(ClipProbe)
  /// The plan was created from this probe. Jobs of the first version do not contain it.
  case planned(ProcessingPlan, ClipProbe?)
  /// The clip was processed and is in the job's folder.
  case processed(ProcessedClip)
  /// The upload has started.
  case uploading(ProcessedClip, UploadSession)
  /// The server has received every byte.
  case uploaded(ProcessedClip, UploadReceipt)
  /// The highlight exists. Final.
  case registered(Highlight, ProcessedClip)
  /// Rejected by the rules. Final.
  case rejected([Finding])
  /// Canceled by the user. Final.
  case cancelled

  /// The name of the stage in lists and in the journal's index.
  public var name: String {
    switch self {
    case .queued: "queued"
    case .probed: "probed"
    case .planned: "planned"
    case .processed: "processed"
    case .uploading: "uploading"
    case .uploaded: "uploaded"
    case .registered: "registered"
    case .rejected: "rejected"
    case .cancelled: "cancelled"
    }
  }

  /// Whether the job has no further steps.
  public var isFinal: Bool {
    switch self {
    case .registered, .rejected, .cancelled: true
    case .queued, .probed, .planned, .processed, .uploading, .uploaded: false
    }
  }
}
