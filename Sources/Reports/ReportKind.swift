package import ClipModel

/// The formats of validation reports.
package enum ReportKind: String, CaseIterable, Sendable {
  /// Text for people.
  case text
  /// One object for the whole run.
  case json
  /// One object per file and line.
  case jsonl
  /// JUnit XML for Jenkins, GitLab and other readers of test results.
  case junit
  /// SARIF for code scanning.
  case sarif
  /// GitHub's workflow commands.
  case github
  /// TAP for test harnesses.
  case tap

  /// Whether each file is written as soon as it was checked; the other formats need all files first.
  package var isWrittenFileByFile: Bool { [.text, .jsonl, .github, .tap].contains(self) }

  /// - Parameter text: creates the report for people, which depends on the console.
  package func report(_ terms: ReportTerms, text: (ReportTerms) -> any ValidationReport) -> any ValidationReport {
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

/// The settings of a report.
package struct ReportTerms: Sendable {
  /// All rules of the catalog.
  package var rules: [Rule]
  /// Findings of this severity or worse fail.
  package var threshold: Finding.Severity
  /// The version of bsc.
  package var version: String
  /// The width of the text in columns; `nil` for text without line breaks.
  package var width: Int?
  /// The text contains only failures.
  package var isQuiet = false
  /// The text is for a terminal with colors.
  package var isColored = false

  package init(
    rules: [Rule], threshold: Finding.Severity, version: String, width: Int? = nil, isQuiet: Bool = false
  ) {
    (self.rules, self.threshold, self.version, self.width, self.isQuiet) = (rules, threshold, version, width, isQuiet)
  }
}

/// Writes validation results in one format: what `add` returns, in order, followed by what `end` returns.
///
/// The text contains no control characters except line feeds, because names and messages come from untrusted files.
package protocol ValidationReport {
  /// The text that can be written now; empty if the format needs all files first.
  mutating func add(_ result: ValidationResult) throws -> String
  /// The rest of the report; called once.
  mutating func end() throws -> String
}
