import ClipModel

/// The one list of settings: their names, where they may be set, and how their text is read.
///
/// A new setting is a field of `Configuration` and a row here. The environment variable follows from the key:
/// `upload.chunk_size` is `BSC_UPLOAD_CHUNK_SIZE`.
enum SettingTable {
  static let rows: [SettingRow] = [
    SettingRow("backend", \.backend, .choice(), setBy: .user, "who registers highlights"),
    SettingRow("supabase.url", \.supabaseURL, .backendURL, setBy: .user, "the Supabase project"),
    SettingRow("supabase.key", \.supabaseKey, .secret, setBy: .user, "the project's publishable key"),
    SettingRow("mux.token_id", \.muxTokenID, .secret, setBy: .environment, "Mux access token, its id"),
    SettingRow("mux.token_secret", \.muxTokenSecret, .secret, setBy: .environment, "Mux access token, its secret"),
    SettingRow("mux.url", \.muxURL, .address, setBy: .user, "Mux's API"),
    SettingRow("mux.stream_url", \.muxStreamURL, .address, setBy: .user, "where Mux's videos are streamed from"),
    SettingRow("mux.player_url", \.muxPlayerURL, .address, setBy: .user, "pages that play Mux's videos"),
    SettingRow("mux.image_url", \.muxImageURL, .address, setBy: .user, "where pictures of Mux's videos are"),
    SettingRow(
      "mux.video_quality", \.muxVideoQuality, .choice(), setBy: .user, "what Mux makes of a clip (backend mux only)"),
    SettingRow("local.port", \.localPort, .whole(0...65535), setBy: .user, "port of bsc serve; 0 is any free one"),
    SettingRow(
      "upload.chunk_size", \.uploadChunkByteCount, .bytes((256 << 10)...(256 << 20), multipleOf: 256 << 10),
      setBy: .user, "bytes of an upload chunk"),
    SettingRow(
      "upload.limit_rate", \.uploadBytesPerSecond, .byteRate(from: 1000), setBy: .user,
      "bytes per second of all uploads together, 0 for no limit"),
    SettingRow("upload.jobs", \.uploadJobs, .whole(1...16), setBy: .user, "clips that are uploaded at once"),
    SettingRow(
      "network.stall_seconds", \.stallSeconds, .whole(1...3600), setBy: .user,
      "how long a transfer may stand still before it is tried anew"),
    SettingRow("network.cacert", \.authorityFile, .path, setBy: .user, "certificate authorities that are trusted"),
    SettingRow(
      "network.http", \.httpVersion, .choice(), setBy: .user,
      "which version of HTTP is spoken: 1.1 for uploads and 2 for the rest (auto), or one for all"),
    SettingRow("network.addresses", \.addresses, .choice(), setBy: .user, "which addresses servers are reached by"),
    SettingRow(
      "upload.deadline", \.uploadDeadline, .choice(), setBy: .user,
      "when an upload URL's life is over: send nothing (kept), or ask the server"),
    SettingRow(
      "upload.retry_seconds", \.uploadRetrySeconds, .whole(0...86400), setBy: .user,
      "how long an upload is tried without progress"),
    SettingRow("quality", \.quality, .number(0...51), setBy: .project, "constant rate factor, lower is better"),
    SettingRow(
      "poster.at", \.posterAtSeconds, .number(0...3600), setBy: .project, "where the poster is taken, in seconds"),
    SettingRow("share.privacy", \.privacy, .choice(), setBy: .user, "who may see a highlight"),
  ]

  /// - Throws: for a key that does not exist, with the nearest one that does.
  static func row(_ key: String, in origin: SettingOrigin) throws(ShareEngineError) -> SettingRow {
    if let row = rows.first(where: { $0.key == key }) { return row }
    let nearest = SpellingSuggestion.nearest(to: key, among: rows.map(\.key))
    throw ShareEngineError(
      .settingUnknown, ["setting": key, "origin": "\(origin)", "nearest": nearest],
      category: origin.isFlag ? .usage : .notConfigured)
  }
}
