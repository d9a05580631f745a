/// What a new asset shall be like, `new_asset_settings` of a direct upload: kept, told back, and judged as far as this
/// server can do what it asks.
struct NewAssetSettings: Codable, Equatable, Sendable {
  var playbackPolicies: [String]?
  /// The old name of `playbackPolicies`.
  var playbackPolicy: [String]?
  var passthrough: String?
  var videoQuality: String?
  /// The old name of `videoQuality`, with other values.
  var encodingTier: String?
  var maxResolutionTier: String?
  var normalizeAudio: Bool?
  var masterAccess: String?
  var mp4Support: String?
  var perTitleEncode: Bool?
  var test: Bool?
  var meta: AssetMeta?
  var staticRenditions: [StaticRendition]?

  struct StaticRendition: Codable, Equatable, Sendable {
    var resolution: String
    var passthrough: String?
  }

  enum CodingKeys: String, CodingKey {
    case passthrough, test, meta
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
  }

  /// Those of an upload with a draft: what the Edge Function asks of Mux.
  static func ofDraft(uploadID: String) -> NewAssetSettings {
    NewAssetSettings(playbackPolicies: ["public"], passthrough: uploadID)
  }

  var isPublic: Bool { (playbackPolicies ?? playbackPolicy ?? []).contains("public") }

  /// The judge's column of Mux's table; see `MuxStandard`.
  var isLarge: Bool { maxResolutionTier == "1440p" || maxResolutionTier == "2160p" }

  static let resolutions: Set = [
    "highest", "audio-only", "270p", "360p", "480p", "540p", "720p", "1080p", "1440p", "2160p",
  ]

  /// Everything that is wrong, one sentence each; empty when they are fine.
  var problems: [String] {
    var problems: [String] = []
    func check(_ name: String, _ value: String?, _ known: Set<String>) {
      guard let value, !known.contains(value) else { return }
      problems.append("\(name) must be one of \(known.sorted().joined(separator: ", "))")
    }
    if playbackPolicies != nil, playbackPolicy != nil {
      problems.append("send playback_policies or playback_policy, not both")
    }
    for policy in (playbackPolicies ?? []) + (playbackPolicy ?? []) where policy != "public" {
      problems.append(
        ["signed", "drm"].contains(policy)
          ? "the local backend knows the playback policy public only" : "playback policies are public, signed and drm")
    }
    check("video_quality", videoQuality, ["basic", "plus", "premium"])
    check("encoding_tier", encodingTier, ["baseline", "smart", "premium"])
    check("max_resolution_tier", maxResolutionTier, ["1080p", "1440p", "2160p"])
    check("master_access", masterAccess, ["none", "temporary"])
    check("mp4_support", mp4Support, ["none", "standard", "capped-1080p", "audio-only", "audio-only,capped-1080p"])
    for rendition in staticRenditions ?? [] { check("static_renditions", rendition.resolution, Self.resolutions) }
    if staticRenditions?.isEmpty == false, let mp4Support, mp4Support != "none" {
      problems.append("static_renditions and mp4_support exclude each other")
    }
    return problems + Self.problems(ofPassthrough: passthrough) + (meta?.problems ?? [])
  }

  static func problems(ofPassthrough text: String?) -> [String] {
    AssetMeta.problems("passthrough", text, limit: 255)
  }
}

/// What people call an asset.
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

  /// Lengths are in code points. SQLite's texts end at a zero.
  static func problems(_ name: String, _ text: String?, limit: Int) -> [String] {
    guard let text else { return [] }
    if text.unicodeScalars.contains("\0") { return ["\(name) has a character U+0000"] }
    let count = text.unicodeScalars.count
    return count > limit ? ["\(name) has \(count) characters; the limit is \(limit)"] : []
  }
}
