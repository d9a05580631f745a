/// A value in the configuration, with its origin.
public struct Setting<Value: Sendable>: Sendable {
  /// The value.
  public var value: Value
  /// Where the value was set.
  public var origin: SettingOrigin

  /// Creates a setting, which by default has the origin `byDefault`.
  public init(_ value: Value, origin: SettingOrigin = .byDefault) {
    self.value = value
    self.origin = origin
  }
}

extension Setting: Equatable where Value: Equatable {}

/// The source of a setting's value.
public enum SettingOrigin: Sendable, Equatable, CustomStringConvertible {
  /// The default; no source sets the value.
  case byDefault
  /// A flag as typed: `--quality`.
  case flag(String)
  /// An environment variable: `BSC_QUALITY`.
  case environment(String)
  /// The user's or a project's settings file, and the key in that file.
  case file(path: String, key: String)

  public var description: String {
    switch self {
    case .byDefault: "default"
    case .flag(let flag): flag
    case .environment(let name): name
    case .file(let path, let key): "\(path): \(key)"
    }
  }
}
