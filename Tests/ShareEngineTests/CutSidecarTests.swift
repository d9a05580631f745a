import Foundation
import TestSupport
import Testing

@testable import ClipModel
@testable import ShareEngine

/// The metadata next to a clip of a match.
@Suite struct CutSidecarTests {
  private let metadata: Data
  private let match: RallyMetadata

  init() throws {
    let path = SharedMedia.sample("rally-portrait.json")
    var document = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path))) as? [String: Any])
    var segment = try #require((document["rallySegments"] as? [[String: Any]])?.first)
    segment["startTime"] = 10.25
    segment["endTime"] = 20.5
    var second = segment
    second["id"] = UUID().uuidString
    second["startTime"] = 30.1
    second["endTime"] = 39.3
    document["rallySegments"] = [segment, second]
    document["trajectoryData"] = [["id": UUID().uuidString]]
    metadata = try JSONSerialization.data(withJSONObject: document)
    match = try #require(RallyMetadata.read(bytes: [UInt8](metadata)).metadata)
  }

  private func sidecar(_ index: Int, trim: RallyTrim? = nil, source: String = "f0", crf: Double = 21) -> CutSidecar {
    let cut = RallyRules(metadata: match, fileSeconds: 600).planCut(index, trim: trim)
    let encoding = VideoEncoding(constantRateFactor: crf)
    let plan = ProcessingPlan(
      trim: cut.range, video: .transcode(trackIndex: 0, steps: [], encoding: encoding), durationSeconds: 9.2)
    return CutSidecar(source: source, cut: cut, plan: plan)
  }

  @Test func sidecarContainsTheRallyOfTheMatch() throws {
    let json = try sidecar(1).encode(metadata: metadata, clipSHA256: "abc", clipByteCount: 5)
    let (read, findings) = RallyMetadata.read(bytes: [UInt8](json), fileName: "match-rally-01.json")
    #expect(!findings.contains { $0.severity > .info }, "\(findings)")
    let clip = try #require(read)
    #expect(clip.videoID == match.videoID && clip.sourceRallyIndex == 1 && clip.segments == [match.segments[1]])
    // The rules recognize it as a clip, and register it with its number in the match.
    let choice = RallyRules(metadata: clip, fileSeconds: 9.2).chooseRally()
    #expect(choice.mode == .clip && choice.rally?.index == 1 && choice.findings.isEmpty)
    // The app's decoder requires these keys. Data about the whole match is omitted.
    let document = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
    for key in ["processingConfig", "processingStats", "qualityMetrics", "performanceMetrics"] {
      #expect(document[key] != nil, "\(key)")
    }
    #expect(document["trajectoryData"] == nil)
  }

  @Test func trimmedRallyHasTheTimesOfItsClip() throws {
    let json = try sidecar(0, trim: RallyTrim(before: 1, after: -2)).encode(
      metadata: metadata, clipSHA256: "abc", clipByteCount: 5)
    let read = try #require(RallyMetadata.read(bytes: [UInt8](json)).metadata)
    #expect(read.segments.first?.startTime == 9.25 && read.segments.first?.endTime == 18.5)
    #expect(read.segments.first?.id == match.segments[0].id)
  }

  @Test func onlyTheSameCutIsRecognized() throws {
    let folder = try ScratchFolder()
    let path = folder.path("clip.json")
    #expect(try sidecar(0).inspectExistingMetadata(at: path) == .none)
    try sidecar(0).encode(metadata: metadata, clipSHA256: "abc", clipByteCount: 5).write(to: URL(filePath: path))
    #expect(try sidecar(0).inspectExistingMetadata(at: path) == .same(clipSHA256: "abc", clipByteCount: 5))
    #expect(try sidecar(1).inspectExistingMetadata(at: path) == .anotherCut)
    #expect(try sidecar(0, trim: RallyTrim(before: 0.5, after: 0)).inspectExistingMetadata(at: path) == .anotherCut)
    #expect(try sidecar(0, source: "f1").inspectExistingMetadata(at: path) == .anotherCut)
    #expect(try sidecar(0, crf: 24).inspectExistingMetadata(at: path) == .anotherCut)
    for text in ["", "{", "[]", "{}", #"{"bsc":{"mode":"clip"}}"#, String(repeating: " ", count: 2 << 20)] {
      try folder.write(text, to: "clip.json")
      #expect(try sidecar(0).inspectExistingMetadata(at: path) == .foreign)
    }
  }

  @Test func onlyUneditedMetadataIsReplaced() throws {
    let folder = try ScratchFolder()
    let path = folder.path("clip.json")
    let json = try sidecar(0).encode(metadata: metadata, clipSHA256: "abc", clipByteCount: 5)
    func update() throws -> CutSidecar.RequiredUpdate {
      try sidecar(0).determineUpdate(at: path, metadata: metadata, clipSHA256: "abc", clipByteCount: 5)
    }
    try json.write(to: URL(filePath: path))
    #expect(try update() == .none)
    let older = try sidecar(0).encode(
      metadata: try changed("quality", 0.5), clipSHA256: "abc", clipByteCount: 5)
    try older.write(to: URL(filePath: path))
    #expect(try update() == .write(json))
    for (old, new) in [("0.5", "0.25"), ("\n", "\r\n"), ("metadataSHA256", "metadataSHA255")] {
      try folder.write(String(decoding: older, as: UTF8.self).replacing(old, with: new), to: "clip.json")
      #expect(try update() == .keep, "\(old)")
    }
  }

  /// The match's metadata with a changed value in its first rally.
  private func changed(_ key: String, _ value: Double) throws -> Data {
    var document = try #require(try JSONSerialization.jsonObject(with: metadata) as? [String: Any])
    var segments = try #require(document["rallySegments"] as? [[String: Any]])
    segments[0][key] = value
    document["rallySegments"] = segments
    return try JSONSerialization.data(withJSONObject: document)
  }

  @Test(
    arguments: [
      (0, 1, "rallies/m-rally-00"), (7, 40, "rallies/m-rally-07"), (7, 100, "rallies/m-rally-07"),
      (7, 101, "rallies/m-rally-007"), (1200, 1201, "rallies/m-rally-1200"),
    ])
  func namesSortByRally(index: Int, count: Int, expected: String) {
    #expect(CutNames(match: "/matches/m.mov", folder: "rallies", rallyCount: count).baseName(of: index) == expected)
    #expect(CutNames(match: "m.mov", folder: "", rallyCount: count).baseName(of: index) == expected.dropFirst(8))
    let names = (0..<count).map(CutNames(match: "m.mov", folder: "", rallyCount: count).baseName)
    #expect(names == names.sorted())
  }
}
