import ClipModel
import Testing

@testable import Reports
@testable import bsc

@Suite struct ReportTextTests {
  @Test func findingsAreSortedBySeverityInColumns() throws {
    let lines = try ReportSamples.write(.text, [ReportSamples.refused]).split(separator: "\n")
    #expect(
      lines == [
        "✗ it's \"quoted\" & <odd>.mp4",
        "  error    clip.duration  the clip lasts 1.1 s; a rally has 3 to 60 s → bsc share --trim",
        "  warning  mux.bit-rate   9 Mbit/s (video track)",
        "  unknown  mux.edit-list",
      ])
  }

  @Test func uncheckableFileHasReasonAndAdvice() throws {
    let lines = try ReportSamples.write(.text, [ReportSamples.unjudged]).split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first == "? new\u{FFFD}line # SKIP.mp4")
    #expect(lines.last?.hasSuffix("inside its header → copy the file from the camera again") == true)
  }

  @Test func deeperCheckIsOfferedIfItHelps() throws {
    let result = ValidationResult(file: "a.mp4", checks: [RuleCheck("mux.edit-list", .unknown, depth: .everything)])
    #expect(try ReportSamples.write(.text, [result]) == "✓ a.mp4\n  unknown  mux.edit-list\n")
  }

  @Test func summaryCountsFilesAndListsFailingRules() throws {
    let short = (0..<18).map { ReportSamples.finding(file: "short\($0).mp4") }
    let passing = (0..<100).map { ValidationResult(file: "\($0).mp4") }
    let text = try ReportSamples.write(.text, passing + short + [ReportSamples.refused, ReportSamples.unjudged])
    let end = text.split(separator: "\n").suffix(2)
    let numbers = end.map { $0.split { !$0.isNumber }.compactMap { Int($0) } }
    #expect(numbers.first == [120, 100, 19, 1])
    #expect(numbers.last?.first == 19 && end.last?.contains("  clip.duration  ") == true)
  }

  @Test func singleFileHasNoSummary() throws {
    #expect(try ReportSamples.write(.text, [ReportSamples.passing]) == "✓ season/a b.mp4\n")
  }

  @Test func findingsWithSameTextAreOneLine() throws {
    let findings = (0..<50).map {
      Finding(rule: "rally.order", severity: .error, message: "ends before it begins", place: "rallySegments[\($0)]")
    }
    let lines = try ReportSamples.write(.text, [ValidationResult(file: "a.mp4", findings: findings)]).split(
      separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.last?.hasSuffix("(rallySegments[0], rallySegments[1], rallySegments[2] and 47 more)") == true)
  }

  @Test(arguments: [30, 40, 60, 80, 200])
  func linesFitWidth(width: Int) throws {
    let finding = Finding(
      rule: "clip.duration", severity: .error, message: String(repeating: "word ", count: 40) + "end", next: "cut it")
    let text = try ReportSamples.write(.text, [ValidationResult(file: "a.mp4", findings: [finding])], width: width)
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= width })
    let words = text.split { $0 == " " || $0 == "\n" }
    #expect(words.count { $0 == "word" } == 40)
    #expect(words.suffix(4) == ["end", "→", "cut", "it"])
  }

  @Test func quietShowsOnlyProblems() throws {
    let text = try ReportSamples.write(.text, isQuiet: true)
    #expect(!text.contains("✓") && text.contains("✗ it's") && text.contains("? new"))
    #expect(!text.contains("warning") && !text.contains("unknown") && !text.contains("files:"))
  }

  @Test(arguments: ReportSamples.names)
  func nameIsOneLine(name: String) throws {
    #expect(try ReportSamples.write(.text, [ValidationResult(file: name)]).split(separator: "\n").count == 1)
  }
}
