import ClipModel
import Testing

@testable import Reports
@testable import bsc

@Suite struct ReportJUnitTests {
  /// The attributes have the correct counts.
  @Test(arguments: Finding.Severity.allCases)
  func countsAreCorrect(threshold: Finding.Severity) throws {
    let root = try ReportXMLNode(ReportSamples.write(.junit, failingOn: threshold))
    let suites = root.children("testsuite")
    #expect(suites.map(\.attributes["name"]) == ReportSamples.all.map(\.file))
    for suite in suites {
      let cases = suite.children("testcase")
      #expect(suite.attributes["tests"] == String(cases.count))
      for (attribute, element) in [("failures", "failure"), ("errors", "error"), ("skipped", "skipped")] {
        #expect(suite.attributes[attribute] == String(cases.count { !$0.children(element).isEmpty }))
      }
      #expect(cases.allSatisfy { $0.attributes["classname"] == suite.attributes["name"] })
      // Some readers use only the first one.
      #expect(cases.allSatisfy { $0.children.count { $0.name != "system-out" } <= 1 })
    }
    for attribute in ["tests", "failures", "errors"] {
      let sum = suites.compactMap { Int($0.attributes[attribute] ?? "") }.reduce(0, +)
      #expect(root.attributes[attribute] == String(sum))
    }
    #expect(
      suites.compactMap { $0.attributes["failures"] == "0" ? nil : $0 }.count
        == ReportSamples.counts(failingOn: threshold).failed)
  }

  @Test func checksAreTestCases() throws {
    let cases = try cases(of: ReportSamples.refused)
    #expect(cases.map(\.attributes["name"]) == ["clip.duration", "mux.bit-rate", "mux.edit-list"])
    #expect(cases.map { $0.children.map(\.name) } == [["failure"], ["system-out"], ["skipped"]])
    let results = cases.compactMap(\.children.first)
    let (warning, error) = (ReportSamples.refused.findings[0], ReportSamples.refused.findings[1])
    #expect(results[0].attributes["type"] == "error" && results[0].attributes["message"] == error.message)
    #expect(results[0].text.contains(error.next ?? "?"))
    #expect(results[1].text.contains(warning.message) && results[1].text.contains(warning.place ?? "?"))
    #expect(results[2].attributes["message"] == results[2].text && !results[2].text.isEmpty)
  }

  @Test func findingsOfRuleAreOneFailure() throws {
    let cases = try cases(of: ReportSamples.warned, failingOn: .warning)
    #expect(cases.map(\.attributes["name"]) == ["clip.duration", "mux.bit-rate", "mux.edit-list", "rally.odd"])
    let failure = try #require(cases[1].children("failure").first)
    let messages = ReportSamples.warned.findings.filter { $0.rule == "mux.bit-rate" }.map(\.message)
    #expect(failure.attributes["message"]?.hasPrefix(messages[0]) == true && failure.attributes["type"] == "warning")
    let lines = failure.text.split(separator: "\n")
    #expect(lines.count == messages.count && zip(lines, messages).allSatisfy { $0.contains($1) })
  }

  @Test func uncheckableFileIsError() throws {
    let cases = try cases(of: ReportSamples.unjudged)
    #expect(cases.count == 1)
    let error = try #require(cases.first?.children("error").first)
    #expect(error.attributes["type"] == "unjudged")
    let failure = try #require(ReportSamples.unjudged.failure)
    let message = try #require(error.attributes["message"])
    // XML cannot represent the escape character in the reason.
    #expect(message.hasPrefix(failure.what) && message.hasSuffix(failure.why.replacing("\u{1B}", with: "\u{FFFD}")))
    #expect(error.text.hasSuffix(failure.next ?? "?"))
  }

  @Test func caseTimesAddUpToSuiteTime() throws {
    let root = try ReportXMLNode(ReportSamples.write(.junit))
    #expect(root.attributes["time"] == "3.751")
    for (suite, result) in zip(root.children("testsuite"), ReportSamples.all) {
      let times = suite.children("testcase").compactMap { Double($0.attributes["time"] ?? "") }
      #expect(times.reduce(0, +) == result.seconds)
    }
  }

  /// Attributes and texts are preserved, except for characters that XML cannot represent.
  @Test(arguments: ReportSamples.names + [ReportSamples.hostileText])
  func textsArePreserved(text: String) throws {
    let root = try ReportXMLNode(
      ReportSamples.write(.junit, [ReportSamples.finding(file: text, message: text)]))
    let expected = String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          let isForbidden =
            scalar.value < 0x20 && !["\t", "\n", "\r"].contains(scalar) || ["\u{FFFE}", "\u{FFFF}"].contains(scalar)
          return isForbidden ? "\u{FFFD}" : scalar
        }))
    let suite = try #require(root.children.first)
    let failure = try #require(suite.children.first?.children.first)
    #expect(suite.attributes["name"].map { Array($0.unicodeScalars) } == Array(expected.unicodeScalars))
    #expect(failure.attributes["message"].map { Array($0.unicodeScalars) } == Array(expected.unicodeScalars))
    #expect(failure.text == "error: \(expected) (\(expected)) → \(expected)")
  }

  private func cases(
    of result: ValidationResult, failingOn threshold: Finding.Severity = .error
  ) throws -> [ReportXMLNode] {
    let root = try ReportXMLNode(ReportSamples.write(.junit, [result], failingOn: threshold))
    return try #require(root.children.first).children("testcase")
  }
}
