import ClipModel
import ISOMedia
import TestSupport
import Testing

@Suite(.enabled(if: !SharedManifest.rows.isEmpty)) struct SharedMediaTests {
  @Test(arguments: SharedManifest.rows.filter { $0.isISO && $0.durationSeconds != nil })
  func durationMatchesTheManifest(row: SharedManifest.Row) throws {
    let file = try #require(try ISOFile.read(path: row.path))
    // Time code and telemetry tracks may be longer than the video.
    let tracks = file.tracks.filter { $0.handlerType != "tmcd" && $0.handlerType != "meta" }
    let seconds = try #require(tracks.compactMap(\.presentationSeconds).max())
    #expect(abs(seconds - (try #require(row.durationSeconds))) < 0.1)
  }

  @Test(arguments: SharedManifest.rows.filter { $0.isISO && !$0.file.hasPrefix("broken") })
  func intactFilesHaveNoAnomalies(row: SharedManifest.Row) throws {
    #expect(try #require(try ISOFile.read(path: row.path)).anomalies.isEmpty)
  }

  @Test(arguments: [
    ("broken-no-moov.mp4", "moov"), ("broken-mdat-too-long.mp4", "past the end of the file"),
    ("broken-truncated-hevc-31s.mp4", "truncated"),
    ("broken-chunk-out-of-range.mp4", "17 of 17 samples are not in any chunk"),
    ("broken-fuzz-quicktime-156k.mov", "no valid box at byte"),
  ])
  func damageIsReported(name: String, words: String) throws {
    let file = try #require(try ISOFile.read(path: SharedMedia.folder + "/" + name))
    let problems = file.anomalies + file.tableProblems
    #expect(problems.contains { $0.contains(words) }, "\(problems)")
  }

  @Test func detailsOfPhoneVideosAreRead() throws {
    let phone = try #require(
      try ISOFile.read(path: SharedMedia.folder + "/" + "iphone-dovi84-hlg-1080p-rot90-editlist.mp4"))
    let video = try #require(phone.tracks.first { $0.handlerType == "vide" })
    #expect(phone.isFastStart == true)
    #expect(video.sampleEntries.first?.dolbyVision?.profile == 8)
    #expect(video.sampleEntries.first?.dolbyVision?.compatibilityID == 4)
    #expect(video.edits.contains { ($0.mediaTime ?? 0) > 0 })
    let fragmented = try #require(try ISOFile.read(path: SharedMedia.folder + "/" + "partially-fragmented.mp4"))
    #expect(fragmented.isFragmented)
    let variable = try #require(try ISOFile.read(path: SharedMedia.folder + "/" + "phone-hevc-1376x1840-vfr-5s.mp4"))
    #expect(variable.tracks.first { $0.handlerType == "vide" }?.hasVariableFrameRate == true)
    let constant = try #require(try ISOFile.read(path: SharedMedia.folder + "/" + "volleyball-indoor-720p-30s.mp4"))
    #expect(constant.tracks.first?.hasVariableFrameRate == false)
    #expect(constant.tracks.first?.sampleCount == 750)
  }
}
