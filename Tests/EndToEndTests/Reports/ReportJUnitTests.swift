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
    let failure = try #require(cases[0].children.first)
    #expect(failure.name == "failure" && failure.attributes["type"] == "error")
    #expect(failure.attributes["message"] == "the clip lasts 1.1 s; a rally has 3 to 60 s")
    #expect(failure.text.hasSuffix("→ bsc share --trim"))
    #expect(cases[1].children.map(\.name) == ["system-out"])
    #expect(cases[1].children.first?.text == "warning: 9 Mbit/s (video track)")
    #expect(cases[2].children.first?.attributes["message"] == "unknown: bsc read only the headers")
  }

  @Test func findingsOfRuleAreOneFailure() throws {
    let cases = try cases(of: ReportSamples.warned, failingOn: .warning)
    #expect(cases.map(\.attributes["name"]) == ["clip.duration", "mux.bit-rate", "mux.edit-list", "rally.odd"])
    let failure = try #require(cases[1].children("failure").first)
    #expect(failure.attributes["message"] == "9 Mbit/s (and 1 more)" && failure.attributes["type"] == "warning")
    #expect(failure.text.split(separator: "\n").count == 2)
  }

  @Test func uncheckableFileIsError() throws {
    let cases = try cases(of: ReportSamples.unjudged)
    #expect(cases.count == 1)
    let error = try #require(cases.first?.children("error").first)
    #expect(error.attributes["type"] == "unjudged")
    #expect(error.attributes["message"] == "cannot read new\nline: the file ends\u{FFFD}[2J inside its header")
    #expect(error.text.hasSuffix("\nnext: copy the file from the camera again"))
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
