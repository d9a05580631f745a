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
      let nearest = Spelling.nearest(to: id, among: RuleCatalog.rules.map(\.id))
      throw failure(
        key, origin, why: "there is no rule \(id)",
        next: nearest.map { "did you mean [rules.\"\($0)\"]?" } ?? "run \"bsc validate --list-rules\"")
    }
    var setting = settings.rules[id] ?? RuleSetting()
    switch field {
    case "severity":
      guard let grade = RuleSetting.Grade(rawValue: text) else {
        throw failure(key, origin, why: "\"\(text)\" is no severity", next: "write off, info, warning or error")
      }
      setting.grade = grade
    case "min", "max":
      guard let usual = RuleSettings.usualRanges[id] else {
        throw failure(
          key, origin, why: "\(id) has no bounds",
          next:
            "set its severity; only \(RuleSettings.usualRanges.keys.sorted().joined(separator: " and ")) have bounds")
      }
      guard let number = Double(text), number.isFinite, number >= 0 || usual.lowerBound < 0 else {
        throw failure(key, origin, why: "\"\(text)\" is no number", next: "write a number, for instance 3")
      }
      if field == "min" { setting.minimum = number } else { setting.maximum = number }
    default:
      let nearest = Spelling.nearest(to: field, among: fields)
      throw failure(
        key, origin, why: "a rule has no \"\(field)\"",
        next: nearest.map { "did you mean \"\($0)\"?" } ?? "set severity, min or max")
    }
    settings.rules[id] = setting
  }

  /// Bounds that leave nothing; known once a whole file was read.
  static func check(_ settings: RuleSettings, path: String) throws(ShareEngineError) {
    for (id, usual) in RuleSettings.usualRanges.sorted(by: { $0.key < $1.key }) where settings.range(id) == nil {
      throw ShareEngineError(
        what: "cannot use [rules.\"\(id)\"] (\(path))", why: "its min is above its max",
        next: "set both; without a setting they are \(decimal(usual.lowerBound)) and \(decimal(usual.upperBound))",
        category: .notConfigured)
    }
  }

  private static func failure(_ key: String, _ origin: SettingOrigin, why: String, next: String) -> ShareEngineError {
    ShareEngineError(what: "cannot use \(key) (\(origin))", why: why, next: next, category: .notConfigured)
  }
}
