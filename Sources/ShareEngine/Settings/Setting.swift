/// A value in the configuration, and its origin.
public struct Setting<Value: Sendable>: Sendable {
  /// The value.
  public var value: Value
  /// The source that set the value.
  public var origin: SettingOrigin

  /// Creates a setting. If no origin is specified, the value is a default.
  public init(_ value: Value, origin: SettingOrigin = .byDefault) {
    self.value = value
    self.origin = origin
  }
}

extension Setting: Equatable where Value: Equatable {}

/// The source of a setting's value.
public enum SettingOrigin: Sendable, Equatable, CustomStringConvertible {
  /// The value is a default, because no source sets it.
  case byDefault
  /// A flag as the user typed it, for example `--quality`.
  case flag(String)
  /// An environment variable, for example `BSC_QUALITY`.
  case environment(String)
  /// A key in the user's or a project's settings file.
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
