import ClipModel

/// Writes the report as a single JSON object.
struct JSONReport: ValidationReport {
  private var document: RunDocument

  init(_ terms: ReportOptions) {
    document = RunDocument(tool: .init(version: terms.version), threshold: terms.threshold)
  }

  mutating func add(_ result: ValidationResult) -> String {
    let file = ValidationDocument(result, threshold: document.threshold)
    document.files.append(file)
    document.summary.add(file.verdict)
    return ""
  }

  func finish() throws -> String { try JSONText.encodeLine(document) }
}

/// Writes the report as JSON Lines, with one object per file.
struct JSONLinesReport: ValidationReport {
  private let threshold: Finding.Severity

  init(_ terms: ReportOptions) { threshold = terms.threshold }

  func add(_ result: ValidationResult) throws -> String {
    var document = ValidationDocument(result, threshold: threshold)
    document.schema = RunDocument.schema
    return try JSONText.encodeLine(document)
  }

  func finish() -> String { "" }
}

/// The JSON report, as specified in `Docs/schema/validate.schema.json`.
struct RunDocument: Encodable {
  static let schema = "bsc.validate/2"

  var schema = RunDocument.schema
  var tool: Tool
  var threshold: Finding.Severity
  var summary = VerdictCounts()
  var files: [ValidationDocument] = []

  struct Tool: Encodable {
    var name = "bsc"
    var version: String
  }
}

/// The result for a file, as part of a JSON report or on a separate line.
struct ValidationDocument: Encodable {
  /// The schema name, which is present only if each file is on a separate line.
  var schema: String?
  var file: String
  var verdict: Verdict
  var checks: [RuleCheck]
  var findings: [Finding]
  /// The reason why the file could not be checked.
  var error: Explanation?
  /// The elapsed time in seconds.
  var seconds: Double

  init(_ result: ValidationResult, threshold: Finding.Severity) {
    file = result.file
    verdict = result.verdict(failingOn: threshold)
    checks = result.checks
    findings = result.findings
    error = result.failure
    seconds = result.seconds.isFinite ? result.seconds : 0
  }
}
