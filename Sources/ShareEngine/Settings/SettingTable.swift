import ClipModel

/// The table of all settings: keys, sources that may set them, and syntax.
///
/// A new setting is a field of `Configuration` and a row here. The environment variable follows from the key:
/// `upload.chunk_size` becomes `BSC_UPLOAD_CHUNK_SIZE`.
enum SettingTable {
  static let rows: [SettingRow] = [
    SettingRow("backend", \.backend, .choice(), "backend that registers highlights"),
    SettingRow("supabase.url", \.supabaseURL, .backendURL, "URL of the Supabase project"),
    SettingRow("supabase.key", \.supabaseKey, .secret, "publishable key of the project"),
    SettingRow("mux.token_id", \.muxTokenID, .secret, setBy: .environment, "ID of the Mux access token"),
    SettingRow("mux.token_secret", \.muxTokenSecret, .secret, setBy: .environment, "secret of the Mux access token"),
    SettingRow("mux.url", \.muxURL, .address, "URL of Mux's API"),
    SettingRow("mux.stream_url", \.muxStreamURL, .address, "URL of Mux's streams"),
    SettingRow("mux.player_url", \.muxPlayerURL, .address, "URL of Mux's player pages"),
    SettingRow("mux.image_url", \.muxImageURL, .address, "URL of Mux's images"),
    SettingRow("mux.video_quality", \.muxVideoQuality, .choice(), "Mux quality level (backend mux only)"),
    SettingRow("local.port", \.localPort, .whole(0...65535), "port of bsc serve, 0 for any free port"),
    SettingRow(
      "upload.chunk_size", \.uploadChunkByteCount, .bytes((256 << 10)...(256 << 20), multipleOf: 256 << 10),
      "bytes per upload chunk"),
    SettingRow(
      "upload.limit_rate", \.uploadBytesPerSecond, .byteRate(from: 1000),
      "maximum bytes per second for all uploads together, 0 for no limit"),
    SettingRow("upload.jobs", \.uploadJobs, .whole(1...16), "number of simultaneous uploads"),
    SettingRow(
      "network.stall_seconds", \.stallSeconds, .whole(1...3600), "seconds without data before a transfer is retried"),
    SettingRow("network.cacert", \.authorityFile, .path, "file with trusted certificate authorities"),
    SettingRow(
      "network.http", \.httpVersion, .choice(), "HTTP version: auto is 1.1 for uploads and 2 for everything else"),
    SettingRow("network.addresses", \.addresses, .choice(), "IP version of server addresses"),
    SettingRow(
      "upload.deadline", \.uploadDeadline, .choice(),
      "after an upload URL expires: kept stops the upload, server lets the server decide"),
    SettingRow(
      "upload.retry_seconds", \.uploadRetrySeconds, .whole(0...86400), "seconds without progress before an upload fails"
    ),
    SettingRow(
      "quality", \.quality, .number(0...51), setBy: .project, "constant rate factor; lower values give better quality"),
    SettingRow("poster.at", \.posterAtSeconds, .number(0...3600), setBy: .project, "position of the poster in seconds"),
    SettingRow("share.privacy", \.privacy, .choice(), "visibility of highlights"),
  ]

  /// - Throws: if the key is unknown; the error contains the most similar known key.
  static func row(_ key: String, in origin: SettingOrigin) throws(ShareEngineError) -> SettingRow {
    if let row = rows.first(where: { $0.key == key }) { return row }
    throw ShareEngineError(
      .settingUnknown,
      [
        "setting": key, "origin": "\(origin)", "nearest": SpellingSuggestion.nearest(to: key, among: rows.map(\.key)),
      ], category: origin.isFlag ? .usage : .notConfigured)
  }
}
