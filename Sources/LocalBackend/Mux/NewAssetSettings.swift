/// The settings of a new asset, which are the `new_asset_settings` of a direct upload. The server stores and returns
/// them, and rejects settings that it doesn't support.
struct NewAssetSettings: Codable, Equatable, Sendable {
  var playbackPolicies: [String]?
  /// The former name of `playbackPolicies`.
  var playbackPolicy: [String]?
  var passthrough: String?
  var videoQuality: String?
  /// The predecessor of `videoQuality`, which has different values.
  var encodingTier: String?
  var maxResolutionTier: String?
  var normalizeAudio: Bool?
  var masterAccess: String?
  var mp4Support: String?
  var perTitleEncode: Bool?
  var test: Bool?
  var meta: AssetMeta?
  var staticRenditions: [StaticRendition]?
  var input: UnsupportedSetting?
  var inputs: UnsupportedSetting?
  var advancedPlaybackPolicies: UnsupportedSetting?

  struct StaticRendition: Codable, Equatable, Sendable {
    var resolution: String
    var passthrough: String?
  }

  /// A setting that Mux supports and this server doesn't. Silently ignoring the setting would mislead the client.
  struct UnsupportedSetting: Codable, Equatable, Sendable {
    init(from decoder: any Decoder) {}
  }

  enum CodingKeys: String, CodingKey {
    case passthrough, test, meta, input, inputs
    case playbackPolicies = "playback_policies"
    case playbackPolicy = "playback_policy"
    case videoQuality = "video_quality"
    case encodingTier = "encoding_tier"
    case maxResolutionTier = "max_resolution_tier"
    case normalizeAudio = "normalize_audio"
    case masterAccess = "master_access"
    case mp4Support = "mp4_support"
    case perTitleEncode = "per_title_encode"
    case staticRenditions = "static_renditions"
    case advancedPlaybackPolicies = "advanced_playback_policies"
  }

  var isPublic: Bool { (playbackPolicies ?? playbackPolicy ?? []).contains("public") }

  /// Whether Mux's limits for input above 1080p apply; see `MuxStandard`.
  var isLarge: Bool { maxResolutionTier == "1440p" || maxResolutionTier == "2160p" }

  private static let resolutions: Set = [
    "highest", "audio-only", "270p", "360p", "480p", "540p", "720p", "1080p", "1440p", "2160p",
  ]

  /// All problems with the settings, one sentence per problem. The array is empty if the settings are valid.
  var problems: [String] {
    var problems: [String] = []
    func check(_ name: String, _ value: String?, _ known: Set<String>) {
      guard let value, !known.contains(value) else { return }
      problems.append("\(name) must be one of \(known.sorted().joined(separator: ", "))")
    }
    if playbackPolicies != nil, playbackPolicy != nil {
      problems.append("send either playback_policies or playback_policy, not both")
    }
    for policy in (playbackPolicies ?? []) + (playbackPolicy ?? []) where policy != "public" {
      problems.append(
        ["signed", "drm"].contains(policy)
          ? "the local backend supports only the playback policy public"
          : "playback policies must be public, signed or drm")
    }
    check("video_quality", videoQuality, ["basic", "plus", "premium"])
    check("encoding_tier", encodingTier, ["baseline", "smart", "premium"])
    check("max_resolution_tier", maxResolutionTier, ["1080p", "1440p", "2160p"])
    check("master_access", masterAccess, ["none", "temporary"])
    check("mp4_support", mp4Support, ["none", "standard", "capped-1080p", "audio-only", "audio-only,capped-1080p"])
    for rendition in staticRenditions ?? [] { check("static_renditions", rendition.resolution, Self.resolutions) }
    if staticRenditions?.isEmpty == false, let mp4Support, mp4Support != "none" {
      problems.append("static_renditions and mp4_support cannot be combined")
    }
    problems += AssetMeta.problems("passthrough", passthrough, limit: 255) + (meta?.problems ?? [])
    let unsupported = [
      (input, "input"), (inputs, "inputs"), (advancedPlaybackPolicies, "advanced_playback_policies"),
    ]
    for case (_?, let name) in unsupported {
      problems.append("the local backend does not support new_asset_settings.\(name)")
    }
    return problems
  }
}

/// An asset's title, and the IDs that the client assigned to it.
struct AssetMeta: Codable, Equatable, Sendable {
  var title: String?
  var creatorID: String?
  var externalID: String?

  enum CodingKeys: String, CodingKey {
    case title
    case creatorID = "creator_id"
    case externalID = "external_id"
  }

  var problems: [String] {
    Self.problems("meta.title", title, limit: 512) + Self.problems("meta.creator_id", creatorID, limit: 128)
      + Self.problems("meta.external_id", externalID, limit: 128)
  }

  /// Returns the problems with a text value. Lengths are counted in code points. U+0000 is invalid, because it would
  /// end the string in SQLite.
  static func problems(_ name: String, _ text: String?, limit: Int) -> [String] {
    guard let text else { return [] }
    if text.unicodeScalars.contains("\0") { return ["\(name) contains the character U+0000"] }
    let count = text.unicodeScalars.count
    return count > limit ? ["\(name) has \(count) characters; the limit is \(limit)"] : []
  }
}
