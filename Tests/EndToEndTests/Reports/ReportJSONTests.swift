import ClipModel
import Testing

@testable import Reports
@testable import bsc

@Suite struct ReportJSONTests {
  @Test(arguments: Finding.Severity.allCases)
  func countsAddUp(threshold: Finding.Severity) throws {
    let report = try ReportJSONNode(ReportSamples.write(.json, failingOn: threshold))
    let counts = ReportSamples.counts(failingOn: threshold)
    #expect(report["schema"].text == "bsc.validate/2")
    #expect(report["tool"]["name"].text == "bsc" && report["tool"]["version"].text == "1.2.3")
    #expect(report["threshold"].text == threshold.rawValue)
    #expect(report["summary"]["files"].number == ReportSamples.all.count)
    #expect(report["summary"]["passed"].number == counts.passed)
    #expect(report["summary"]["failed"].number == counts.failed)
    #expect(report["summary"]["unjudged"].number == counts.unjudged)
    #expect(report["files"].items.count == ReportSamples.all.count)
  }

  @Test func linesEqualFilesOfReport() throws {
    let lines = try ReportSamples.write(.jsonl).split(separator: "\n").map { try ReportJSONNode($0) }
    let files = try ReportJSONNode(ReportSamples.write(.json))["files"].items
    #expect(lines.count == files.count)
    for (line, file) in zip(lines, files) {
      #expect(line["schema"].text == "bsc.validate/2" && file["schema"].isAbsent)
      #expect(line["file"].text == file["file"].text)
      #expect(line["verdict"].text == file["verdict"].text)
    }
  }

  @Test func fileHasChecksAndFindings() throws {
    let line = try ReportJSONNode(ReportSamples.write(.jsonl, [ReportSamples.refused]))
    #expect(line["verdict"].text == "fail")
    #expect(line["checks"].items.compactMap(\.["outcome"].text) == ["fail", "fail", "unknown"])
    #expect(line["checks"][2]["depth"].text == "headers")
    #expect(line["findings"].items.compactMap(\.["rule"].text) == ["mux.bit-rate", "clip.duration"])
    #expect(line["findings"][0]["place"].text == "video track")
    #expect(line["error"].isAbsent)
  }

  @Test func uncheckableFileHasExplanation() throws {
    let line = try ReportJSONNode(ReportSamples.write(.jsonl, [ReportSamples.unjudged]))
    #expect(line["verdict"].text == "unjudged")
    #expect(line["error"]["what"].text == ReportSamples.unjudged.failure?.what)
    #expect(line["error"]["why"].text == ReportSamples.unjudged.failure?.why)
    #expect(line["error"]["next"].text == ReportSamples.unjudged.failure?.next)
    #expect(line["error"]["id"].text == "strip.incomplete" && line["error"]["category"].text == "unjudged")
  }

  @Test(arguments: ReportSamples.names + [ReportSamples.hostileText])
  func textsArePreserved(text: String) throws {
    let result = ReportSamples.finding(file: text, message: text)
    let written = try ReportSamples.write(.jsonl, [result])
    #expect(written.split(separator: "\n").count == 1)
    let line = try ReportJSONNode(written)
    #expect(line["file"].text == text && line["findings"][0]["message"].text == text)
  }

  @Test func invalidTimesAreValidJSON() throws {
    let line = try ReportJSONNode(ReportSamples.write(.jsonl, [ValidationResult(file: "a.mp4", seconds: .nan)]))
    #expect(line["seconds"].number == 0)
  }
}
