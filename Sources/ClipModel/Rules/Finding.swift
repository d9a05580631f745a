/// One thing that a rule noticed.
public struct Finding: Codable, Hashable, Sendable {
  /// How bad a finding is; in this order.
  public enum Severity: String, Codable, Sendable, Comparable, CaseIterable {
    /// Worth knowing.
    case info
    /// Works, and can be improved.
    case warning
    /// Refused.
    case error

    private var rank: Int {
      switch self {
      case .info: 0
      case .warning: 1
      case .error: 2
      }
    }

    public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }
  }

  /// Stable id of the rule: `clip.duration`, `rally.segments`.
  public var rule: String
  /// As graded: settings may have changed what the rule says.
  public var severity: Severity
  /// What is wrong, as a sentence without a full stop: `the clip lasts 1.1 s; a rally has 3 to 60 s`.
  public var message: String
  /// Where: a JSON path (`rallySegments[3].endTime`) or a track; `nil` for the whole file.
  public var place: String?
  /// The command or change that mends it.
  public var next: String?

  public init(rule: String, severity: Severity, message: String, place: String? = nil, next: String? = nil) {
    self.rule = rule
    self.severity = severity
    self.message = message
    self.place = place
    self.next = next
  }

  /// A break of a rule of the catalogue: the rule's own severity and remedy apply where no others are given.
  init(
    breaking id: String, _ message: String, severity: Severity? = nil, place: String? = nil, next: String? = nil
  ) {
    let rule = RuleCatalog.rule(id)
    self.init(
      rule: id, severity: severity ?? rule?.severity ?? .error, message: message, place: place,
      next: next ?? rule?.mend)
  }
}
