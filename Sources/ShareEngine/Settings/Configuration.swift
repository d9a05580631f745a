public import ClipModel
public import Foundation
public import LibCurl
public import Upload

/// All settings with their origins, resolved once when a command starts. `SettingTable` maps them to their keys.
public struct Configuration: Sendable {
  /// The backend on which highlights are registered.
  public internal(set) var backend = Setting(BackendKind.local)
  /// The Supabase project: `https://…`, or `http://` for a project on this machine.
  public internal(set) var supabaseURL = Setting<URL?>(nil)
  /// The project's publishable (anon) key.
  public internal(set) var supabaseKey = Setting<Secret?>(nil)
  /// The ID of a Mux access token; `nil` when not set.
  public internal(set) var muxTokenID = Setting<Secret?>(nil)
  /// The secret of a Mux access token; `nil` when not set.
  public internal(set) var muxTokenSecret = Setting<Secret?>(nil)
  /// The URL of Mux's API.
  public internal(set) var muxURL = Setting("https://api.mux.com")
  /// The base URL of Mux's playlists.
  public internal(set) var muxStreamURL = Setting("https://stream.mux.com")
  /// The base URL of the pages that play videos from Mux.
  public internal(set) var muxPlayerURL = Setting("https://player.mux.com")
  /// The base URL of Mux's images.
  public internal(set) var muxImageURL = Setting("https://image.mux.com")
  /// Mux's quality level for new clips.
  public internal(set) var muxVideoQuality = Setting(MuxVideoQuality.account)
  /// The port of `bsc serve` on the loopback interface.
  public internal(set) var localPort = Setting(7437)
  /// The size of an upload chunk in bytes: a multiple of 256 KiB, as Google Cloud Storage requires for resumable uploads.
  public internal(set) var uploadChunkByteCount = Setting<Int64>(8 << 20)
  /// The maximum number of bytes per second for all uploads together; 0 for no limit.
  public internal(set) var uploadBytesPerSecond = Setting<Int64>(0)
  /// The number of clips that are uploaded at the same time.
  public internal(set) var uploadJobs = Setting(2)
  /// How many seconds a transfer may stall before it is retried.
  public internal(set) var stallSeconds = Setting(60)
  /// A PEM file of certificate authorities that are trusted instead of the system's.
  public internal(set) var authorityFile = Setting<String?>(nil)
  /// The HTTP version.
  public internal(set) var httpVersion = Setting(TransferOptions.Version.automatic)
  /// The IP version of server addresses.
  public internal(set) var addresses = Setting(TransferOptions.Addresses.any)
  /// What to do when an upload URL has expired.
  public internal(set) var uploadDeadline = Setting(DirectUpload.Deadline.kept)
  /// The number of seconds without a newly acknowledged byte before an upload stops with an error.
  public internal(set) var uploadRetrySeconds = Setting(600)
  /// x264's constant rate factor, from 0 (lossless) to 51 (worst).
  public internal(set) var quality = Setting(21.0)
  /// The position of the poster frame, in seconds of the output.
  public internal(set) var posterAtSeconds = Setting(2.0)
  /// The default visibility of highlights.
  public internal(set) var privacy = Setting(PrivacyLevel.everyone)
  /// The severities and limits of rules. A project's setting for a rule overrides the user's.
  public internal(set) var rules = RuleSettings()
  /// The file that configures each rule, by rule ID.
  var ruleFiles: [String: String] = [:]

  /// All defaults.
  public init() {}

  /// Reads the files and resolves each setting. The precedence is: flag, environment, project file, user file, default.
  /// - Parameters:
  ///   - flags: values from the command line.
  ///   - environment: the process's variables. Only non-empty `BSC_…` variables are used.
  ///   - workingFolder: an absolute path. The nearest `.bsc.toml` in this folder or one of its parents is the project
  ///     file.
  ///   - places: determines the path of the user's file.
  /// - Throws: `ShareEngineError` for an unknown key, an invalid value, or a key that its source must not set, even if
  ///   another source overrides it; `InvalidSettingsError` if there are several such errors; `DurableFileError` if a
  ///   file exists but cannot be read.
  public init(flags: [FlagValue] = [], environment: [String: String], workingFolder: String, places: Places) throws {
    var problems: [ShareEngineError] = []
    let files: [(path: String?, scope: SettingScope)] = [
      (places.configurationFile, .user), (ProjectFile.find(from: workingFolder), .project),
    ]
    // The files are in ascending order of precedence: later values override earlier ones.
    for (path, scope) in files {
      guard let path else { continue }
      var own = RuleSettings()
      let entries = try problems.collect { try SettingsFile.read(path, as: scope, rules: &own) } ?? nil
      for id in own.rules.keys { ruleFiles[id] = path }
      rules = RuleSettings(rules.rules.merging(own.rules) { _, own in own })
      problems += entries?.problems ?? []
      for entry in entries?.entries ?? [] {
        try problems.collect { try entry.row.assign(&self, entry.text, entry.origin) }
      }
    }
    for row in SettingTable.rows {
      if let text = environment[row.environmentName], !text.isEmpty {
        try problems.collect { try row.assign(&self, text, .environment(row.environmentName)) }
      }
    }
    for flag in flags {
      let origin = SettingOrigin.flag(flag.flag)
      try problems.collect { try SettingTable.row(flag.key, in: origin).assign(&self, flag.text, origin) }
    }
    try InvalidSettingsError.throwIfAny(problems)
  }

  /// The entries of `bsc config show`: all settings in the order of the table, then the rules with custom settings.
  public var entries: [ConfigurationEntry] { SettingTable.rows.map { $0.entry(self) } + ruleEntries }

  /// The settings for rules, which can only be set in files.
  public var ruleEntries: [ConfigurationEntry] { RuleSettingText.entries(rules, files: ruleFiles) }
}

/// A setting's value on the command line.
public struct FlagValue: Sendable, Equatable {
  /// The setting's key: `quality`.
  public var key: String
  /// The flag as the user typed it: `--quality`.
  public var flag: String
  /// The unparsed value.
  public var text: String

  public init(key: String, flag: String, text: String) {
    self.key = key
    self.flag = flag
    self.text = text
  }
}
