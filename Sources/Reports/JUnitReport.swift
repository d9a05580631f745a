import ClipModel
import Foundation

/// Test results for Jenkins and GitLab: a suite per file, a test case per rule.
struct JUnitReport: ValidationReport {
  private let threshold: Finding.Severity
  private var suites: [Suite] = []

  init(_ terms: ReportTerms) { threshold = terms.threshold }

  mutating func add(_ result: ValidationResult) -> String {
    suites.append(Suite(result, threshold: threshold))
    return ""
  }

  func end() -> String {
    func sum(_ count: (Suite) -> Int) -> String { String(suites.reduce(0) { $0 + count($1) }) }
    let all = XMLTag(
      "testsuites",
      [
        ("name", "bsc validate"), ("tests", sum(\.cases.count)), ("failures", sum(\.failureCount)),
        ("errors", sum(\.errorCount)), ("time", Self.time(suites.reduce(0) { $0 + $1.seconds })),
      ], suites.map(\.element))
    return XMLTag.declaration + all.text() + "\n"
  }

  fileprivate static func time(_ seconds: Double) -> String { String(format: "%.3f", seconds) }
}

/// The test suite of a file.
private struct Suite {
  var file: String
  var cases: [JUnitCase]
  var seconds: Double

  var failureCount: Int { cases.count { $0.failure != nil } }
  var errorCount: Int { cases.count { $0.error != nil } }
  var skippedCount: Int { cases.count { $0.skipped != nil } }

  init(_ result: ValidationResult, threshold: Finding.Severity) {
    file = result.file
    seconds = result.seconds.isFinite ? max(0, result.seconds) : 0
    cases = JUnitCase.all(of: result, threshold: threshold)
  }

  var element: XMLTag {
    XMLTag(
      "testsuite",
      [
        ("name", file), ("tests", String(cases.count)), ("failures", String(failureCount)),
        ("errors", String(errorCount)), ("skipped", String(skippedCount)), ("time", JUnitReport.time(seconds)),
      ], cases.map { $0.element(of: file, time: time(of: $0)) })
  }

  /// Single rules are not measured, so the first test case has the time of the suite.
  private func time(of test: JUnitCase) -> String { JUnitReport.time(test.name == cases.first?.name ? seconds : 0) }
}
