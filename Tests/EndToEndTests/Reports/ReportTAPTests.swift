import ClipModel
import Testing

@testable import Reports
@testable import bsc

@Suite struct ReportTAPTests {
  @Test(arguments: Finding.Severity.allCases)
  func filesAreTestPointsBeforePlan(threshold: Finding.Severity) throws {
    let lines = try ReportSamples.write(.tap, failingOn: threshold).split(separator: "\n")
    #expect(lines.first == "TAP version 14" && lines.last == "1..4")
    let points = lines.filter { $0.hasPrefix("ok ") || $0.hasPrefix("not ok ") }
    #expect(points.count == 4)
    let counts = ReportSamples.counts(failingOn: threshold)
    #expect(points.count { $0.hasPrefix("ok ") } == counts.passed)
    #expect(points.first == "ok 1 - season/a b.mp4")
    // A file that cannot be checked is not skipped, even if its name contains a directive.
    #expect(points.last == "not ok 4 - new\u{FFFD}line \u{FFFD} SKIP.mp4")
    #expect(lines.count { $0 == "  ---" } == 4 && lines.count { $0 == "  ..." } == 4)
  }

  @Test func blockHasFindingsAndReasons() throws {
    let text = try ReportSamples.write(.tap, [ReportSamples.refused, ReportSamples.unjudged])
    #expect(
      text.contains(
        """
          findings:
            - rule: "clip.duration"
              severity: "error"
              message: "the clip lasts 1.1 s; a rally has 3 to 60 s"
              next: "bsc share --trim"
            - rule: "mux.bit-rate"
              severity: "warning"
              message: "9 Mbit/s"
              place: "video track"
          unknown:
            - "mux.edit-list"
          ...
        """))
    let why = "    why: \"the file ends\\u001b[2J inside its header\"\n"
    #expect(text.contains(why + "    next: \"copy the file from the camera again\"\n"))
  }

  @Test(arguments: [
    ("Game #3.mp4", "Game \\#3.mp4"), ("a#todo", "a\u{FFFD}todo"), ("# Skip", "\u{FFFD} Skip"),
    ("#\tSkip", "\\#\u{FFFD}Skip"), ("\\#", "\\\\\\#"), ("#\u{FE0F}\u{20E3}", "\\#\u{FE0F}\u{20E3}"),
  ])
  func namesDoNotStartDirectives(name: String, description: String) throws {
    let text = try ReportSamples.write(.tap, [ValidationResult(file: name)])
    #expect(text.split(separator: "\n").dropFirst().first == "ok 1 - \(description)")
  }

  /// Texts stay on their lines, and special characters are escaped.
  @Test(arguments: ReportSamples.names + [ReportSamples.hostileText])
  func textsAreEscaped(text: String) throws {
    let result = ReportSamples.finding(file: text, message: text)
    let plain = try ReportSamples.write(.tap, [ReportSamples.finding()])
    let lines = try ReportSamples.write(.tap, [result]).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == plain.split(separator: "\n", omittingEmptySubsequences: false).count)
    let point = try #require(lines.dropFirst().first)
    #expect(point.hasPrefix("not ok 1 - "))
    let marks = point.unicodeScalars.filter { $0 == "\\" || $0 == "#" }.map(String.init).joined()
    #expect(marks.replacing("\\\\", with: "").replacing("\\#", with: "").isEmpty)
    // Quoted texts can be decoded as JSON, which is a subset of YAML.
    let message = try #require(lines.first { $0.hasPrefix("      message: ") }?.dropFirst("      message: ".count))
    let read = try ReportJSONNode("[\(message)]")[0].text
    #expect(read.map { Array($0.unicodeScalars) } == Array(text.unicodeScalars))
  }
}
