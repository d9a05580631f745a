import ClipModel

/// The report as one object.
struct JSONReport: ValidationReport {
  private var document: RunDocument

  init(_ terms: ReportTerms) {
    document = RunDocument(tool: .init(version: terms.version), threshold: terms.threshold)
  }

  mutating func add(_ result: ValidationResult) -> String {
    let file = ValidationDocument(result, threshold: document.threshold)
    document.files.append(file)
    document.summary.add(file.verdict)
    return ""
  }

  func end() throws -> String { try JSONText.line(document) }
}

/// The report as one object per line and file.
struct JSONLinesReport: ValidationReport {
  private let threshold: Finding.Severity

  init(_ terms: ReportTerms) { threshold = terms.threshold }

  func add(_ result: ValidationResult) throws -> String {
    var document = ValidationDocument(result, threshold: threshold)
    document.schema = RunDocument.schema
    return try JSONText.line(document)
  }

  func end() -> String { "" }
}

/// Described by `Docs/schema/validate.schema.json`.
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

/// A file in a report, or on its own line.
struct ValidationDocument: Encodable {
  /// Present only if the file is on its own line.
  var schema: String?
  var file: String
  var verdict: Verdict
  var checks: [RuleCheck]
  var findings: [Finding]
  /// Why the file could not be checked.
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
