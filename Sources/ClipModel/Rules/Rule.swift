/// Describes a rule: what it requires, why, and how to fix a clip that violates it.
public struct Rule: Sendable, Equatable {
  /// The rule's stable ID, such as `clip.duration`.
  public var id: String
  /// The default severity, which settings can override.
  public var severity: Finding.Severity
  /// The requirement as a short sentence: `a clip lasts 3 to 60 s`.
  public var summary: String
  /// The reason for the rule, in one or more sentences.
  public var reason: String
  /// The source of the rule: a specification, a product rule or a measurement.
  public var source: String
  /// The change that fixes the clip; `nil` if the problem cannot be fixed, or only with a program's commands.
  public var fix: String?

  public init(
    _ id: String, _ severity: Finding.Severity, _ summary: String, because reason: String, source: String,
    fix: String? = nil
  ) {
    self.id = id
    self.severity = severity
    self.summary = summary
    self.reason = reason
    self.source = source
    self.fix = fix
  }
}
