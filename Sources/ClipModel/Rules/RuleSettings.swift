/// The user's settings for a rule.
public struct RuleSetting: Sendable, Equatable {
  /// The severity of a rule's findings, or `off` to disable the rule.
  public enum Grade: String, Sendable, CaseIterable {
    /// The rule is disabled.
    case off
    /// The finding is for information only.
    case info
    /// The clip works but can be improved.
    case warning
    /// The clip is rejected.
    case error

    /// The corresponding severity; `nil` for `off`.
    public var severity: Finding.Severity? { Finding.Severity(rawValue: rawValue) }
  }

  /// The severity or `off`; `nil` for the rule's default severity.
  public var grade: Grade?
  /// The lower limit (inclusive) in the rule's unit; `nil` for the default limit.
  public var minimum: Double?
  /// The upper limit (inclusive) in the rule's unit; `nil` for the default limit.
  public var maximum: Double?

  public init(grade: Grade? = nil, minimum: Double? = nil, maximum: Double? = nil) {
    self.grade = grade
    self.minimum = minimum
    self.maximum = maximum
  }
}

/// The user's settings for all rules.
public struct RuleSettings: Sendable, Equatable {
  /// The settings by rule ID, such as `clip.duration`. Rules without an entry use the defaults.
  public var rules: [String: RuleSetting]

  public init(_ rules: [String: RuleSetting] = [:]) { self.rules = rules }

  /// The default limits of all rules that support `min` and `max`.
  public static let usualRanges = [
    "clip.duration": RallyLimits.seconds, "clip.frame-rate": MuxStandard.today.frameRates,
    // The loudness limits are in LUFS.
    "clip.loudness": -40.0...(-8),
  ]

  /// Returns whether the rule is disabled.
  public func isOff(_ rule: String) -> Bool { rules[rule]?.grade == .off }

  /// The settings that are stricter than the defaults. No setting can make a backend accept a clip that it would
  /// otherwise reject.
  public var stricter: RuleSettings {
    var stricter = RuleSettings()
    for (id, setting) in rules {
      var kept = RuleSetting()
      if let grade = setting.grade, let severity = grade.severity, let usual = RuleCatalog.rule(id)?.severity,
        severity > usual
      {
        kept.grade = grade
      }
      if let usual = Self.usualRanges[id] {
        kept.minimum = setting.minimum.map { max($0, usual.lowerBound) }
        kept.maximum = setting.maximum.map { min($0, usual.upperBound) }
      }
      stricter.rules[id] = kept
    }
    return stricter
  }
  /// Returns the finding with the severity from the settings, or `nil` if the rule is disabled.
  public func gradedFinding(_ finding: Finding) -> Finding? {
    guard let grade = rules[finding.rule]?.grade else { return finding }
    guard let severity = grade.severity else { return nil }
    var graded = finding
    // Raising a rule's severity doesn't affect findings below the rule's default severity.
    let usual = RuleCatalog.rule(finding.rule)?.severity ?? .error
    if finding.severity >= usual || severity < finding.severity { graded.severity = severity }
    return graded
  }
  /// Returns the rule's limits after applying the settings, or `nil` if the range is empty.
  public func allowedRange(_ rule: String) -> ClosedRange<Double>? {
    guard let usual = Self.usualRanges[rule] else { return nil }
    let minimum = rules[rule]?.minimum ?? usual.lowerBound
    let maximum = rules[rule]?.maximum ?? usual.upperBound
    return minimum <= maximum ? minimum...maximum : nil
  }
}
