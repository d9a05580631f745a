/// How deeply a file was inspected.
public enum InspectionDepth: String, Codable, Sendable, CaseIterable, Comparable {
  /// The container headers and the decoder configuration were inspected.
  case headers
  /// The headers, the sample tables and the first bytes of the key frames were inspected.
  case samples
  /// The headers and samples were inspected, and part of the video and audio was decoded.
  case frames
  /// The entire file was decoded.
  case everything

  public static func < (left: InspectionDepth, right: InspectionDepth) -> Bool {
    allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
  }
}

/// The outcome of a rule. Unknown outcomes are never reported as a pass.
public enum RuleOutcome: String, Codable, Sendable {
  /// The file satisfies the rule.
  case pass
  /// The file violates the rule.
  case fail
  /// The rule was not checked, or the file doesn't contain the required information.
  case unknown
}

/// The outcome of a rule for a file.
public struct RuleCheck: Codable, Equatable, Sendable {
  /// The rule's stable ID, such as `mux.bit-rate`.
  public var rule: String
  /// Whether the rule passed.
  public var outcome: RuleOutcome
  /// How deeply the file was inspected.
  public var depth: InspectionDepth
  /// The reason why the outcome is unknown, such as `there is no video track`; `nil` if the file simply doesn't contain
  /// the information.
  public var reason: String?

  public init(_ rule: String, _ outcome: RuleOutcome, depth: InspectionDepth, reason: String? = nil) {
    self.rule = rule
    self.outcome = outcome
    self.depth = depth
    self.reason = reason
  }
}

/// The validation result for a file.
public struct ValidationResult: Codable, Equatable, Sendable {
  /// The path of the file, as entered by the user.
  public var file: String
  /// The outcomes of the checked rules, in catalog order.
  public var checks: [RuleCheck]
  /// The findings, with the severities from the settings.
  public var findings: [Finding]
  /// The reason why the file could not be validated. If it's set, `checks` is empty.
  public var failure: Explanation?
  /// The elapsed time in seconds.
  public var seconds: Double

  public init(
    file: String, checks: [RuleCheck] = [], findings: [Finding] = [], failure: Explanation? = nil, seconds: Double = 0
  ) {
    self.file = file
    self.checks = checks
    self.findings = findings
    self.failure = failure
    self.seconds = seconds
  }

  /// Returns whether any finding has at least the given severity.
  public func fails(on severity: Finding.Severity) -> Bool { findings.contains { $0.severity >= severity } }
}
