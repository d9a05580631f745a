import ClipModel
import Foundation
import ISOMedia
import LibAV
import TestSupport
import Testing

@testable import Privacy

/// Contents other than video and audio that a remux keeps or removes.
@Suite struct RemuxContentsTests {
  @Test func keepsChaptersFontsAndSubtitles() throws {
    let folder = try ScratchFolder()
    try folder.write("1\n00:00:00,200 --> 00:00:01,000\nSideout, 25:23!\n\n", to: "score.srt")
    try folder.write(
      ";FFMETADATA1\ntitle=Cup final\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=900\ntitle=First set\n", to: "chapters")
    try Data([0, 1, 0, 0, 0, 9] + [UInt8](repeating: 7, count: 64)).write(to: URL(filePath: folder.path("sign.ttf")))
    let path = folder.path("rich.mkv")
    _ = try Tool.run(
      "ffmpeg",
      ["-v", "error"] + RemuxTests.video + ["-i", folder.path("score.srt"), "-i", folder.path("chapters")]
        + ["-map_metadata", "2", "-map_chapters", "2", "-map", "0", "-map", "1", "-c:v", "mpeg4", "-c:s", "srt"]
        + ["-attach", folder.path("sign.ttf"), "-metadata:s:t", "mimetype=font/ttf", path])
    let copy = try ContainerFixture.strip(path)
    #expect(copy.report.removed == [])
    #expect(try ContainerFixture.packets(copy.path) == ContainerFixture.packets(path))
    let chapters = try ContainerFixture.text("ffprobe", ["-v", "error", "-show_chapters", copy.path])
    #expect(chapters.contains("First set") && chapters.contains("end=900"))
    let format = try ContainerFixture.text("ffprobe", ["-v", "error", "-show_format", "-show_streams", copy.path])
    #expect(format.contains("TAG:title=Cup final"))
    #expect(format.contains("TAG:filename=sign.ttf"))
    #expect(format.contains("codec_name=subrip"))
  }

  /// Removes the second of three tracks. The others keep their order.
  @Test func removesOnlySubtitlesWithPositions() throws {
    let folder = try ScratchFolder()
    try folder.write("1\n00:00:00,200 --> 00:00:01,000\nGPS (11.5462, 48.1743, 18)\n\n", to: "drone.srt")
    try folder.write("1\n00:00:00,200 --> 00:00:01,000\nSideout!\n\n", to: "score.srt")
    let path = folder.path("subtitles.mkv")
    _ = try Tool.run(
      "ffmpeg",
      ["-v", "error", "-i", folder.path("drone.srt"), "-i", folder.path("score.srt")] + RemuxTests.video
        + ["-map", "2", "-map", "0", "-map", "1", "-c:v", "mpeg4", "-c:s", "srt", path])
    let copy = try ContainerFixture.strip(path)
    #expect(copy.report.removed == ["track 2 (subrip): position-text"])
    let left = try ContainerFixture.packets(path).compactMap { line -> String? in
      line.hasPrefix("1 ") ? nil : line.hasPrefix("2 ") ? "1" + line.dropFirst() : line
    }
    #expect(try ContainerFixture.packets(copy.path) == left)
    #expect(try Data(contentsOf: URL(filePath: copy.path)).firstRange(of: Data("48.17".utf8)) == nil)
  }

  /// A position in a tag is also found in a title and in subtitles.
  @Test(arguments: ["mkv", "avi"])
  func removesRepeatedPositions(fileExtension: String) async throws {
    let folder = try ScratchFolder()
    try folder.write("1\n00:00:00,200 --> 00:00:01,000\nnear 48.1743 or so\n\n", to: "near.srt")
    let hasSubtitles = fileExtension == "mkv"
    let path = folder.path("place.\(fileExtension)")
    _ = try Tool.run(
      "ffmpeg",
      ["-v", "error"] + RemuxTests.video + (hasSubtitles ? ["-i", folder.path("near.srt")] : [])
        + ["-c:v", "mpeg4", "-metadata", "comment=+48.1743+011.5462/", "-metadata", "title=11.5462 east", path])
    let kinds = try await Auditor.audit(path: path).mustBeRemoved.map(\.carrier.kind)
    #expect(kinds.count(where: { $0 == "known-position" }) == (hasSubtitles ? 2 : 1), "\(kinds)")
    let copy = folder.path("copy.\(fileExtension)")
    _ = try await Stripper.strip(source: path, destination: copy)
    let bytes = try Data(contentsOf: URL(filePath: copy))
    for text in ["48.17", "11.54"] { #expect(bytes.firstRange(of: Data(text.utf8)) == nil) }
  }

  @Test(arguments: [(false, false), (true, false), (false, true)])
  func removesDatesAndIdentifiersOnRequest(dates: Bool, identifiers: Bool) throws {
    let tags = ["creation_time=2024-05-05T10:11:12Z", "model=ILCE-7M3", "serial_number=123456", "title=Final"]
    let path = try ClipFactory.clip(
      "tags.mkv", RemuxTests.video + ["-c:v", "mpeg4"] + tags.flatMap { ["-metadata", $0] })
    var options = StripOptions()
    options.removesDates = dates
    options.removesIdentifiers = identifiers
    let copy = try ContainerFixture.strip(path, options: options).path
    let format = try ContainerFixture.text("ffprobe", ["-v", "error", "-show_format", copy])
    #expect(format.contains("2024-05-05") == !dates)
    #expect(format.contains("ILCE-7M3") == !identifiers)
    #expect(format.contains("123456") == !identifiers)
    #expect(format.contains("title=Final"))
  }

  @Test func keepsTheModelOnRequest() throws {
    let path = try ClipFactory.clip(
      "model.mkv",
      RemuxTests.video + [
        "-c:v", "mpeg4", "-metadata", "model=ILCE-7M3", "-metadata", "owner=Jo", "-metadata",
        "make=+48.1743+011.5462/",
      ])
    var options = StripOptions()
    options.removesIdentifiers = true
    options.keepsModel = true
    let copy = try ContainerFixture.strip(path, options: options)
    let format = try ContainerFixture.text("ffprobe", ["-v", "error", "-show_format", copy.path])
    #expect(format.contains("ILCE-7M3"))
    #expect(!format.localizedCaseInsensitiveContains("owner"))
    // A position is removed whatever its name.
    #expect(!format.contains("48.1743"))
    #expect(copy.report.removed.contains { $0.localizedCaseInsensitiveContains("owner") })
  }

  /// AVCHD stores the recording date and the serial number inside the frames.
  @Test func removesAndCountsMessagesInFrames() throws {
    guard let path = SharedMedia.path("sony-a7m3-avchd-1080i.mts") else { return }
    var options = StripOptions()
    options.removesDates = true
    options.removesIdentifiers = true
    let copy = try ContainerFixture.strip(path, options: options)
    let frames = try ContainerFixture.packets(path).filter { $0.hasPrefix("0 ") }.count
    #expect(copy.report.cutAccessUnits == [0: frames])
    #expect(try ContainerFixture.audit(path: copy.path).carriers == [])
    let shown = try ContainerFixture.text("exiftool", ["-ee3", "-a", copy.path])
    #expect(!shown.contains("2019:04:24") && !shown.contains("ILCE-7M3"))
    // The decoded frames are unchanged.
    func decoded(_ path: String) throws -> String {
      try ContainerFixture.text("ffmpeg", ["-v", "quiet", "-i", path, "-map", "0:v", "-f", "framemd5", "-"])
    }
    #expect(try decoded(copy.path) == decoded(path))
  }
}
