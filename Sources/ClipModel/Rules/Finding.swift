/// A problem that a rule detected.
public struct Finding: Codable, Hashable, Sendable {
  /// The severity of a finding, from low to high.
  public enum Severity: String, Codable, Sendable, Comparable, CaseIterable {
    /// The finding is for information only.
    case info
    /// The clip works but can be improved.
    case warning
    /// The clip is rejected.
    case error

    public static func < (left: Severity, right: Severity) -> Bool {
      allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
    }
  }

  /// The rule's stable ID, such as `clip.duration` or `rally.segments`.
  public var rule: String
  /// The severity, after applying the rule settings.
  public var severity: Severity
  /// The problem as a sentence without a period: `the clip lasts 1.1 s; a highlight must last 3 to 60 s`.
  public var message: String
  /// The location of the problem: a JSON path (`rallySegments[3].endTime`) or a track; `nil` if it affects the entire
  /// file.
  public var place: String?
  /// The change that fixes the problem. Advice that names a program's commands isn't part of a finding: each program
  /// chooses its own advice by `rule` and `facts`.
  public var next: String?
  /// The values that a program's advice depends on, keyed by name; `nil` if the finding needs no such advice.
  public var facts: [String: String]?

  public init(
    rule: String, severity: Severity, message: String, place: String? = nil, next: String? = nil,
    facts: [String: String]? = nil
  ) {
    self.rule = rule
    self.severity = severity
    self.message = message
    self.place = place
    self.next = next
    self.facts = facts
  }

  /// Creates a finding for a rule in the catalog. The rule provides the default severity and fix.
  package init(
    breaking id: String, _ message: String, severity: Severity? = nil, place: String? = nil, next: String? = nil,
    facts: [String: String] = [:]
  ) {
    let rule = RuleCatalog.rule(id)
    self.init(
      rule: id, severity: severity ?? rule?.severity ?? .error, message: message, place: place,
      next: next ?? rule?.fix, facts: facts)
  }

  private enum CodingKeys: CodingKey { case rule, severity, message, place, next, facts }

  /// The `userInfo` key for a function that returns the advice for a finding. If an encoder has this entry, it writes
  /// the advice as `next`, and no `facts`.
  public static let adviceKey = CodingUserInfoKey(rawValue: "finding.advice")

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(rule, forKey: .rule)
    try container.encode(severity, forKey: .severity)
    try container.encode(message, forKey: .message)
    try container.encodeIfPresent(place, forKey: .place)
    let advice = Self.adviceKey.flatMap { encoder.userInfo[$0] } as? @Sendable (Finding) -> String?
    try container.encodeIfPresent(advice?(self) ?? next, forKey: .next)
    if advice == nil { try container.encodeIfPresent(facts, forKey: .facts) }
  }
}
