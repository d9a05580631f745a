/// How far somebody looked into a file.
public enum InspectionDepth: String, Codable, Sendable, CaseIterable, Comparable {
  /// The container's headers and the decoder's setup.
  case headers
  /// Also the tables of samples, and the first bytes of key frames.
  case samples
  /// Also some decoded pictures and sounds.
  case frames
  /// Everything was decoded.
  case everything

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  public static func < (left: InspectionDepth, right: InspectionDepth) -> Bool { left.rank < right.rank }
}

/// What a rule says of a file. Unknown is never a pass: nobody looked, or the file does not tell.
public enum RuleOutcome: String, Codable, Sendable {
  /// Asked, and fine.
  case pass
  /// Asked, and not fine.
  case fail
  /// Nobody looked, or the file does not tell.
  case unknown
}

/// One rule and one file.
public struct RuleCheck: Codable, Equatable, Sendable {
  /// The rule's stable id: `mux.video-bitrate`.
  public var rule: String
  /// What the rule says.
  public var outcome: RuleOutcome
  /// How far somebody looked to say so.
  public var depth: InspectionDepth
  /// Why it is unknown, as in `there is no video track`; `nil` where the file does not tell.
  public var reason: String?

  /// One rule's answer.
  /// - Parameters:
  ///   - rule: its stable id.
  ///   - outcome: what it says.
  ///   - depth: how far somebody looked.
  ///   - reason: why it is unknown.
  public init(_ rule: String, _ outcome: RuleOutcome, depth: InspectionDepth, reason: String? = nil) {
    self.rule = rule
    self.outcome = outcome
    self.depth = depth
    self.reason = reason
  }
}

/// Everything that was found out about one file.
public struct Judgement: Codable, Equatable, Sendable {
  /// As it was named.
  public var file: String
  /// Every rule that was asked, in the catalogue's order.
  public var checks: [RuleCheck]
  /// What they noticed, graded.
  public var findings: [Finding]
  /// Why the file could not be judged; then there are no checks.
  public var failure: Explanation?
  /// Wall clock.
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

  /// A finding is graded at least so.
  public func fails(on severity: Finding.Severity) -> Bool { findings.contains { $0.severity >= severity } }
}
