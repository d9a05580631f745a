import ClipModel
import Foundation
import ShareEngine
import Testing

@testable import bsc

/// Small texts that many commands print.
@Suite struct PlainTextTests {
  @Test(arguments: [(1000, 1000, "(0 %)"), (100_000, 99_999, "(0 %)"), (1000, 750, "(−25 %)"), (1000, 1100, "(+10 %)")])
  func changeOfSizeHasSign(before: Int64, after: Int64, text: String) {
    #expect(ShareDocument.ByteSizes(before: before, after: after).text.hasSuffix(text))
  }

  @Test func timesAreLocal() throws {
    let date = Date(timeIntervalSince1970: 1_771_613_021)
    #expect(LocalTime.format(date, in: try #require(TimeZone(secondsFromGMT: 0))) == "2026-02-20 18:43")
    #expect(LocalTime.format(date, in: try #require(TimeZone(secondsFromGMT: 19_800))) == "2026-02-21 00:13")
    for text in ["2026-02-20T18:43:41.306461+00:00", "2026-02-20T18:43:41Z", "2026-02-20T19:43:41.5+01:00"] {
      #expect(LocalTime.format(text) == LocalTime.format(date), "\(text)")
    }
    #expect(LocalTime.format("yesterday") == "yesterday")
  }

  /// The order of Docs/exit-codes.md.
  @Test(
    arguments: [
      ([.rejected, .unjudged], 3), ([.rejected, .rejected], 4), ([.rejected, .usage], 64), ([.usage, .usage], 64),
      ([.noInput, .rejected], 3), ([.remote, .unjudged, .rejected], 6), ([.remote, .notConfigured], 5),
      ([.inputOutput, .locked, .interrupted], 130), ([.inputOutput, .locked], 74), ([.unexpected, .unjudged], 1),
      ([], 0),
    ] as [([FailureCategory], Int32)])
  func worstExitCodeIsUsed(categories: [FailureCategory], code: Int32) {
    #expect(ExitStatus.exitCode(forAll: categories) == code)
    #expect(ExitStatus.exitCode(forAll: categories.reversed()) == code)
  }

  /// Errors that are already visible are not repeated, unless there are many.
  @Test func summaryRepeatsOnlyInvisibleErrors() {
    func failed(_ name: String, isOld: Bool = false) -> BatchRecord {
      var record = BatchRecord(file: name, status: .failed)
      record.error = Explanation(
        id: "clip.not-media", what: "cannot read \(name)", why: "it is not a video", category: .unjudged)
      record.isOld = isOld ? true : nil
      return record
    }
    func summary(_ records: [BatchRecord], areErrorsShown: Bool) -> String {
      BatchText.makeSummary(records, seconds: 1, areErrorsShown: areErrorsShown).plain
    }
    #expect(!summary([failed("a.mp4")], areErrorsShown: true).contains("a.mp4"))
    #expect(summary([failed("a.mp4")], areErrorsShown: false).contains("a.mp4  it is not a video"))
    #expect(summary([failed("a.mp4", isOld: true)], areErrorsShown: true).contains("a.mp4"))
    #expect(summary((0..<30).map { failed("\($0).mp4") }, areErrorsShown: true).contains("  and 10 more"))
  }
}
