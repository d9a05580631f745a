/// An asset in Mux's form.
struct MuxAssetDocument: Encodable {
  /// The same moment is text in answers and a number in webhooks.
  enum Form {
    case answer, webhook
  }

  var asset: Asset
  var form: Form

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: StringKey.self)
    let row = asset.row
    try container.encode(row.id, forKey: "id")
    switch form {
    case .answer: try container.encode(String(row.createdAt), forKey: "created_at")
    case .webhook: try container.encode(row.createdAt, forKey: "created_at")
    }
    try container.encode(row.status, forKey: "status")
    try container.encode(Progress(row.status), forKey: "progress")
    try container.encodeIfPresent(row.uploadID, forKey: "upload_id")
    try container.encodeIfPresent(row.settings.passthrough, forKey: "passthrough")
    try container.encodeIfPresent(row.settings.meta, forKey: "meta")
    let playbackIDs = asset.playbackIDs.map(PlaybackIDDocument.init)
    if !playbackIDs.isEmpty { try container.encode(playbackIDs, forKey: "playback_ids") }
    try container.encode("on_demand_direct_upload", forKey: "ingest_type")
    try container.encode(row.settings.quality, forKey: "video_quality")
    try container.encode(row.settings.tier, forKey: "encoding_tier")
    try container.encode(row.settings.maxResolutionTier ?? "1080p", forKey: "max_resolution_tier")
    try container.encode(row.settings.masterAccess ?? "none", forKey: "master_access")
    try container.encode(row.settings.mp4Support ?? "none", forKey: "mp4_support")
    try container.encode(row.settings.normalizeAudio ?? false, forKey: "normalize_audio")
    if row.isTest { try container.encode(true, forKey: "test") }
    if let problem = row.problem, row.status == .errored {
      try container.encode(Problem(type: "invalid_input", messages: [problem]), forKey: "errors")
    }
    guard row.status == .ready, let facts = row.facts else { return }
    try encode(facts, of: row, into: &container)
  }

  private func encode(
    _ facts: AssetFacts, of row: AssetRow, into container: inout KeyedEncodingContainer<StringKey>
  ) throws {
    try container.encode(facts.durationSeconds, forKey: "duration")
    try container.encode(facts.aspectRatio, forKey: "aspect_ratio")
    try container.encode(facts.resolutionTier, forKey: "resolution_tier")
    try container.encode(facts.storedResolution, forKey: "max_stored_resolution")
    // Mux's word for unknown.
    try container.encode(facts.frameRate ?? -1, forKey: "max_stored_frame_rate")
    try container.encode(facts.tracks(ofAsset: row.id), forKey: "tracks")
    let reasons = row.nonStandardReasons
    if !reasons.isEmpty { try container.encode(reasons, forKey: "non_standard_input_reasons") }
    guard let wanted = row.settings.staticRenditions, !wanted.isEmpty else { return }
    let files = wanted.enumerated().map { Rendition(id: "\(row.id)-rendition-\($0.offset)", $0.element, facts) }
    try container.encode(Renditions(status: "ready", files: files), forKey: "static_renditions")
  }

  struct Progress: Encodable {
    var state: String
    var progress: Int

    init(_ status: AssetRow.Status) {
      switch status {
      case .preparing: (state, progress) = ("ingesting", 0)
      case .ready: (state, progress) = ("completed", 100)
      case .errored: (state, progress) = ("errored", -1)
      }
    }
  }

  struct Problem: Encodable {
    var type: String
    var messages: [String]
  }

  struct Renditions: Encodable {
    var status: String
    var files: [Rendition]
  }

  /// `highest.mp4` is the clip itself; others would have to be encoded, which this server leaves.
  struct Rendition: Encodable {
    var id: String
    var name: String
    var ext: String
    var resolution: String
    var type: String
    var status: String
    var width: Int?
    var height: Int?
    var bitrate: Int64?
    var filesize: String?
    var passthrough: String?

    init(id: String, _ wanted: NewAssetSettings.StaticRendition, _ facts: AssetFacts) {
      let isHighest = wanted.resolution == "highest"
      let isSound = wanted.resolution == "audio-only"
      self.id = id
      ext = isSound ? "m4a" : "mp4"
      name = isSound ? "audio.m4a" : "\(wanted.resolution).mp4"
      resolution = wanted.resolution
      type = isHighest ? "standard" : "advanced"
      status = isHighest ? "ready" : "skipped"
      passthrough = wanted.passthrough
      guard isHighest else { return }
      width = facts.width
      height = facts.height
      filesize = String(facts.byteCount)
      let bits = Double(facts.byteCount) * 8 / facts.durationSeconds
      bitrate = bits.isFinite && bits < 1e15 ? Int64(bits) : nil
    }
  }
}

/// A playback id in Mux's form.
struct PlaybackIDDocument: Encodable {
  var id: String
  var policy: String

  init(_ row: PlaybackIDRow) {
    id = row.id
    policy = row.policy
  }
}

extension AssetRow {
  /// Why Mux would have to transcode first, by its own keys; empty for standard input.
  var nonStandardReasons: [String: String] {
    (settings.isLarge ? facts?.largeNonStandardReasons : facts?.nonStandardReasons) ?? [:]
  }
}

extension NewAssetSettings {
  fileprivate var quality: String {
    if let videoQuality { return videoQuality }
    return switch encodingTier {
    case "smart": "plus"
    case "premium": "premium"
    default: "basic"
    }
  }

  fileprivate var tier: String {
    switch quality {
    case "plus": "smart"
    case "premium": "premium"
    default: "baseline"
    }
  }
}

extension AssetFacts {
  struct Track: Encodable {
    var id: String
    var type: String
    var duration: Double
    var maxWidth: Int?
    var maxHeight: Int?
    var maxFrameRate: Double?
    var maxChannels: Int?
    var maxChannelLayout: String?
    var primary: Bool?
    var status: String?
  }

  fileprivate func tracks(ofAsset id: String) -> [Track] {
    var tracks = [
      Track(
        id: "\(id)-video", type: "video", duration: durationSeconds, maxWidth: width, maxHeight: height,
        maxFrameRate: frameRate ?? -1)
    ]
    if let sound {
      tracks.append(
        Track(
          id: "\(id)-audio", type: "audio", duration: sound.durationSeconds ?? durationSeconds,
          maxChannels: sound.channelCount, maxChannelLayout: sound.channelLayout, primary: true, status: "ready"))
    }
    return tracks
  }

  /// `16:9`
  fileprivate var aspectRatio: String {
    var (a, b) = (max(width, 1), max(height, 1))
    while b != 0 { (a, b) = (b, a % b) }
    return "\(width / a):\(height / a)"
  }

  /// As Mux names sizes: whichever way up.
  private func fits(_ longSide: Int, _ shortSide: Int) -> Bool {
    max(width, height) <= longSide && min(width, height) <= shortSide
  }

  fileprivate var resolutionTier: String {
    fits(1280, 720) ? "720p" : fits(1920, 1080) ? "1080p" : fits(2560, 1440) ? "1440p" : "2160p"
  }

  fileprivate var storedResolution: String {
    min(width, height) < 720 ? "SD" : fits(1280, 720) ? "HD" : fits(1920, 1080) ? "FHD" : "UHD"
  }
}
