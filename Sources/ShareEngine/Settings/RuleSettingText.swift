import ClipModel

/// Reads and lists rule settings in a settings file, such as `rules.clip.duration.min`.
enum RuleSettingText {
  static let prefix = "rules."

  /// Applies a value from a settings file to its rule.
  /// - Throws: `ShareEngineError` if the value is invalid, or if the rule or field is unknown. For an unknown name, the
  ///   error contains the most similar known name.
  static func applySetting(
    _ key: String, _ text: String, to settings: inout RuleSettings, origin: SettingOrigin
  ) throws(ShareEngineError) {
    func makeError(_ reason: ErrorText, _ facts: [String: String?]) -> ShareEngineError {
      ShareEngineError(reason, facts.merging(["setting": key, "origin": "\(origin)"]) { fact, _ in fact })
    }
    let parts = key.dropFirst(prefix.count).split(separator: ".", omittingEmptySubsequences: false)
    let field = String(parts.last ?? "")
    let id = parts.dropLast().joined(separator: ".")
    guard RuleCatalog.rule(id) != nil else {
      let nearest = SpellingSuggestion.nearestWord(to: id, among: RuleCatalog.rules.map(\.id))
      throw makeError(.ruleUnknown, ["rule": id, "nearest": nearest])
    }
    var setting = settings.rules[id] ?? RuleSetting()
    switch field {
    case "severity":
      guard let grade = RuleSetting.Grade(rawValue: text) else { throw makeError(.ruleSeverity, ["value": text]) }
      setting.grade = grade
    case "min", "max":
      guard let usual = RuleSettings.usualRanges[id] else {
        let bounded = RuleSettings.usualRanges.keys.sorted().joined(separator: " and ")
        throw makeError(.ruleWithoutBounds, ["rule": id, "bounded": bounded])
      }
      guard let number = Double(text), number.isFinite, number >= 0 || usual.lowerBound < 0 else {
        throw makeError(.ruleNumber, ["value": text])
      }
      setting[keyPath: field == "min" ? \RuleSetting.minimum : \.maximum] = number
    default:
      let nearest = SpellingSuggestion.nearestWord(to: field, among: ["severity", "min", "max"])
      throw makeError(.ruleField, ["field": field, "nearest": nearest])
    }
    settings.rules[id] = setting
  }

  /// Returns errors for rules whose minimum exceeds their maximum. Such errors can only be detected after the entire
  /// file was read.
  static func findInvalidRanges(_ settings: RuleSettings, path: String) -> [ShareEngineError] {
    RuleSettings.usualRanges.sorted { $0.key < $1.key }.filter { settings.allowedRange($0.key) == nil }.map {
      id, usual in
      ShareEngineError(
        .ruleBounds,
        ["rule": id, "path": path, "min": decimal(usual.lowerBound), "max": decimal(usual.upperBound)])
    }
  }

  /// Returns an entry for each rule value, with its key in a settings file.
  /// - Parameter files: the path of the file that sets each rule, by rule ID.
  static func makeEntries(_ settings: RuleSettings, files: [String: String]) -> [ConfigurationEntry] {
    settings.rules.sorted { $0.key < $1.key }.flatMap { id, setting in
      let usual = RuleSettings.usualRanges[id]
      let values = [
        ("severity", setting.grade?.rawValue, RuleCatalog.rule(id)?.severity.rawValue),
        ("min", setting.minimum.map(decimal), (usual?.lowerBound).map(decimal)),
        ("max", setting.maximum.map(decimal), (usual?.upperBound).map(decimal)),
      ]
      return values.filter { $0.1 != nil }.map { field, value, usual in
        ConfigurationEntry(
          key: "\(prefix)\(id).\(field)", value: value, origin: files[id] ?? "",
          summary: "default: \(usual ?? "not set")")
      }
    }
  }
}
