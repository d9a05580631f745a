/// How one rule is graded and bounded, where somebody wants it otherwise.
public struct RuleSetting: Sendable, Equatable {
  public enum Grade: String, Sendable, CaseIterable {
    case off, info, warning, error

    /// `nil` for off.
    public var severity: Finding.Severity? { Finding.Severity(rawValue: rawValue) }
  }

  public var grade: Grade?
  /// In the rule's unit; both ends are included.
  public var minimum: Double?
  public var maximum: Double?

  public init(grade: Grade? = nil, minimum: Double? = nil, maximum: Double? = nil) {
    self.grade = grade
    self.minimum = minimum
    self.maximum = maximum
  }
}

/// Everything that settings say of rules, by their ids.
public struct RuleSettings: Sendable, Equatable {
  public var rules: [String: RuleSetting]

  public init(_ rules: [String: RuleSetting] = [:]) { self.rules = rules }

  /// Rules that take `min` and `max`.
  public static let bounded: Set<String> = ["clip.duration", "clip.frame-rate"]

  public func isOff(_ rule: String) -> Bool { rules[rule]?.grade == .off }

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

  /// The usual range of a rule with what settings put in its place.
  func range(_ rule: String, usually usual: ClosedRange<Double>) -> ClosedRange<Double> {
    let setting = rules[rule]
    let minimum = setting?.minimum ?? usual.lowerBound
    return minimum...max(setting?.maximum ?? usual.upperBound, minimum)
  }
}
