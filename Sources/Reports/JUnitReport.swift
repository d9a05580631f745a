import ClipModel
import Foundation

/// Writes test results for Jenkins and GitLab, with one test suite per file and one test case per rule.
struct JUnitReport: ValidationReport {
  private let threshold: Finding.Severity
  private var suites: [TestSuite] = []

  init(_ terms: ReportOptions) { threshold = terms.threshold }

  mutating func add(_ result: ValidationResult) -> String {
    suites.append(TestSuite(result, threshold: threshold))
    return ""
  }

  func finish() -> String {
    func sum(_ count: (TestSuite) -> Int) -> String { String(suites.reduce(0) { $0 + count($1) }) }
    let all = XMLTag(
      "testsuites",
      [
        ("name", "bsc validate"), ("tests", sum(\.cases.count)), ("failures", sum(\.failureCount)),
        ("errors", sum(\.errorCount)), ("time", Self.formatTime(suites.reduce(0) { $0 + $1.seconds })),
      ], suites.map(\.element))
    return XMLTag.declaration + all.formatted() + "\n"
  }

  fileprivate static func formatTime(_ seconds: Double) -> String { String(format: "%.3f", seconds) }
}

/// A test suite with the results for one file.
private struct TestSuite {
  var file: String
  var cases: [JUnitCase]
  var seconds: Double

  var failureCount: Int { cases.count { $0.failure != nil } }
  var errorCount: Int { cases.count { $0.error != nil } }
  var skippedCount: Int { cases.count { $0.skipped != nil } }

  init(_ result: ValidationResult, threshold: Finding.Severity) {
    file = result.file
    seconds = result.seconds.isFinite ? max(0, result.seconds) : 0
    cases = JUnitCase.makeCases(for: result, threshold: threshold)
  }

  var element: XMLTag {
    XMLTag(
      "testsuite",
      [
        ("name", file), ("tests", String(cases.count)), ("failures", String(failureCount)),
        ("errors", String(errorCount)), ("skipped", String(skippedCount)), ("time", JUnitReport.formatTime(seconds)),
      ], cases.map { $0.xmlElement(for: file, time: caseTime(of: $0)) })
  }

  /// Returns the suite's time for the first test case, and 0 for all others, because rules aren't timed separately.
  private func caseTime(of test: JUnitCase) -> String {
    JUnitReport.formatTime(test.name == cases.first?.name ? seconds : 0)
  }
}
