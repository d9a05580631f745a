/// A problem that a rule found.
public struct Finding: Codable, Hashable, Sendable {
  /// The severity of a finding, from low to high.
  public enum Severity: String, Codable, Sendable, Comparable, CaseIterable {
    /// Worth knowing.
    case info
    /// Works, but can be improved.
    case warning
    /// The clip is rejected.
    case error

    public static func < (left: Severity, right: Severity) -> Bool {
      allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
    }
  }

  /// The rule's stable ID: `clip.duration`, `rally.segments`.
  public var rule: String
  /// The severity, after applying the settings.
  public var severity: Severity
  /// What is wrong, as a sentence without a full stop: `the clip lasts 1.1 s; a highlight must last 3 to 60 s`.
  public var message: String
  /// The location: a JSON path (`rallySegments[3].endTime`) or a track; `nil` for the whole file.
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

  /// A violation of a cataloged rule. The severity and fix of the rule are the defaults.
  package init(
    breaking id: String, _ message: String, severity: Severity? = nil, place: String? = nil, next: String? = nil
  ) {
    let rule = RuleCatalog.rule(id)
    self.init(
      rule: id, severity: severity ?? rule?.severity ?? .error, message: message, place: place,
      next: next ?? rule?.fix)
  }
}
