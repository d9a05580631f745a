/// One line of `bsc config show`.
public struct ConfigurationEntry: Codable, Sendable, Equatable {
  /// As in a file: `quality`.
  public var key: String
  /// As it would be written in a file; `nil` when not set; `(hidden)` for a secret.
  public var value: String?
  /// `--quality`, `BSC_QUALITY`, `/home/ada/.config/bsc/config.toml`, `default`.
  public var origin: String
  /// What it is, in a line.
  public var summary: String
  /// The environment variable that sets it; `nil` for what only files say.
  public var environment: String?

  /// The values that a setting can have, where they can be listed; none for what is no setting.
  package static func words(of key: String) -> [String] { SettingTable.rows.first { $0.key == key }?.words ?? [] }
}
