/// One line of `bsc config show`.
public struct ConfigurationEntry: Codable, Sendable, Equatable {
  /// The key in a settings file: `quality`.
  public var key: String
  /// The value as written in a file; `nil` when not set; `(hidden)` for a secret.
  public var value: String?
  /// The source of the value: `--quality`, `BSC_QUALITY`, `/home/ada/.config/bsc/config.toml` or `default`.
  public var origin: String
  /// A one-line description.
  public var summary: String
  /// The environment variable for this setting; `nil` for settings that can only be set in files.
  public var environment: String?

  /// The possible values of a setting; empty if the key is unknown or its values cannot be listed.
  package static func words(of key: String) -> [String] { SettingTable.rows.first { $0.key == key }?.words ?? [] }
}
