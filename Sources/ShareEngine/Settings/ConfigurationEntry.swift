/// One line of `bsc config show`.
public struct ConfigurationEntry: Codable, Sendable, Equatable {
  /// The key in a settings file: `quality`.
  public var key: String
  /// The value as written in a file; `nil` when not set; `(hidden)` for a secret.
  public var value: String?
  /// The source of the value: `--quality`, `BSC_QUALITY`, `/home/ada/.config/bsc/config.toml` or `default`.
  public var origin: String
  /// A description in one line.
  public var summary: String
  /// The environment variable for this setting; `nil` for settings that only files can contain.
  public var environment: String?

  /// The possible values of a setting; empty for an unknown key and for values that cannot be listed.
  package static func words(of key: String) -> [String] { SettingTable.rows.first { $0.key == key }?.words ?? [] }
}
