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
  /// The command or change that fixes the problem.
  public var next: String?

  public init(rule: String, severity: Severity, message: String, place: String? = nil, next: String? = nil) {
    self.rule = rule
    self.severity = severity
    self.message = message
    self.place = place
    self.next = next
  }

  /// Creates a finding for a rule in the catalog. The rule provides the default severity and fix.
  package init(
    breaking id: String, _ message: String, severity: Severity? = nil, place: String? = nil, next: String? = nil
  ) {
    let rule = RuleCatalog.rule(id)
    self.init(
      rule: id, severity: severity ?? rule?.severity ?? .error, message: message, place: place,
      next: next ?? rule?.fix)
  }
}
