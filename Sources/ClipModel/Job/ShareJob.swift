public import Foundation

/// One clip on its way: what was asked for, and how far it got. The journal stores it after each arrow.
public struct ShareJob: Codable, Equatable, Sendable {
  /// Of the job; never of the highlight.
  public var id: UUID
  /// The file, as it was when the job was made.
  public var source: SourceFile
  /// What was asked for.
  public var request: ShareRequest
  /// Made once, with the job: the identity of the highlight whatever happens.
  public var highlightID: UUID
  /// Its place among the clips that become one highlight together; `nil` for a clip of its own.
  public var post: PostPlace?
  /// The rally that is shared; set with the plan, `nil` where sharing without metadata is allowed.
  public var rally: SharedRally?
  /// Counts uploads that were lost; with the job's id it is the idempotency key.
  public var attempt: Int
  /// The name of the backend this job belongs to (`local`, `supabase`, `mux`): it is never finished on another one.
  public var backend: String
  /// How far it is.
  public var stage: ShareStage
  /// What keeps it from going on; `nil` when nothing does or nothing is known.
  public var setback: Setback?
  /// Unix seconds.
  public var createdAt: Int64
  /// Unix seconds of the last arrow.
  public var updatedAt: Int64

  public init(
    id: UUID, source: SourceFile, request: ShareRequest, highlightID: UUID, post: PostPlace? = nil,
    rally: SharedRally? = nil, attempt: Int = 0, backend: String, stage: ShareStage = .queued, createdAt: Int64,
    updatedAt: Int64
  ) {
    self.id = id
    self.source = source
    self.request = request
    self.highlightID = highlightID
    self.post = post
    self.rally = rally
    self.attempt = attempt
    self.backend = backend
    self.stage = stage
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }

  /// The same key for the same attempt, so that a lost answer gives the same upload and not a second one.
  public var idempotencyKey: String { "\(id.uuidString.lowercased())-\(attempt)" }
}

/// Which clip of a post of several a job is: each clip is a job of its own, all of them have one highlight.
public struct PostPlace: Codable, Equatable, Sendable {
  /// From 0.
  public var part: Int
  /// 2 to `HighlightDraft.mostParts`.
  public var count: Int

  public init(part: Int, count: Int) {
    self.part = part
    self.count = count
  }
}

/// Why a job is not further than it is.
public struct Setback: Codable, Equatable, Sendable {
  /// `the server answered 503`. Holds no secret.
  public var reason: String
  /// Unix seconds.
  public var at: Int64
  /// Unix seconds at which the process that works on the job tries again; `nil` when it has given up.
  public var retryAt: Int64?

  public init(reason: String, at: Int64, retryAt: Int64? = nil) {
    self.reason = reason
    self.at = at
    self.retryAt = retryAt
  }
}

/// What the user asked for, fixed when the job is made.
public struct ShareRequest: Codable, Equatable, Sendable {
  /// With hashtags, at most `HighlightDraft.longestCaption` characters; `nil` without one.
  public var caption: String?
  /// Who may see the highlight.
  public var privacy: PrivacyLevel
  /// Others shall not see how many like it.
  public var hideLikes: Bool
  /// Which rally metadata belongs to it.
  public var metadata: MetadataRequest
  /// What is made of it.
  public var settings: ProcessingSettings
  /// A part of the file chosen by hand, seconds from its start; it goes before the rally's own times.
  public var cut: Range<Double>?
  /// Where pictures are kept for the user, an absolute path without extension: `/clips/final` for
  /// `/clips/final-sheet.jpg`; `nil` when none was requested.
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

/// Which rally metadata belongs to a clip, as far as the user said.
public struct MetadataRequest: Codable, Equatable, Sendable {
  /// Absolute path; `nil` looks beside the clip.
  public var path: String?
  /// How the rally's times relate to the file.
  public var mode: MetadataMode
  /// Zero-based, as in the app.
  public var rallyIndex: Int?
  /// Without metadata the clip is shared all the same; the local backend only.
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

/// The facts of the chosen rally, taken from its metadata when the job is made.
public struct SharedRally: Codable, Equatable, Sendable {
  /// The app's id of the original video.
  public var videoID: UUID
  /// Zero-based index in `rallySegments` of the original video.
  public var index: Int
  /// How sure the app was that this is a rally, 0 to 1.
  public var confidence: Double
  /// How good the app found the rally, 0 to 1.
  public var quality: Double
  /// Samples of the ball's flight in it.
  public var detectionCount: Int
  /// Where the rally lies in the source file, in seconds; `nil` when the file is the rally.
  public var cut: Range<Double>?
}

/// How far a job is: each case carries the last finished value, so resuming is continuing at the next arrow.
public enum ShareStage: Codable, Equatable, Sendable {
  /// Nothing was done yet.
  case queued
  /// The facts are known.
  case probed(ClipProbe)
  /// Decided, from these facts; jobs of the first version have none.
  case planned(ProcessingPlan, ClipProbe?)
  /// The clip is made and lies in the job's folder.
  case processed(ProcessedClip)
  /// The backend has given a URL; so much has arrived.
  case uploading(ProcessedClip, UploadSession)
  /// The server has every byte.
  case uploaded(ProcessedClip, UploadReceipt)
  /// The highlight is there; final.
  case registered(Highlight, ProcessedClip)
  /// Refused by the rules; final.
  case rejected([Finding])
  /// Taken back by the user; final.
  case cancelled

  /// The word for it in lists and in the journal's index.
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

  /// No arrow leads on from here.
  public var isFinal: Bool {
    switch self {
    case .registered, .rejected, .cancelled: true
    case .queued, .probed, .planned, .processed, .uploading, .uploaded: false
    }
  }
}
