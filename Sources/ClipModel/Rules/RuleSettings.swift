/// How one rule is graded and bounded, where somebody wants it otherwise.
public struct RuleSetting: Sendable, Equatable {
  /// How bad a rule's findings are; `off` asks it not at all.
  public enum Grade: String, Sendable, CaseIterable {
    /// It is not asked.
    case off
    /// Worth knowing.
    case info
    /// Works, and somebody may want to mend it.
    case warning
    /// Refused.
    case error

    /// `nil` for off.
    public var severity: Finding.Severity? { Finding.Severity(rawValue: rawValue) }
  }

  /// `nil` for what the rule says itself.
  public var grade: Grade?
  /// In the rule's unit; both ends are included.
  public var minimum: Double?
  /// In the rule's unit; `nil` for the usual bound.
  public var maximum: Double?

  public init(grade: Grade? = nil, minimum: Double? = nil, maximum: Double? = nil) {
    self.grade = grade
    self.minimum = minimum
    self.maximum = maximum
  }
}

/// Everything that settings say of rules, by their ids.
public struct RuleSettings: Sendable, Equatable {
  /// By the rules' ids (`clip.duration`); the others are as usual.
  public var rules: [String: RuleSetting]

  public init(_ rules: [String: RuleSetting] = [:]) { self.rules = rules }

  /// Rules that take `min` and `max`, with what they usually allow.
  public static let usualRanges = [
    "clip.duration": RallyLimits.seconds, "clip.frame-rate": MuxStandard.today.frameRates,
    // LUFS.
    "clip.loudness": -40.0...(-8),
  ]

  /// The rule with this id shall not be asked.
  public func isOff(_ rule: String) -> Bool { rules[rule]?.grade == .off }

  /// As far as they ask for more than usual: no setting makes a backend take what it refuses.
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

  /// The finding as it counts; `nil` when its rule is off.
  public func graded(_ finding: Finding) -> Finding? {
    guard let grade = rules[finding.rule]?.grade else { return finding }
    guard let severity = grade.severity else { return nil }
    var graded = finding
    // A remark stays one: raising a rule must not make an error of what it only mentions.
    let usual = RuleCatalog.rule(finding.rule)?.severity ?? .error
    if finding.severity >= usual || severity < finding.severity { graded.severity = severity }
    return graded
  }

  /// What a rule allows: its usual range with what settings put in its place; `nil` when that leaves nothing.
  public func range(_ rule: String) -> ClosedRange<Double>? {
    guard let usual = Self.usualRanges[rule] else { return nil }
    let minimum = rules[rule]?.minimum ?? usual.lowerBound
    let maximum = rules[rule]?.maximum ?? usual.upperBound
    return minimum <= maximum ? minimum...maximum : nil
  }
}
