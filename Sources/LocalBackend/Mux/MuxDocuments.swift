extension Asset {
  /// Returns the asset in Mux's format.
  /// - Parameter createdAt: the creation time in Unix seconds, as a string in responses and as a number in webhooks.
  func muxDocument(createdAt: any Encodable) -> JSONObject {
    let settings = row.settings
    let facts = row.status == .ready ? row.facts : nil
    let problem = row.status == .errored ? row.problem : nil
    let reasons = facts == nil ? [:] : row.nonStandardReasons
    let renditions = settings.staticRenditions ?? []
    return [
      "id": row.id,
      "created_at": createdAt,
      "status": row.status,
      "progress": row.status.progress,
      "upload_id": row.uploadID,
      "passthrough": settings.passthrough,
      "meta": settings.meta,
      "playback_ids": playbackIDs.isEmpty ? nil : playbackIDs.map(\.muxDocument),
      "ingest_type": "on_demand_direct_upload",
      "video_quality": settings.quality,
      "encoding_tier": settings.tier,
      "max_resolution_tier": settings.maxResolutionTier ?? "1080p",
      "master_access": settings.masterAccess ?? "none",
      "mp4_support": settings.mp4Support ?? "none",
      "normalize_audio": settings.normalizeAudio ?? false,
      "test": row.isTest ? true : nil,
      "errors": problem.map { ["type": "invalid_input", "messages": [$0]] as JSONObject },
      "duration": facts?.durationSeconds,
      "aspect_ratio": facts?.aspectRatio,
      "resolution_tier": facts?.resolutionTier,
      "max_stored_resolution": facts?.storedResolution,
      "max_stored_frame_rate": facts?.muxFrameRate,
      "tracks": facts?.tracks(ofAsset: row.id),
      "non_standard_input_reasons": reasons.isEmpty ? nil : reasons,
      "static_renditions": renditions.isEmpty ? nil : facts?.renditions(renditions, ofAsset: row.id),
    ]
  }
}

extension PlaybackIDRow {
  var muxDocument: JSONObject { ["id": id, "policy": policy] }

  /// The playback ID, together with the asset that it belongs to.
  var muxDocumentWithOwner: JSONObject {
    ["id": id, "policy": policy, "object": ["id": assetID, "type": "asset"]]
  }
}

extension AssetRow {
  /// The reasons why Mux would have to transcode the file before playback, keyed by Mux's names. The dictionary is
  /// empty if the file is standard input.
  var nonStandardReasons: [String: String] {
    (settings.isLarge ? facts?.largeNonStandardReasons : facts?.nonStandardReasons) ?? [:]
  }
}

extension AssetRow.Status {
  fileprivate var progress: JSONObject {
    switch self {
    case .preparing: ["state": "ingesting", "progress": 0]
    case .ready: ["state": "completed", "progress": 100]
    case .errored: ["state": "errored", "progress": -1]
    }
  }
}

extension NewAssetSettings {
  /// The values of `video_quality`, with the corresponding values of the older setting `encoding_tier`.
  private static let tiers = ["basic": "baseline", "plus": "smart", "premium": "premium"]

  fileprivate var quality: String {
    videoQuality ?? Self.tiers.first { $0.value == encodingTier }?.key ?? "basic"
  }

  fileprivate var tier: String { Self.tiers[quality] ?? "baseline" }
}

extension AssetProperties {
  /// The frame rate in Mux's format, in which -1 means unknown.
  fileprivate var muxFrameRate: Double { frameRate ?? -1 }

  fileprivate func tracks(ofAsset id: String) -> [JSONObject] {
    let video: JSONObject = [
      "id": "\(id)-video", "type": "video", "duration": durationSeconds, "max_width": width, "max_height": height,
      "max_frame_rate": muxFrameRate,
    ]
    guard let sound else { return [video] }
    let audio: JSONObject = [
      "id": "\(id)-audio", "type": "audio", "duration": sound.durationSeconds ?? durationSeconds,
      "max_channels": sound.channelCount, "max_channel_layout": sound.channelLayout, "primary": true,
      "status": "ready",
    ]
    return [video, audio]
  }

  /// Returns the value of `static_renditions`. `highest.mp4` is the clip itself. All other renditions have the status
  /// `skipped`, because this server doesn't encode video.
  fileprivate func renditions(_ renditions: [NewAssetSettings.StaticRendition], ofAsset id: String) -> JSONObject {
    let bitrate = Double(byteCount) * 8 / durationSeconds
    let files = renditions.enumerated().map { index, rendition -> JSONObject in
      let isHighest = rendition.resolution == "highest"
      let isAudio = rendition.resolution == "audio-only"
      return [
        "id": "\(id)-rendition-\(index)",
        "name": isAudio ? "audio.m4a" : "\(rendition.resolution).mp4",
        "ext": isAudio ? "m4a" : "mp4",
        "resolution": rendition.resolution,
        "type": isHighest ? "standard" : "advanced",
        "status": isHighest ? "ready" : "skipped",
        "width": isHighest ? width : nil,
        "height": isHighest ? height : nil,
        "bitrate": isHighest && bitrate.isFinite && bitrate < 1e15 ? Int64(bitrate) : nil,
        "filesize": isHighest ? String(byteCount) : nil,
        "passthrough": rendition.passthrough,
      ]
    }
    return ["status": "ready", "files": files]
  }

  /// The video's aspect ratio, such as `16:9`.
  fileprivate var aspectRatio: String {
    var (a, b) = (max(width, 1), max(height, 1))
    while b != 0 { (a, b) = (b, a % b) }
    return "\(width / a):\(height / a)"
  }

  /// Whether the video fits into one of Mux's size classes. They ignore the orientation.
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
