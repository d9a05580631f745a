import ClipModel

/// The weakest place that may set a setting; the stronger ones may as well.
///
/// A project's file comes with downloaded folders: it must not be able to send clips or credentials anywhere.
enum SettingScope: Int, Sendable, Comparable {
  case project, user, environment

  static func < (left: SettingScope, right: SettingScope) -> Bool { left.rawValue < right.rawValue }
}

/// One setting: its key and, behind closures, its field and its kind of value.
struct SettingRow: Sendable {
  let key: String
  let scope: SettingScope
  /// Reads the text and puts the value into the configuration; throws when the text is not a value for it.
  let assign: @Sendable (inout Configuration, String, SettingOrigin) throws(ShareEngineError) -> Void
  let entry: @Sendable (Configuration) -> ConfigurationEntry
  /// All values, where they can be listed.
  let words: [String]

  init<Value>(
    _ key: String, _ field: any WritableKeyPath<Configuration, Setting<Value>> & Sendable,
    _ syntax: SettingSyntax<Value>,
    setBy scope: SettingScope, _ summary: String
  ) {
    let environmentName = Self.environmentName(key)
    self.key = key
    self.scope = scope
    words = syntax.words
    assign = { configuration, text, origin throws(ShareEngineError) in
      guard let value = syntax.parse(text) else {
        // An address with a user or a query may hold a secret, whatever the setting is for.
        let isSafe = !syntax.isSecret && !text.contains("@") && !text.contains("?")
        let nearest = SpellingSuggestion.nearest(to: text.lowercased(), among: syntax.words)
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
        key: key, value: syntax.print(setting.value), origin: setting.origin.place, summary: summary,
        environment: environmentName)
    }
  }

  var environmentName: String { Self.environmentName(key) }

  private static func environmentName(_ key: String) -> String {
    "BSC_" + key.uppercased().replacing(".", with: "_")
  }
}

extension SettingOrigin {
  var isFlag: Bool { if case .flag = self { true } else { false } }

  /// As `description`, without the key that a list of settings shows anyway.
  var place: String { if case .file(let path, _) = self { path } else { description } }
}
