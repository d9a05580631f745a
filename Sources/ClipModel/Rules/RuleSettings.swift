/// The user's settings for one rule.
public struct RuleSetting: Sendable, Equatable {
  /// The severity of a rule's findings, or `off` to skip the rule.
  public enum Grade: String, Sendable, CaseIterable {
    /// The rule is not checked.
    case off
    /// Worth knowing.
    case info
    /// Works, but can be improved.
    case warning
    /// The clip is rejected.
    case error

    /// `nil` for `off`.
    public var severity: Finding.Severity? { Finding.Severity(rawValue: rawValue) }
  }

  /// `nil` for the rule's own severity.
  public var grade: Grade?
  /// The inclusive lower limit in the rule's unit; `nil` for the usual limit.
  public var minimum: Double?
  /// The inclusive upper limit in the rule's unit; `nil` for the usual limit.
  public var maximum: Double?

  public init(grade: Grade? = nil, minimum: Double? = nil, maximum: Double? = nil) {
    self.grade = grade
    self.minimum = minimum
    self.maximum = maximum
  }
}

/// The user's settings for all rules.
public struct RuleSettings: Sendable, Equatable {
  /// The settings by rule ID (`clip.duration`). Rules without an entry keep their defaults.
  public var rules: [String: RuleSetting]

  public init(_ rules: [String: RuleSetting] = [:]) { self.rules = rules }

  /// The default limits of the rules that accept `min` and `max`.
  public static let usualRanges = [
    "clip.duration": RallyLimits.seconds, "clip.frame-rate": MuxStandard.today.frameRates,
    // In LUFS.
    "clip.loudness": -40.0...(-8),
  ]

  /// Whether a rule is turned off.
  public func isOff(_ rule: String) -> Bool { rules[rule]?.grade == .off }

  /// Only the settings that are stricter than the defaults: no setting makes a backend accept what it rejects.
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
  /// The finding with its severity from the settings; `nil` if its rule is turned off.
  public func graded(_ finding: Finding) -> Finding? {
    guard let grade = rules[finding.rule]?.grade else { return finding }
    guard let severity = grade.severity else { return nil }
    var graded = finding
    // Raising a rule's severity does not affect its milder findings.
    let usual = RuleCatalog.rule(finding.rule)?.severity ?? .error
    if finding.severity >= usual || severity < finding.severity { graded.severity = severity }
    return graded
  }
  /// The limits of a rule: its defaults, overridden by the settings; `nil` if no value satisfies them.
  public func range(_ rule: String) -> ClosedRange<Double>? {
    guard let usual = Self.usualRanges[rule] else { return nil }
    let minimum = rules[rule]?.minimum ?? usual.lowerBound
    let maximum = rules[rule]?.maximum ?? usual.upperBound
    return minimum <= maximum ? minimum...maximum : nil
  }
}
