public import Foundation

/// Who may see a highlight. The raw values are the backend's.
public enum PrivacyLevel: String, Codable, Sendable, CaseIterable {
  /// Whoever uses the app.
  case everyone = "public"
  /// Those who follow the author.
  case followersOnly = "followers_only"
  /// Nobody but the author.
  case onlyMe = "private"
}

/// Everything a highlight will say, made before the upload and sent with it (`POST /uploads`).
///
/// The backend stores it with the upload and makes the highlight from it, by `highlightID`, when the asset is ready.
/// JSON keys are snake_case, as everywhere on the wire.
public struct HighlightDraft: Codable, Equatable, Sendable {
  /// Characters of a caption at most, as people count: a flag or an accented letter is one.
  public static let longestCaption = 2200
  /// Clips of a post at most.
  public static let mostParts = 10

  /// Made by the client: the highlight's identity, whatever happens on the way.
  public var highlightID: UUID
  /// Which clip of a post of several it is, from 0, and of how many. Each has an upload of its own with the same
  /// `highlightID`; what the first one says is what the highlight says. On the wire only where there are several.
  public var part: Int
  /// Of how many clips the post consists: 1 to `mostParts`.
  public var partCount: Int
  /// As typed, at most `longestCaption` characters; `nil` without one.
  public var caption: String?
  /// The caption's hashtags (`CaptionTags`).
  public var tags: [String]
  /// Who may see the highlight.
  public var privacy: PrivacyLevel
  /// Others shall not see how many like it.
  public var hideLikes: Bool
  /// The app's id of the original video; lower-case on the wire of Swift's `UUID` is not promised, compare as UUIDs.
  public var localVideoID: UUID?
  /// Zero-based index in `rallySegments` of the original video.
  public var localRallyIndex: Int?
  /// Seconds of the shared rally.
  public var duration: Double
  /// How sure the app was that this is a rally, 0 to 1; `nil` without metadata.
  public var confidence: Double?
  /// How good the app found the rally, 0 to 1; `nil` without metadata.
  public var quality: Double?
  /// Samples of the ball's flight in the rally; `nil` without metadata.
  public var detectionCount: Int?

  public init(
    highlightID: UUID, part: Int = 0, partCount: Int = 1, caption: String? = nil, tags: [String] = [],
    privacy: PrivacyLevel = .everyone, hideLikes: Bool = false, localVideoID: UUID? = nil, localRallyIndex: Int? = nil,
    duration: Double, confidence: Double? = nil, quality: Double? = nil, detectionCount: Int? = nil
  ) {
    self.highlightID = highlightID
    self.part = part
    self.partCount = partCount
    self.caption = caption
    self.tags = tags
    self.privacy = privacy
    self.hideLikes = hideLikes
    self.localVideoID = localVideoID
    self.localRallyIndex = localRallyIndex
    self.duration = duration
    self.confidence = confidence
    self.quality = quality
    self.detectionCount = detectionCount
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    highlightID = try container.decode(UUID.self, forKey: .highlightID)
    part = try container.decodeIfPresent(Int.self, forKey: .part) ?? 0
    partCount = try container.decodeIfPresent(Int.self, forKey: .partCount) ?? 1
    caption = try container.decodeIfPresent(String.self, forKey: .caption)
    tags = try container.decode([String].self, forKey: .tags)
    privacy = try container.decode(PrivacyLevel.self, forKey: .privacy)
    hideLikes = try container.decode(Bool.self, forKey: .hideLikes)
    localVideoID = try container.decodeIfPresent(UUID.self, forKey: .localVideoID)
    localRallyIndex = try container.decodeIfPresent(Int.self, forKey: .localRallyIndex)
    duration = try container.decode(Double.self, forKey: .duration)
    confidence = try container.decodeIfPresent(Double.self, forKey: .confidence)
    quality = try container.decodeIfPresent(Double.self, forKey: .quality)
    detectionCount = try container.decodeIfPresent(Int.self, forKey: .detectionCount)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(highlightID, forKey: .highlightID)
    if partCount != 1 || part != 0 {
      try container.encode(part, forKey: .part)
      try container.encode(partCount, forKey: .partCount)
    }
    try container.encodeIfPresent(caption, forKey: .caption)
    try container.encode(tags, forKey: .tags)
    try container.encode(privacy, forKey: .privacy)
    try container.encode(hideLikes, forKey: .hideLikes)
    try container.encodeIfPresent(localVideoID, forKey: .localVideoID)
    try container.encodeIfPresent(localRallyIndex, forKey: .localRallyIndex)
    try container.encode(duration, forKey: .duration)
    try container.encodeIfPresent(confidence, forKey: .confidence)
    try container.encodeIfPresent(quality, forKey: .quality)
    try container.encodeIfPresent(detectionCount, forKey: .detectionCount)
  }

  enum CodingKeys: String, CodingKey {
    case highlightID = "highlight_id"
    case part
    case partCount = "part_count"
    case caption, tags
    case privacy = "privacy_level"
    case hideLikes = "hide_likes"
    case localVideoID = "local_video_id"
    case localRallyIndex = "local_rally_index"
    case duration, confidence, quality
    case detectionCount = "detection_count"
  }
}

/// The backend's answer to `POST /uploads`: where the bytes go.
public struct UploadTicket: Codable, Equatable, Sendable {
  /// The backend's id of the upload: `GET /uploads/{id}`.
  public var id: String
  /// Where to `PUT`. A secret. Absolute, or relative to the backend's base URL (the local backend's port may change).
  public var url: String
  /// Unix seconds after which the URL is refused.
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

/// The backend's answer to `GET /uploads/{id}`.
public struct UploadState: Codable, Equatable, Sendable {
  /// `waiting` for bytes, `assetCreated` while the asset is made, `ready` once the highlight exists; the rest are final
  /// failures. The raw values are Mux's words for an upload, plus `ready`.
  public enum Status: String, Codable, Sendable, CaseIterable {
    /// For bytes.
    case waiting
    /// All bytes are there; the asset is being made.
    case assetCreated = "asset_created"
    /// The highlight exists.
    case ready
    /// No asset could be made of the bytes; final.
    case errored
    /// Taken back; final.
    case cancelled
    /// The URL ended before all bytes were there; final.
    case timedOut = "timed_out"
  }

  /// The backend's id of the upload.
  public var id: String
  /// How far it is.
  public var status: Status
  /// The highlight that becomes of it.
  public var highlightID: UUID
  /// Of the asset that is made of the bytes; `nil` before there is one.
  public var assetID: String?
  /// By which the asset can be watched; `nil` before it is ready.
  public var playbackID: String?
  /// Why the asset could not be made; with `errored`.
  public var error: String?
  /// The backend ended the whole post because of another clip in it: such an error starts with these words, by contract.
  public var isOfAnotherClip: Bool { error?.hasPrefix("another clip of the post ") ?? false }
  /// Mux's `non_standard_input_reasons`: key to value, present when the backend had to transcode again.
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

  /// Identifiers are lower case on the wire, as PostgreSQL writes them.
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
