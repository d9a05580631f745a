import ClipModel
import Testing

@testable import Reports
@testable import bsc

@Suite struct ReportKindTests {
  /// Kinds that can be written per file are, and the others are written at the end.
  @Test(arguments: ReportKind.allCases)
  func filesAreWrittenAsSoonAsPossible(kind: ReportKind) throws {
    var report = kind.makeReport(
      ReportOptions(rules: ReportSamples.rules, threshold: .error, version: "1", width: 80), text: TextReport.init)
    let isWrittenFileByFile = [.text, .jsonl, .github, .tap].contains(kind)
    for result in [ReportSamples.refused, ReportSamples.unjudged] {
      #expect(try report.add(result).isEmpty == !isWrittenFileByFile)
    }
  }

  @Test(arguments: ReportKind.allCases)
  func controlCharactersAreNotWritten(kind: ReportKind) throws {
    let hostile = ReportSamples.names.map { ReportSamples.finding(file: $0, message: ReportSamples.hostileText) }
    let text = try ReportSamples.write(kind, ReportSamples.all + hostile)
    let isControl = { (scalar: Unicode.Scalar) in
      scalar != "\n" && (scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value))
    }
    // XML preserves tabs.
    #expect(!text.unicodeScalars.contains { isControl($0) && !(kind == .junit && $0 == "\t") })
    #expect(text.hasSuffix("\n"))
  }

  @Test(arguments: ReportKind.allCases)
  func emptyReportIsDocument(kind: ReportKind) throws {
    let text = try ReportSamples.write(kind, [])
    switch kind {
    case .text, .jsonl, .github: #expect(text.isEmpty)
    case .json: #expect(try ReportJSONNode(text)["summary"]["files"].number == 0)
    case .sarif: #expect(try ReportJSONNode(text)["runs"][0]["results"].items.isEmpty)
    case .junit: #expect(try ReportXMLNode(text).attributes["tests"] == "0")
    case .tap: #expect(text == "TAP version 14\n1..0\n")
    }
  }

  @Test(arguments: [
    (ReportSamples.passing, Finding.Severity.info, Verdict.pass), (ReportSamples.refused, .error, .fail),
    (ReportSamples.warned, .error, .pass), (ReportSamples.warned, .warning, .fail),
    (ReportSamples.warned, .info, .fail),
    (ReportSamples.unjudged, .info, .unjudged), (ReportSamples.unjudged, .error, .unjudged),
  ])
  func verdictsFollowThreshold(result: ValidationResult, threshold: Finding.Severity, verdict: Verdict) {
    #expect(result.verdict(failingOn: threshold) == verdict)
  }
}
