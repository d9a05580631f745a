/// A rule as people read it: what it wants, why, and what helps.
public struct Rule: Sendable, Equatable {
  /// Stable: `clip.duration`.
  public var id: String
  /// How bad it is unless settings grade it otherwise.
  public var severity: Finding.Severity
  /// What it wants, in a line: `a clip lasts 3 to 60 s`.
  public var summary: String
  /// Why, in a sentence or a few.
  public var reason: String
  /// Where it comes from: a specification, a product rule, a measurement.
  public var source: String
  /// The command or change that mends it; `nil` when nothing does.
  public var mend: String?

  /// A rule in words; the parameters are the properties.
  public init(
    _ id: String, _ severity: Finding.Severity, _ summary: String, because reason: String, source: String,
    mend: String? = nil
  ) {
    self.id = id
    self.severity = severity
    self.summary = summary
    self.reason = reason
    self.source = source
    self.mend = mend
  }
}
