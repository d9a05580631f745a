import ClipModel

/// The table of all settings. Each row contains a setting's key, the sources that are allowed to set it, and its
/// syntax.
///
/// A new setting requires a property of `Configuration` and a row in this table. The environment variable is derived
/// from the key: `upload.chunk_size` becomes `BSC_UPLOAD_CHUNK_SIZE`.
enum SettingTable {
  static let rows: [SettingRow] = [
    SettingRow("backend", \.backend, .choice(), "backend that registers highlights"),
    SettingRow("supabase.url", \.supabaseURL, .backendURL, "URL of the Supabase project"),
    SettingRow("supabase.key", \.supabaseKey, .secret, "publishable key of the Supabase project"),
    SettingRow("mux.token_id", \.muxTokenID, .secret, setBy: .environment, "ID of the Mux access token"),
    SettingRow("mux.token_secret", \.muxTokenSecret, .secret, setBy: .environment, "Mux access token secret"),
    SettingRow("mux.url", \.muxURL, .address, "base URL of Mux's API"),
    SettingRow("mux.stream_url", \.muxStreamURL, .address, "base URL of Mux's streams"),
    SettingRow("mux.player_url", \.muxPlayerURL, .address, "base URL of Mux's player pages"),
    SettingRow("mux.image_url", \.muxImageURL, .address, "base URL of Mux's images"),
    SettingRow("mux.video_quality", \.muxVideoQuality, .choice(), "Mux video quality level (only for the mux backend)"),
    SettingRow("local.port", \.localPort, .wholeNumber(0...65535), "port of the local backend, or 0 for any free port"),
    SettingRow(
      "upload.chunk_size", \.uploadChunkByteCount, .byteCount((256 << 10)...(256 << 20), multipleOf: 256 << 10),
      "size of an upload chunk"),
    SettingRow(
      "upload.limit_rate", \.uploadBytesPerSecond, .byteRate(from: 1000),
      "maximum total upload rate in bytes per second, or 0 for no limit"),
    SettingRow("upload.jobs", \.uploadJobs, .wholeNumber(1...16), "maximum number of simultaneous uploads"),
    SettingRow(
      "upload.stream", \.uploadStreaming, .choice(),
      "whether to upload a clip while it is encoded (auto: unless it is small or the backend is local)"),
    SettingRow(
      "network.stall_seconds", \.stallSeconds, .wholeNumber(1...3600),
      "seconds without data before bsc retries a transfer"),
    SettingRow("network.cacert", \.authorityFile, .path, "PEM file with trusted certificate authorities"),
    SettingRow(
      "network.http", \.httpVersion, .choice(), "HTTP version (auto: 1.1 for uploads, 2 for other requests)"),
    SettingRow("network.addresses", \.addresses, .choice(), "IP version for connections to servers"),
    SettingRow(
      "upload.deadline", \.uploadDeadline, .choice(),
      "what to do when an upload URL expires (kept: stop the upload, server: let the server decide)"),
    SettingRow(
      "upload.retry_seconds", \.uploadRetrySeconds, .wholeNumber(0...86400),
      "seconds without progress before an upload fails"
    ),
    SettingRow(
      "quality", \.quality, .decimalNumber(0...51), setBy: .project,
      "constant rate factor; lower values mean higher quality"),
    SettingRow(
      "effort", \.effort, .choice(), setBy: .project, "CPU time that the encoder may take to improve the quality"),
    SettingRow(
      "poster.at", \.posterAtSeconds, .decimalNumber(0...3600), setBy: .project,
      "position of the poster frame, in seconds"),
    SettingRow("share.privacy", \.privacy, .choice(), "default privacy level of highlights"),
    SettingRow("share.base_url", \.shareBaseURL, .backendURL, "public address at which coaches open links"),
    SettingRow("sync.x_token", \.xToken, .secret, setBy: .environment, "app-only bearer token for X"),
    SettingRow("sync.x_url", \.xURL, .address, "base URL of X's API"),
    SettingRow(
      "sync.instagram_token", \.instagramToken, .secret, setBy: .environment, "access token for Instagram"),
    SettingRow(
      "sync.instagram_account", \.instagramAccount, .wholeNumber(0...Int.max),
      "ID of your professional Instagram account, or 0 for none"),
    SettingRow("sync.instagram_url", \.instagramURL, .address, "base URL of the Instagram Graph API"),
  ]

  /// - Throws: `ShareEngineError` if the key is unknown. The error contains the most similar known key.
  static func findRow(_ key: String, in origin: SettingOrigin) throws(ShareEngineError) -> SettingRow {
    if let row = rows.first(where: { $0.key == key }) { return row }
    throw ShareEngineError(
      .settingUnknown,
      [
        "setting": key, "origin": "\(origin)",
        "nearest": SpellingSuggestion.nearestWord(to: key, among: rows.map(\.key)),
      ], category: origin.isFlag ? .usage : .notConfigured)
  }
}
