public import Foundation

/// A job that shares one clip: the request and its progress. The journal stores the job after each step.
public struct ShareJob: Codable, Equatable, Sendable {
  /// The job ID, which differs from the highlight ID.
  public var id: UUID
  /// The source file at the time the job was created.
  public var source: SourceFile
  /// What the user asked bsc to share.
  public var request: ShareRequest
  /// The highlight ID, which is generated together with the job.
  public var highlightID: UUID
  /// The clip's position in a post with several clips; `nil` for a single clip.
  public var post: PostPart?
  /// The shared rally, which is set together with the plan; `nil` if the clip is shared without metadata.
  public var rally: SharedRally?
  /// The number of uploads that were lost. The job ID and this number form the idempotency key.
  public var attempt = 0
  /// The job's backend (`local`, `supabase` or `mux`). A job never changes its backend.
  public var backend: String
  /// The last completed step and its result.
  public var stage = ShareStage.queued
  /// Whether the clip is uploaded while it's encoded; `nil` if the process that runs the job decides.
  package var streaming: UploadStreaming?
  /// The upload that was requested while the clip was being encoded; `nil` if there is none, or since it belongs to the
  /// stage.
  public var startedUpload: StartedUpload?
  /// The reason why the job isn't progressing; `nil` if the job is progressing or the reason is unknown.
  public var setback: JobFailure?
  /// The privacy level of the account's settings, which is read before the first upload; `nil` before, and if the request
  /// doesn't use it.
  package var accountPrivacy: PrivacyLevel?
  /// When the highlight was sent to the recipients of the request, in Unix seconds; `nil` before.
  package var linksSentAt: Int64?
  /// When the job was created, in Unix seconds.
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

  /// Who can see the highlight: the stricter one of the request's and the account's level.
  package var privacy: PrivacyLevel {
    guard let accountPrivacy, accountPrivacy.strictness > request.privacy.strictness else { return request.privacy }
    return accountPrivacy
  }

  /// The idempotency key for the current attempt. If a response is lost, repeating the request returns the same upload.
  public var idempotencyKey: String { "\(id.uuidString.lowercased())-\(attempt)" }
}

/// The position of a job's clip in a post. Each clip has a separate job, and all jobs of a post share one highlight.
public struct PostPart: Codable, Equatable, Sendable {
  /// The zero-based index of the clip.
  public var part: Int
  /// The number of clips in the post, from 2 to `HighlightDraft.maximumPartCount`.
  public var count: Int

  public init(part: Int, count: Int) {
    self.part = part
    self.count = count
  }
}

/// The reason why a job isn't progressing.
public struct JobFailure: Codable, Equatable, Sendable {
  /// The cause, such as `the server responded with 503`. Never contains secrets.
  public var reason: String
  /// When the failure happened, in Unix seconds.
  public var at: Int64
  /// When the process that owns the job tries again, in Unix seconds; `nil` if that process has given up.
  public var retryAt: Int64?

  public init(reason: String, at: Int64, retryAt: Int64? = nil) {
    self.reason = reason
    self.at = at
    self.retryAt = retryAt
  }
}

/// The user's request, which doesn't change after the job is created.
public struct ShareRequest: Codable, Equatable, Sendable {
  /// The caption and its hashtags, with at most `HighlightDraft.maximumCaptionLength` characters; `nil` if there is
  /// none.
  public var caption: String?
  /// Who can see the highlight.
  public var privacy: PrivacyLevel
  /// Whether the account's settings decide who can see the highlight, because the user didn't. A stricter `privacy` still
  /// applies. `nil` means no.
  package var usesAccountPrivacy: Bool?
  /// Whether the number of likes is hidden from other users.
  public var hideLikes: Bool
  /// How to find the clip's rally metadata.
  public var metadata: MetadataRequest
  /// The settings for processing the clip.
  public var settings: ProcessingSettings
  /// The selected part of the file, in seconds. Overrides the rally's times.
  public var cut: Range<Double>?
  /// The absolute base path, without an extension, of the pictures to save: `/clips/final` for
  /// `/clips/final-sheet.jpg`; `nil` if no pictures were requested.
  public var pictureBase: String?
  /// The coaches to whom the highlight is sent once it exists; `nil` for none.
  package var recipients: HighlightRecipients?

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

/// The coaches to whom a highlight is sent.
package struct HighlightRecipients: Codable, Equatable, Sendable {
  /// The ID of the coaches' family.
  package var familyID: String
  /// The IDs of the coaches, in ascending order, so that equal requests compare equal.
  package var coachIDs: [String]
  /// The name of the way in which the links are sent, such as `email`.
  package var channel: String

  package init(familyID: String, coachIDs: some Sequence<String>, channel: String) {
    self.familyID = familyID
    self.coachIDs = Set(coachIDs).sorted()
    self.channel = channel
  }
}

/// The rally metadata that the user selected for a clip.
public struct MetadataRequest: Codable, Equatable, Sendable {
  /// The absolute path of the metadata file; `nil` to search next to the clip.
  public var path: String?
  /// How the rally's times relate to the file.
  public var mode: MetadataMode
  /// The zero-based index of the rally, as in the app.
  public var rallyIndex: Int?
  /// Whether the clip may be shared without metadata. Only the local backend accepts such clips.
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

/// The properties of the selected rally, copied from its metadata when the job is created.
public struct SharedRally: Codable, Equatable, Sendable {
  /// The app's ID for the source video.
  public var videoID: UUID
  /// The rally's zero-based index in the source video's `rallySegments`.
  public var index: Int
  /// The confidence of the rally detection, from 0 to 1.
  public var confidence: Double
  /// The quality score from the app, from 0 to 1.
  public var quality: Double
  /// The number of ball detections in the rally.
  public var detectionCount: Int
  /// The part of the source file that contains the rally, in seconds; `nil` if the entire file is the rally.
  public var cut: Range<Double>?
}

/// The progress of a job. Each case contains the results so far, so a resumed job continues with the next step.
public enum ShareStage: Codable, Equatable, Sendable {
  /// No step has completed yet.
  case queued
  /// The source was probed.
  case probed(ClipProbe)
  /// The plan was created from this probe. Jobs from the first version of bsc don't contain the probe.
  case planned(ProcessingPlan, ClipProbe?)
  /// The clip was processed and stored in the job folder.
  case processed(ProcessedClip)
  /// The upload has started.
  case uploading(ProcessedClip, UploadSession)
  /// The server has received all bytes.
  case uploaded(ProcessedClip, UploadReceipt)
  /// The highlight exists. This stage is final.
  case registered(Highlight, ProcessedClip)
  /// The rules rejected the clip. This stage is final.
  case rejected([Finding])
  /// The user canceled the job. This stage is final.
  case cancelled

  /// The stage name in lists and in the journal's index.
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

  /// Whether the job has no remaining steps.
  public var isFinal: Bool {
    switch self {
    case .registered, .rejected, .cancelled: true
    case .queued, .probed, .planned, .processed, .uploading, .uploaded: false
    }
  }
}
