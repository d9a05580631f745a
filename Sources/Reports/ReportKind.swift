package import ClipModel

/// How the judgements of `validate` are written.
package enum ReportKind: String, CaseIterable, Sendable {
  /// For people.
  case text
  /// One object for the whole run.
  case json
  /// One object per file and line.
  case jsonl
  /// For Jenkins, GitLab and other readers of test results.
  case junit
  /// For code scanning.
  case sarif
  /// GitHub's workflow commands.
  case github
  /// For test harnesses.
  case tap

  /// Each file is written as soon as it was judged; the others need them all first, for what stands in front.
  package var isWrittenFileByFile: Bool {
    switch self {
    case .text, .jsonl, .github, .tap: true
    case .json, .junit, .sarif: false
    }
  }

  /// - Parameter text: makes the report for people, which depends on the console.
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

/// What a report needs to know besides the judgements.
package struct ReportTerms: Sendable {
  /// The catalogue.
  package var rules: [Rule]
  /// Findings at or above it fail.
  package var threshold: Finding.Severity
  /// Of the tool.
  package var version: String
  /// Columns for people; `nil` breaks no lines.
  package var width: Int?
  /// People see only what went wrong.
  package var isQuiet = false
  /// For a terminal; never in files.
  package var isColored = false

  package init(
    rules: [Rule], threshold: Finding.Severity, version: String, width: Int? = nil, isQuiet: Bool = false
  ) {
    (self.rules, self.threshold, self.version, self.width, self.isQuiet) = (rules, threshold, version, width, isQuiet)
  }
}

/// Judgements in one format, piece by piece: what `add` returns, in order, and then what `end` returns.
///
/// The texts hold no control characters but line feeds: names and messages come from strangers' files.
package protocol ValidationReport {
  /// What can be written of this file already; nothing where the format needs all of them first.
  mutating func add(_ judgement: Judgement) throws -> String
  /// The rest, once.
  mutating func end() throws -> String
}
