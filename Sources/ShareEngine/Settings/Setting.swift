/// A value of the configuration, and who set it.
public struct Setting<Value: Sendable>: Sendable {
  /// What counts.
  public var value: Value
  /// Who said so.
  public var origin: SettingOrigin

  public init(_ value: Value, origin: SettingOrigin = .byDefault) {
    self.value = value
    self.origin = origin
  }
}

extension Setting: Equatable where Value: Equatable {}

/// Where a setting's value comes from.
public enum SettingOrigin: Sendable, Equatable, CustomStringConvertible {
  /// Nobody said anything.
  case byDefault
  /// The flag as typed: `--quality`.
  case flag(String)
  /// The variable's name: `BSC_QUALITY`.
  case environment(String)
  /// A user's or project's file, and the key in it.
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
