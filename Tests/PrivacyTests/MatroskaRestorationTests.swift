import Foundation
import ISOMedia
import TestSupport
import Testing

@testable import Privacy

/// A copy keeps the parts of a track's description that libav does not write.
@Suite struct MatroskaRestorationTests {
  typealias Sample = MatroskaSample

  /// An element to insert into a track entry or its video description.
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var bytes: [UInt8]
    var isVideo = true

    var testDescription: String { name }
  }

  private static let rightAngle: [UInt8] = [0x42, 0xB4, 0, 0]  // 90.0
  static let cases = [
    Case(
      name: "ProjectionPoseRoll",
      bytes: Sample.element(0x7670, Sample.element(0x7671, [0]) + Sample.element(0x7675, rightAngle))),
    Case(name: "PixelCropTop", bytes: Sample.element(0x54BB, [8])),
    Case(name: "GammaValue", bytes: Sample.element(0x2F_B523, [0x40, 0x0C, 0xCC, 0xCD])),
    Case(name: "FlagOriginal", bytes: Sample.element(0x55AE, [1]), isVideo: false),
    Case(name: "LanguageBCP47", bytes: Sample.text(0x22_B59D, "de-CH"), isVideo: false),
  ]

  /// A live recording of ffmpeg has no file offsets that an insertion could break.
  private static func clip(_ test: Case, arguments: [String], to path: String) throws {
    let made = try ClipFactory.clip(
      "live.mkv",
      RemuxTests.both + RemuxTests.x264 + ["-c:a", "libopus", "-live", "1", "-write_crc32", "0"] + arguments)
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: made)))
    let source = MemoryBytes(bytes)
    func range(_ id: UInt32, in range: Range<Int64>, enters: UInt32? = nil) throws -> EBMLElement {
      var reader = EBMLReader(source: source, range: range)
      while let element = try reader.next() {
        if element.id == id { return element }
        if element.id == enters { reader.enter(element) }
      }
      throw ClipFactory.Failure(description: "no element \(MatroskaSchema.name(of: id))")
    }
    func content(_ range: Range<Int64>) -> [UInt8] { Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)]) }
    let tracks = try range(MatroskaSchema.tracks, in: 0..<source.byteCount, enters: MatroskaSchema.segment)
    let entry = try range(MatroskaSchema.trackEntry, in: tracks.payload)
    let video = try range(0xE0, in: entry.payload)
    let newVideo = Sample.element(0xE0, content(video.payload) + (test.isVideo ? test.bytes : []))
    let newEntry = Sample.element(
      0xAE,
      content(entry.payload.lowerBound..<video.range.lowerBound) + newVideo
        + content(video.range.upperBound..<entry.range.upperBound) + (test.isVideo ? [] : test.bytes))
    let newTracks = Sample.element(
      0x1654_AE6B,
      content(tracks.payload.lowerBound..<entry.range.lowerBound) + newEntry
        + content(entry.range.upperBound..<tracks.range.upperBound))
    let all =
      content(0..<tracks.range.lowerBound) + newTracks + content(tracks.range.upperBound..<source.byteCount)
    try Data(all).write(to: URL(filePath: path))
  }

  @Test(arguments: TestScope.some(2, of: cases), [nil, "Left side"])
  func keepsTrackDescriptions(test: Case, title: String?) throws {
    let path = try ScratchFolder().path("rotated.mkv")
    let arguments = title.map { ["-metadata:s:v", "title=\($0)"] } ?? []
    try Self.clip(test, arguments: arguments, to: path)
    let source = [UInt8](try Data(contentsOf: URL(filePath: path)))
    try #require(source.firstRange(of: test.bytes.suffix(5)) != nil)
    let copy = try ContainerFixture.strip(path)
    #expect(copy.report.notes.isEmpty, "\(copy.report.notes)")
    #expect(
      try MatroskaTrack.elementNames(in: FileBytes(path: copy.path)).isSuperset(
        of: MatroskaTrack.elementNames(in: FileBytes(path: path))))
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: copy.path)))
    #expect(bytes.firstRange(of: test.bytes.suffix(5)) != nil)
    #expect(bytes.firstRange(of: Array("....".utf8)) == nil)
    #expect(try ContainerFixture.tracks(copy.path) == ContainerFixture.tracks(path))
    #expect(try ContainerFixture.packets(copy.path) == ContainerFixture.packets(path))
    #expect(try ContainerFixture.tracks(copy.path).contains { $0.contains("title=Left side") } == (title != nil))
    // ffprobe reports a wrong checksum.
    let messages = try ContainerFixture.text(
      "ffprobe", ["-v", "warning", "-err_detect", "crccheck+explode", "-show_entries", "format=nb_streams", copy.path])
    #expect(messages.contains("nb_streams=2"))
  }

  @Test func refusesACopyWithAnotherPresentation() throws {
    var facts = ["rotation": "90", "language": "eng"]
    let before = [facts]
    try PresentationProof.compare(before, [facts], name: "clip.mkv")
    facts["rotation"] = "0"
    #expect(throws: StripError.self) { try PresentationProof.compare(before, [facts], name: "clip.mkv") }
    #expect(throws: StripError.self) { try PresentationProof.compare(before, [], name: "clip.mkv") }
  }
}
