package import ClipModel

/// The format of a validation report.
package enum ReportKind: String, CaseIterable, Sendable {
  /// Human-readable text.
  case text
  /// A single JSON object for all files.
  case json
  /// JSON Lines, with one object per file.
  case jsonl
  /// JUnit XML for Jenkins, GitLab and other tools that read test results.
  case junit
  /// SARIF for code scanning tools.
  case sarif
  /// GitHub workflow commands.
  case github
  /// TAP for test harnesses.
  case tap

  /// Creates a report in this format.
  /// - Parameter text: creates the human-readable report, which depends on the console.
  package func makeReport(_ terms: ReportOptions, text: (ReportOptions) -> any ValidationReport) -> any ValidationReport
  {
    switch self {
    case .text: text(terms)
    case .json: JSONReport(terms)
    case .jsonl: JSONLinesReport(terms)
    case .junit: JUnitReport(terms)
    case .sarif: SARIFReport(terms)
    case .github: GitHubReport()
    case .tap: TAPReport(terms)
    }
  }
}

/// The options for writing a report.
package struct ReportOptions: Sendable {
  /// All rules in the catalog.
  package var rules: [Rule]
  /// The severity at or above which findings fail the validation.
  package var threshold: Finding.Severity
  /// The version of bsc.
  package var version: String
  /// The maximum width of the text in columns; `nil` to write text without line breaks.
  package var width: Int?
  /// Whether the text contains only failures.
  package var isQuiet = false
  /// Whether the text contains terminal colors.
  package var isColored = false

  package init(
    rules: [Rule], threshold: Finding.Severity, version: String, width: Int? = nil, isQuiet: Bool = false
  ) {
    (self.rules, self.threshold, self.version, self.width, self.isQuiet) = (rules, threshold, version, width, isQuiet)
  }
}

/// Writes validation results in a specific format. A report consists of the output of `add` for each file, followed by
/// the output of `finish`.
///
/// Except for line feeds, reports contain no control characters, because names and messages come from untrusted files.
package protocol ValidationReport {
  /// Adds a file's result and returns the text that can be written now. The text is empty if the format requires all
  /// files.
  mutating func add(_ result: ValidationResult) throws -> String
  /// Returns the remainder of the report. Called once.
  mutating func finish() throws -> String
}
