public import ClipModel
public import Foundation
public import LibCurl
public import Upload

/// Every setting, resolved once when a command starts, each with its origin. `SettingTable` says what they are called.
public struct Configuration: Sendable {
  /// Which backend registers highlights.
  public internal(set) var backend = Setting(BackendKind.local)
  /// The Supabase project: `https://…`, or `http://` on this machine.
  public internal(set) var supabaseURL = Setting<URL?>(nil)
  /// The project's publishable (anon) key.
  public internal(set) var supabaseKey = Setting<Secret?>(nil)
  /// Of an access token for Mux; `nil` when not set.
  public internal(set) var muxTokenID = Setting<Secret?>(nil)
  /// Of an access token for Mux; `nil` when not set.
  public internal(set) var muxTokenSecret = Setting<Secret?>(nil)
  /// Mux's API, and its hosts for videos and pictures.
  public internal(set) var muxURL = Setting("https://api.mux.com")
  /// Where Mux's playlists are.
  public internal(set) var muxStreamURL = Setting("https://stream.mux.com")
  /// Where pages are that play Mux's videos.
  public internal(set) var muxPlayerURL = Setting("https://player.mux.com")
  /// Where Mux's pictures are.
  public internal(set) var muxImageURL = Setting("https://image.mux.com")
  /// How much Mux makes of a clip.
  public internal(set) var muxVideoQuality = Setting(MuxVideoQuality.account)
  /// Port of `bsc serve` on the loopback interface.
  public internal(set) var localPort = Setting(7437)
  /// Bytes of an upload chunk: a multiple of 256 KiB, as Google Cloud Storage asks for resumable uploads.
  public internal(set) var uploadChunkByteCount = Setting<Int64>(8 << 20)
  /// Bytes per second that all uploads together may send; 0 for no limit.
  public internal(set) var uploadBytesPerSecond = Setting<Int64>(0)
  /// Clips that are uploaded at once.
  public internal(set) var uploadJobs = Setting(2)
  /// Seconds without a byte after which a transfer is given up and tried anew.
  public internal(set) var stallSeconds = Setting(60)
  /// PEM file of certificate authorities that are trusted instead of the system's.
  public internal(set) var authorityFile = Setting<String?>(nil)
  /// Which version of HTTP is spoken.
  public internal(set) var httpVersion = Setting(TransferOptions.Version.automatic)
  /// Which addresses servers are reached by.
  public internal(set) var addresses = Setting(TransferOptions.Addresses.any)
  /// What counts when the life of an upload URL is over.
  public internal(set) var uploadDeadline = Setting(DirectUpload.Deadline.kept)
  /// Seconds without a newly confirmed byte after which an upload gives up for this time.
  public internal(set) var uploadRetrySeconds = Setting(600)
  /// x264's constant rate factor: 0 lossless, 51 worst.
  public internal(set) var quality = Setting(21.0)
  /// Where the poster is taken, in seconds of the output.
  public internal(set) var posterAtSeconds = Setting(2.0)
  /// Who may see what is shared without a word about it.
  public internal(set) var privacy = Setting(PrivacyLevel.everyone)
  /// How rules are graded and bounded; a project's word on a rule goes before the user's.
  public internal(set) var rules = RuleSettings()
  /// The file that has the say on a rule, by the rule's id.
  var ruleFiles: [String: String] = [:]

  /// All defaults.
  public init() {}

  /// Reads the files and takes each setting from the first of: flag, environment, project file, user file, default.
  /// - Parameters:
  ///   - flags: what the command line says.
  ///   - environment: the process's; `BSC_…` names count, empty values do not.
  ///   - workingFolder: absolute; the nearest `.bsc.toml` in it or above it is the project file.
  ///   - places: where the user's file lies.
  /// - Throws: `ShareEngineError` for an unknown key, a wrong value, or a key that its place may not set, even when a
  ///   stronger place sets it too, `SettingProblems` for several; `DurableFileError` when a file is there and cannot be
  ///   read.
  public init(flags: [FlagValue] = [], environment: [String: String], workingFolder: String, places: Places) throws {
    var problems: [ShareEngineError] = []
    let files: [(path: String?, owner: SettingsFile.Owner)] = [
      (places.configurationFile, .user), (ProjectFile.find(from: workingFolder), .project),
    ]
    // Weakest first: each stronger place writes over the weaker one.
    for (path, owner) in files {
      guard let path else { continue }
      var own = RuleSettings()
      let entries = try problems.collect { try SettingsFile.read(path, as: owner, rules: &own) } ?? nil
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
    try SettingProblems.end(with: problems)
  }

  /// What `bsc config show` prints: the settings in the table's order, then the rules that are not as usual.
  public var entries: [ConfigurationEntry] { SettingTable.rows.map { $0.entry(self) } + ruleEntries }

  /// What files say of rules; no other place says any.
  public var ruleEntries: [ConfigurationEntry] { RuleSettingText.entries(rules, files: ruleFiles) }
}

/// A value on the command line for the setting `key`, given by `flag` (`--quality`).
public struct FlagValue: Sendable, Equatable {
  /// The setting's key: `quality`.
  public var key: String
  /// As typed: `--quality`.
  public var flag: String
  /// What was given, unread.
  public var text: String

  public init(key: String, flag: String, text: String) {
    self.key = key
    self.flag = flag
    self.text = text
  }
}
