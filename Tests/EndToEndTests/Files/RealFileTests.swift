import ClipModel
import Foundation
import TestSupport
import Testing

extension EndToEnd {
  /// Files of real cameras, and damaged ones. Prints a table with one line per file.
  @Suite struct RealFileTests {
    @Test(arguments: TestScope.some(5, of: RealFile.all))
    func outcomeIsExpected(_ file: RealFile) async throws {
      guard let source = SharedMedia.path(file.name) else { return }
      let home = try BSCHome()
      let clip = home.folder.path((file.name as NSString).lastPathComponent)
      try FileManager.default.copyItem(atPath: source, toPath: clip)
      try home.writeMetadata("trial.json", rallies: [file.rally])
      let share = try await home.run("share", clip, "--metadata", home.folder.path("trial.json"), "--json")
      let result = try Result(share, of: clip)
      print("TABLE | \(file.name) | \(file.kind) | \(result.line) |")
      #expect(share.status == file.status, "\(share)")
      #expect(result.rules.isSuperset(of: file.rules), "\(share)")
      if let id = file.errorID { #expect(share.output.contains("\"id\":\"\(id)\""), "\(share)") }
      #expect(try await home.highlights().count == (file.status == 0 ? 1 : 0))
      guard let highlight = result.highlight else { return }
      #expect(abs((highlight.duration ?? 0) - file.seconds) < 0.15, "\(share)")
      let stored = try home.storedClip(highlight)
      try Verdicts.expectNoLocation(in: stored)
      try Verdicts.expectDecodable(stored)
    }

    /// The outcome for one file.
    private struct Result {
      var highlight: Highlight?
      var rules: Set<String> = []
      var line: String

      init(_ outcome: BSCProcess.Outcome, of path: String) throws {
        let before = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64 ?? 0
        let data = Data(outcome.output.utf8)
        if let failure = try? JSONDecoder().decode(FailureAnswer.self, from: data) {
          let word = outcome.status == 4 ? "refused" : "not checked"
          line = "\(word) (\(outcome.status)) | \(failure.error.why) | \(before) | "
          return
        }
        let answer = try #require(try ShareAnswer.all(in: outcome.output).last, "\(outcome)")
        rules = answer.brokenRules
        if let bytes = answer.bytes {
          highlight = answer.highlight
          line = "shared | removed: \(answer.removed?.count ?? 0) | \(bytes.before) | \(bytes.after)"
        } else {
          let reasons = (answer.findings ?? []).filter { $0.severity == .error }.map { "\($0.rule): \($0.message)" }
          line = "refused (\(outcome.status)) | \(reasons.joined(separator: "; ")) | \(before) | "
        }
      }
    }
  }
}

/// A file of the shared media with its metadata and expected outcome.
struct RealFile: Sendable, CustomTestStringConvertible {
  var name: String
  /// The times of the rally in the original video.
  var rally: ClosedRange<Double>
  var kind: String
  var status: Int32 = 0
  var rules: Set<String> = []
  var errorID: String?

  var testDescription: String { "\(name), \(kind)" }
  var seconds: Double { rally.upperBound - rally.lowerBound }

  /// The file contains only the rally, which started a minute into the match.
  private static func clip(_ name: String, seconds: Double) -> RealFile {
    RealFile(name: name, rally: 60...(60 + seconds), kind: "clip")
  }

  private static func source(_ name: String, rally: ClosedRange<Double>) -> RealFile {
    RealFile(name: name, rally: rally, kind: "source")
  }

  private static func refused(
    _ name: String, seconds: Double = 5, status: Int32 = 4, _ rules: Set<String> = [], errorID: String? = nil
  ) -> RealFile {
    RealFile(
      name: name, rally: 60...(60 + seconds), kind: "refused", status: status, rules: rules, errorID: errorID)
  }

  static let all: [RealFile] =
    [
      clip("gopro-hero5-karma-gpmf-480p-12s.mp4", seconds: 12.08),
      clip("phone-1080p-gps-loci-4s.mp4", seconds: 3.63),
      clip("volleyball-indoor-720p-30s.mp4", seconds: 30),
      clip("phone-hevc-1376x1840-vfr-5s.mp4", seconds: 5),
      clip("park-h264-1080p-6s.mp4", seconds: 5.76),
      clip("screencast-h264-8.8fps-audio-first.mp4", seconds: 5.17),
      clip("nasa-two-video-two-audio-two-subs.mp4", seconds: 13.01),
      clip("no-audio-h264.mp4", seconds: 5.23),
      clip("anamorphic-sar-3x2.mp4", seconds: 5.23),
      clip("vp9-opus-screencast.webm", seconds: 5.23),
      clip("matroska-h264-13s.mkv", seconds: 13.35),
      source("dji-drone-gps-loci-86s.mp4", rally: 20...27),
      source("volleyball-indoor-720p-30s.mp4", rally: 11.5...18),
      refused("dji-drone-gps-loci-86s.mp4", seconds: 85.96, ["clip.duration"]),
      refused("iphone7-1080p-rot90-gps-mebx.mov", seconds: 0.93, ["clip.duration"]),
      refused("iphone-dovi84-hlg-1080p-rot90-editlist.mp4", seconds: 2.55, ["clip.duration"]),
      refused("sony-a7m3-avchd-1080i.mts", seconds: 0.54, ["clip.duration"]),
      refused("park-h264-1080p-6s.mp4", seconds: 30, ["rally.clip-length"]),
      refused("audio-only-aac.mp4", seconds: 1.02, ["clip.video"]),
      refused("cover-art-chapters.m4a", seconds: 10.47, ["clip.video"]),
      refused("broken-truncated-hevc-31s.mp4", seconds: 31.47, ["clip.truncated"]),
      refused("broken-no-moov.mp4", errorID: "clip.cut-off"),
      refused("broken-chunk-out-of-range.mp4", status: 3),
      refused("broken-fuzz-quicktime-156k.mov", status: 3),
      refused("broken-json-named.mp4", status: 3, errorID: "clip.not-media"),
      refused("broken-zero-bytes.mov", status: 3, errorID: "clip.not-media"),
    ] + slow

  /// Each takes seconds to encode, so they run only with `Scripts/test --all`.
  private static let slow: [RealFile] =
    TestScope.isFull
    ? [
      clip("phone-4k-hevc-portrait-9s.mp4", seconds: 9.01),
      clip("bench/volleyball-4k-h264-47mbps-8s.mp4", seconds: 8),
      clip("bench/phone-4k-hevc-hlg10-26mbps-8s.mp4", seconds: 8),
    ] : []
}
