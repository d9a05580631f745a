public import Foundation

/// Who can see a highlight. The raw values match the backend.
public enum PrivacyLevel: String, Codable, Sendable, CaseIterable {
  /// All users of the app.
  case everyone = "public"
  /// The author's followers.
  case followersOnly = "followers_only"
  /// Only the author.
  case onlyMe = "private"

  /// The position of the level, from least to most strict. The cases are declared in this order.
  package var strictness: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// The content of a highlight, which the client sends before the upload (`POST /uploads`).
///
/// The backend stores the draft with the upload and creates the highlight with ID `highlightID` when the asset is
/// ready. JSON keys are in snake_case, as in all requests.
public struct HighlightDraft: Codable, Equatable, Sendable {
  /// The maximum caption length in characters (grapheme clusters).
  public static let maximumCaptionLength = 2200
  /// The maximum number of clips in a post.
  public static let maximumPartCount = 10

  /// The highlight ID, which the client generates.
  public var highlightID: UUID
  /// The clip's position in a post with several clips; `nil` for a single clip. Each clip has a separate upload with
  /// the same `highlightID`. The first clip defines the content of the highlight.
  private var postPart: Int?
  private var postPartCount: Int?
  /// The caption, with at most `maximumCaptionLength` characters; `nil` if there is none.
  public var caption: String?
  /// The caption's hashtags, as extracted by `CaptionTags`.
  public var tags: [String] = []
  /// Who can see the highlight.
  public var privacy = PrivacyLevel.everyone
  /// Whether the number of likes is hidden from other users.
  public var hideLikes = false
  /// The app's ID for the source video. In JSON, its letters may be uppercase or lowercase.
  public var localVideoID: UUID?
  /// The rally's zero-based index in the source video's `rallySegments`.
  public var localRallyIndex: Int?
  /// The duration of the shared rally in seconds.
  public var duration: Double
  /// The confidence of the rally detection, from 0 to 1; `nil` if there is no metadata.
  public var confidence: Double?
  /// The quality score from the app, from 0 to 1; `nil` if there is no metadata.
  public var quality: Double?
  /// The number of ball detections in the rally; `nil` if there is no metadata.
  public var detectionCount: Int?

  /// The clip's zero-based position in its post.
  public var part: Int { postPart ?? 0 }
  /// The number of clips in the post, from 1 to `maximumPartCount`.
  public var partCount: Int { postPartCount ?? 1 }

  /// Creates a draft. If the post has only one clip, `post` is ignored.
  public init(
    highlightID: UUID, post: PostPart? = nil, caption: String? = nil, tags: [String] = [], duration: Double
  ) {
    self.highlightID = highlightID
    if let post, post.count > 1 { (postPart, postPartCount) = (post.part, post.count) }
    self.caption = caption
    self.tags = tags
    self.duration = duration
  }

  /// Returns the length of a caption that is longer than `maximumCaptionLength`, or `nil` if the caption is valid.
  package static func excessiveLength(ofCaption caption: String?) -> Int? {
    guard let length = caption.map(TextLimit.characters.length), length > maximumCaptionLength else { return nil }
    return length
  }

  enum CodingKeys: String, CodingKey {
    case highlightID = "highlight_id"
    case postPart = "part"
    case postPartCount = "part_count"
    case caption, tags
    case privacy = "privacy_level"
    case hideLikes = "hide_likes"
    case localVideoID = "local_video_id"
    case localRallyIndex = "local_rally_index"
    case duration, confidence, quality
    case detectionCount = "detection_count"
  }
}

/// The backend's response to `POST /uploads`, which contains the upload URL.
public struct UploadTicket: Codable, Equatable, Sendable {
  /// The backend's upload ID, as in `GET /uploads/{id}`.
  public var id: String
  /// The secret URL for the `PUT` request, absolute or relative to the backend's base URL. Relative URLs stay valid if
  /// the local backend's port changes.
  public var url: String
  /// The expiration time of the URL, in Unix seconds.
  public var expiresAt: Int64

  public init(id: String, url: String, expiresAt: Int64) {
    self.id = id
    self.url = url
    self.expiresAt = expiresAt
  }

  enum CodingKeys: String, CodingKey {
    case id, url
    case expiresAt = "expires_at"
  }
}

/// The backend's response to `GET /uploads/{id}`.
public struct UploadState: Codable, Equatable, Sendable {
  /// The upload status. The raw values match those of Mux, plus `ready`.
  public enum Status: String, Codable, Sendable, CaseIterable {
    /// The upload is not complete.
    case waiting
    /// The upload is complete, and the asset is being created.
    case assetCreated = "asset_created"
    /// The highlight exists.
    case ready
    /// The asset could not be created. This status is final.
    case errored
    /// The upload was canceled. This status is final.
    case cancelled
    /// The URL expired before the upload was complete. This status is final.
    case timedOut = "timed_out"
  }

  /// The backend's upload ID.
  public var id: String
  /// The state of the upload.
  public var status: Status
  /// The ID of the highlight.
  public var highlightID: UUID
  /// The asset ID; `nil` until the asset is created.
  public var assetID: String?
  /// The playback ID; `nil` until the asset is ready.
  public var playbackID: String?
  /// The reason why the asset could not be created, if the status is `errored`.
  public var error: String?
  /// Mux's `non_standard_input_reasons`, if Mux has to transcode the clip.
  public var nonStandardInputReasons: [String: String]?

  public init(
    id: String, status: Status, highlightID: UUID, assetID: String? = nil, playbackID: String? = nil,
    error: String? = nil, nonStandardInputReasons: [String: String]? = nil
  ) {
    self.id = id
    self.status = status
    self.highlightID = highlightID
    self.assetID = assetID
    self.playbackID = playbackID
    self.error = error
    self.nonStandardInputReasons = nonStandardInputReasons
  }

  /// Encodes UUIDs in lowercase, as PostgreSQL does.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(status, forKey: .status)
    try container.encode(highlightID.uuidString.lowercased(), forKey: .highlightID)
    try container.encodeIfPresent(assetID, forKey: .assetID)
    try container.encodeIfPresent(playbackID, forKey: .playbackID)
    try container.encodeIfPresent(error, forKey: .error)
    try container.encodeIfPresent(nonStandardInputReasons, forKey: .nonStandardInputReasons)
  }

  enum CodingKeys: String, CodingKey {
    case id, status, error
    case highlightID = "highlight_id"
    case assetID = "asset_id"
    case playbackID = "playback_id"
    case nonStandardInputReasons = "non_standard_input_reasons"
  }
}
