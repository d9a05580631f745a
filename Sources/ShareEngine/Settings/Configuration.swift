public import ClipModel
public import Foundation
public import LibCurl
public import Upload

/// All settings and their origins, resolved once when a command starts. `SettingTable` maps the settings to their keys.
public struct Configuration: Sendable {
  /// The backend on which highlights are registered.
  public internal(set) var backend = Setting(BackendKind.local)
  /// The Supabase project's URL: `https://…`, or `http://…` for a project on this machine.
  public internal(set) var supabaseURL = Setting<URL?>(nil)
  /// The Supabase project's publishable (anon) key.
  public internal(set) var supabaseKey = Setting<Secret?>(nil)
  /// The ID of a Mux access token, or `nil` if it is not set.
  public internal(set) var muxTokenID = Setting<Secret?>(nil)
  /// The secret of a Mux access token, or `nil` if it is not set.
  public internal(set) var muxTokenSecret = Setting<Secret?>(nil)
  /// The URL of Mux's API.
  public internal(set) var muxURL = Setting("https://api.mux.com")
  /// The base URL of Mux's playlists.
  public internal(set) var muxStreamURL = Setting("https://stream.mux.com")
  /// The base URL of Mux's player pages.
  public internal(set) var muxPlayerURL = Setting("https://player.mux.com")
  /// The base URL of Mux's images.
  public internal(set) var muxImageURL = Setting("https://image.mux.com")
  /// Mux's quality level for new clips.
  public internal(set) var muxVideoQuality = Setting(MuxVideoQuality.account)
  /// The port of `bsc serve` on the loopback interface.
  public internal(set) var localPort = Setting(7437)
  /// The size of an upload chunk, in bytes. It is a multiple of 256 KiB, as Google Cloud Storage requires for resumable
  /// uploads.
  public internal(set) var uploadChunkByteCount = Setting<Int64>(8 << 20)
  /// The maximum total upload rate, in bytes per second, or 0 for no limit.
  public internal(set) var uploadBytesPerSecond = Setting<Int64>(0)
  /// The maximum number of simultaneous clip uploads.
  public internal(set) var uploadJobs = Setting(2)
  /// Whether clips are uploaded while they are encoded.
  public internal(set) var uploadStreaming = Setting(UploadStreaming.auto)
  /// The number of seconds that a transfer can stall before bsc retries it.
  public internal(set) var stallSeconds = Setting(60)
  /// The path of a PEM file with certificate authorities to trust instead of the system's.
  public internal(set) var authorityFile = Setting<String?>(nil)
  /// The HTTP version.
  public internal(set) var httpVersion = Setting(TransferOptions.Version.automatic)
  /// The IP version to use for connections.
  public internal(set) var addresses = Setting(TransferOptions.Addresses.any)
  /// How to proceed when an upload URL has expired.
  public internal(set) var uploadDeadline = Setting(DirectUpload.ExpirationPolicy.kept)
  /// The number of seconds after which an upload fails if the server acknowledges no new bytes.
  public internal(set) var uploadRetrySeconds = Setting(600)
  /// The constant rate factor for x264, from 0 (lossless) to 51 (worst).
  public internal(set) var quality = Setting(21.0)
  /// How much CPU time the video encoder may take.
  public internal(set) var effort = Setting(EncodingEffort.fast)
  /// The position of the poster frame in the output, in seconds.
  public internal(set) var posterAtSeconds = Setting(2.0)
  /// The default privacy level of highlights.
  public internal(set) var privacy = Setting(PrivacyLevel.everyone)
  /// The public address at which coaches open links: `https://…`, without the path `/s/TOKEN`.
  public internal(set) var shareBaseURL = Setting<URL?>(nil)
  /// The app-only bearer token for X's API.
  public internal(set) var xToken = Setting<Secret?>(nil)
  /// The base URL of X's API.
  public internal(set) var xURL = Setting("https://api.x.com")
  /// The access token for the Instagram Graph API.
  public internal(set) var instagramToken = Setting<Secret?>(nil)
  /// The ID of the professional account on Instagram that the token belongs to.
  public internal(set) var instagramAccount = Setting(0)
  /// The base URL of the Instagram Graph API, with its version.
  public internal(set) var instagramURL = Setting("https://graph.facebook.com/v23.0")
  /// The severity and limits of each rule. A project's setting for a rule overrides the user's setting.
  public internal(set) var rules = RuleSettings()
  /// The paths of the files that configure the rules, by rule ID.
  var ruleFiles: [String: String] = [:]

  /// All defaults.
  public init() {}

  /// Reads the settings files and resolves each setting. The order of precedence is flag, environment, project file,
  /// user file, default.
  /// - Parameters:
  ///   - flags: the values from the command line.
  ///   - environment: the environment variables of the process. Only `BSC_…` variables with a value are used.
  ///   - workingFolder: the absolute path of the working folder. The nearest `.bsc.toml` in this folder or one of its
  ///     parents is the project file.
  ///   - places: the folders of bsc, which determine the path of the user's settings file.
  /// - Throws: `ShareEngineError` if a key is unknown, a value is invalid or a source must not set a key, even if a
  ///   different source overrides the setting. `InvalidSettingsError` if there are several such errors.
  ///   `DurableFileError` if an existing file cannot be read.
  public init(flags: [FlagValue] = [], environment: [String: String], workingFolder: String, places: ApplicationFolders)
    throws
  {
    var problems: [ShareEngineError] = []
    let files: [(path: String?, scope: SettingScope)] = [
      (places.configurationFile, .user), (ProjectFile.find(from: workingFolder), .project),
    ]
    // The files are in ascending order of precedence, so later values override earlier values.
    for (path, scope) in files {
      guard let path else { continue }
      var own = RuleSettings()
      let entries = try problems.collectErrors { try SettingsFile.read(path, as: scope, rules: &own) } ?? nil
      for id in own.rules.keys { ruleFiles[id] = path }
      rules = RuleSettings(rules.rules.merging(own.rules) { _, own in own })
      problems += entries?.problems ?? []
      for entry in entries?.entries ?? [] {
        try problems.collectErrors { try entry.row.assign(&self, entry.text, entry.origin) }
      }
    }
    for row in SettingTable.rows {
      if let text = environment[row.environmentName], !text.isEmpty {
        try problems.collectErrors { try row.assign(&self, text, .environment(row.environmentName)) }
      }
    }
    for flag in flags {
      let origin = SettingOrigin.flag(flag.flag)
      try problems.collectErrors { try SettingTable.findRow(flag.key, in: origin).assign(&self, flag.text, origin) }
    }
    try InvalidSettingsError.throwIfNotEmpty(problems)
  }

  /// The entries that `bsc config show` prints: all settings in table order, followed by the custom rule settings.
  public var entries: [ConfigurationEntry] { SettingTable.rows.map { $0.entry(self) } + ruleEntries }

  /// The entries for custom rule settings, which can only be set in files.
  public var ruleEntries: [ConfigurationEntry] { RuleSettingText.makeEntries(rules, files: ruleFiles) }
}

/// A setting that was specified on the command line.
public struct FlagValue: Sendable, Equatable {
  /// The setting's key, for example `quality`.
  public var key: String
  /// The flag as the user typed it, for example `--quality`.
  public var flag: String
  /// The unparsed value.
  public var text: String

  public init(key: String, flag: String, text: String) {
    self.key = key
    self.flag = flag
    self.text = text
  }
}
