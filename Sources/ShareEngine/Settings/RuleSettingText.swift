import ClipModel

/// `rules.clip.duration.min` in a file of settings: how one rule is graded and bounded.
enum RuleSettingText {
  static let prefix = "rules."
  private static let fields = ["severity", "min", "max"]

  /// Puts a value into the settings of its rule.
  /// - Throws: for a rule or field that does not exist, with the nearest one that does, and for a value that is none.
  static func apply(
    _ key: String, _ text: String, to settings: inout RuleSettings, origin: SettingOrigin
  ) throws(ShareEngineError) {
    let parts = key.dropFirst(prefix.count).split(separator: ".", omittingEmptySubsequences: false)
    let field = String(parts.last ?? "")
    let id = parts.dropLast().joined(separator: ".")
    guard RuleCatalog.rule(id) != nil else {
      let nearest = SpellingSuggestion.nearest(to: id, among: RuleCatalog.rules.map(\.id))
      throw ShareEngineError(.ruleUnknown, ["setting": key, "origin": "\(origin)", "rule": id, "nearest": nearest])
    }
    var setting = settings.rules[id] ?? RuleSetting()
    switch field {
    case "severity":
      guard let grade = RuleSetting.Grade(rawValue: text) else {
        throw ShareEngineError(.ruleSeverity, ["setting": key, "origin": "\(origin)", "value": text])
      }
      setting.grade = grade
    case "min", "max":
      guard let usual = RuleSettings.usualRanges[id] else {
        let bounded = RuleSettings.usualRanges.keys.sorted().joined(separator: " and ")
        throw ShareEngineError(
          .ruleWithoutBounds, ["setting": key, "origin": "\(origin)", "rule": id, "bounded": bounded])
      }
      guard let number = Double(text), number.isFinite, number >= 0 || usual.lowerBound < 0 else {
        throw ShareEngineError(.ruleNumber, ["setting": key, "origin": "\(origin)", "value": text])
      }
      if field == "min" { setting.minimum = number } else { setting.maximum = number }
    default:
      let nearest = SpellingSuggestion.nearest(to: field, among: fields)
      throw ShareEngineError(.ruleField, ["setting": key, "origin": "\(origin)", "field": field, "nearest": nearest])
    }
    settings.rules[id] = setting
  }

  /// Bounds that leave nothing; known once a whole file was read.
  static func problems(_ settings: RuleSettings, path: String) -> [ShareEngineError] {
    RuleSettings.usualRanges.sorted { $0.key < $1.key }.filter { settings.range($0.key) == nil }.map { id, usual in
      ShareEngineError(
        .ruleBounds,
        ["rule": id, "path": path, "min": decimal(usual.lowerBound), "max": decimal(usual.upperBound)])
    }
  }

  /// Each value as a setting of its own, by the names that a file has for them.
  /// - Parameter files: where each rule's settings stand.
  static func entries(_ settings: RuleSettings, files: [String: String]) -> [ConfigurationEntry] {
    settings.rules.sorted { $0.key < $1.key }.flatMap { id, setting in
      let usual = RuleSettings.usualRanges[id]
      let rule = RuleCatalog.rule(id)
      let values: [(field: String, value: String?, usual: String?)] = [
        ("severity", setting.grade?.rawValue, rule?.severity.rawValue),
        ("min", setting.minimum.map(decimal), (usual?.lowerBound).map(decimal)),
        ("max", setting.maximum.map(decimal), (usual?.upperBound).map(decimal)),
      ]
      return values.filter { $0.value != nil }.map { field, value, usual in
        ConfigurationEntry(
          key: "\(prefix)\(id).\(field)", value: value, origin: files[id] ?? "", summary: "usually \(usual ?? "unset")")
      }
    }
  }
}
