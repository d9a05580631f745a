import ClipModel

/// The source with the lowest precedence that is allowed to set a setting. Sources with a higher precedence are also
/// allowed.
///
/// A project's settings file can be part of a downloaded folder, so it must not be able to redirect clips or
/// credentials.
enum SettingScope: Int, Sendable, Comparable {
  case project, user, environment

  static func < (left: SettingScope, right: SettingScope) -> Bool { left.rawValue < right.rawValue }
}

/// A row in the settings table. It contains a setting's key, and closures that access the setting in a configuration.
struct SettingRow: Sendable {
  let key: String
  let scope: SettingScope
  let environmentName: String
  /// Parses a string and stores the value in the configuration. Throws an error if the string is invalid.
  let assign: @Sendable (inout Configuration, String, SettingOrigin) throws(ShareEngineError) -> Void
  let entry: @Sendable (Configuration) -> ConfigurationEntry
  /// All possible values, or an empty array if they cannot be listed.
  let words: [String]

  /// - Parameter scope: the lowest source that is allowed to set the setting. The default is `user`, so that projects
  ///   cannot change new settings unintentionally.
  init<Value>(
    _ key: String, _ field: any WritableKeyPath<Configuration, Setting<Value>> & Sendable,
    _ syntax: SettingSyntax<Value>, setBy scope: SettingScope = .user, _ summary: String
  ) {
    let environmentName = "BSC_" + key.uppercased().replacing(".", with: "_")
    self.environmentName = environmentName
    self.key = key
    self.scope = scope
    words = syntax.words
    assign = { configuration, text, origin throws(ShareEngineError) in
      guard let value = syntax.parse(text) else {
        // A URL with a user or a query can contain a secret, even if the setting itself is not a secret.
        let isSafe = !syntax.isSecret && !text.contains("@") && !text.contains("?")
        let nearest = SpellingSuggestion.nearestWord(to: text.lowercased(), among: syntax.words)
        throw ShareEngineError(
          .settingInvalid,
          [
            "value": isSafe ? "\"\(text)\"" : "the value", "setting": key, "origin": "\(origin)",
            "expected": syntax.expectation, "nearest": nearest,
          ],
          category: origin.isFlag ? .usage : .notConfigured)
      }
      configuration[keyPath: field] = Setting(value, origin: origin)
    }
    entry = { configuration in
      let setting = configuration[keyPath: field]
      return ConfigurationEntry(
        key: key, value: syntax.print(setting.value), origin: setting.origin.source, summary: summary,
        environment: environmentName)
    }
  }
}

extension SettingOrigin {
  var isFlag: Bool { if case .flag = self { true } else { false } }

  /// The origin for display. For a file, it contains only the path, without the key.
  fileprivate var source: String { if case .file(let path, _) = self { path } else { description } }
}
