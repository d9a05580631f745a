/// How deeply a file was inspected.
public enum InspectionDepth: String, Codable, Sendable, CaseIterable, Comparable {
  /// The headers of the container and the decoder configuration.
  case headers
  /// The headers, the sample tables and the first bytes of key frames.
  case samples
  /// The headers, the samples and a part of the decoded video and audio.
  case frames
  /// Everything was decoded.
  case everything

  public static func < (left: InspectionDepth, right: InspectionDepth) -> Bool {
    allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
  }
}

/// The outcome of a rule. Unknown is never reported as a pass.
public enum RuleOutcome: String, Codable, Sendable {
  /// The file conforms.
  case pass
  /// The file violates the rule.
  case fail
  /// The rule was not checked, or the file does not contain the information.
  case unknown
}

/// The outcome of one rule for one file.
public struct RuleCheck: Codable, Equatable, Sendable {
  /// The rule's stable ID: `mux.video-bitrate`.
  public var rule: String
  /// The outcome.
  public var outcome: RuleOutcome
  /// How deeply the file was inspected.
  public var depth: InspectionDepth
  /// Why the outcome is unknown, such as `there is no video track`; `nil` if the file does not contain the information.
  public var reason: String?

  public init(_ rule: String, _ outcome: RuleOutcome, depth: InspectionDepth, reason: String? = nil) {
    self.rule = rule
    self.outcome = outcome
    self.depth = depth
    self.reason = reason
  }
}

/// The validation result of one file.
public struct ValidationResult: Codable, Equatable, Sendable {
  /// The path of the file, as entered by the user.
  public var file: String
  /// The checked rules, in the order of the catalog.
  public var checks: [RuleCheck]
  /// The problems, with the severities from the settings.
  public var findings: [Finding]
  /// Why the file could not be validated. In that case, `checks` is empty.
  public var failure: Explanation?
  /// The elapsed time.
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

  /// Whether any finding has at least this severity.
  public func fails(on severity: Finding.Severity) -> Bool { findings.contains { $0.severity >= severity } }
}
