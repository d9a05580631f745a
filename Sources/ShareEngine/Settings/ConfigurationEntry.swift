/// A line in the output of `bsc config show`.
public struct ConfigurationEntry: Codable, Sendable, Equatable {
  /// The setting's key in a settings file, for example `quality`.
  public var key: String
  /// The value in the format of a settings file, `(hidden)` for a secret, or `nil` if the setting is not set.
  public var value: String?
  /// The source of the value, for example `--quality`, `BSC_QUALITY`, `/home/ada/.config/bsc/config.toml` or `default`.
  public var origin: String
  /// A one-line description.
  public var summary: String
  /// The name of the setting's environment variable, or `nil` if the setting can only be set in files.
  public var environment: String?

  /// Returns the possible values of a setting. The array is empty if the key is unknown or the values cannot be listed.
  package static func possibleValues(of key: String) -> [String] {
    SettingTable.rows.first { $0.key == key }?.words ?? []
  }
}
