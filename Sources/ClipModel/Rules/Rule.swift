/// The description of a rule: what it requires, why, and how to fix a clip that breaks it.
public struct Rule: Sendable, Equatable {
  /// Stable: `clip.duration`.
  public var id: String
  /// The severity, unless the settings change it.
  public var severity: Finding.Severity
  /// The requirement in one line: `a clip lasts 3 to 60 s`.
  public var summary: String
  /// The reason, in one or more sentences.
  public var reason: String
  /// The origin: a specification, a product rule or a measurement.
  public var source: String
  /// The command or change that fixes the clip; `nil` if there is none.
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
