import ClipModel
import Foundation
import TestSupport
import Testing

/// A match with rallies for `bsc cut`: 40 s at 25 frames per second, a key frame every second, audio, and a location.
struct CutHome {
  let home: BSCHome
  let match: String

  /// In seconds. The last two are refused: one is too short, the other ends after the match.
  static let rallies = [2.4..<7.0, 10.0..<14.2, 15.32..<19.96, 20.0..<22.0, 30.0..<50.0]

  init(_ rallies: [Range<Double>] = Self.rallies) throws {
    home = try BSCHome()
    match = home.folder.path("match.mp4")
    let made = try ClipFactory.clip(
      "match.mp4",
      [
        "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=40", "-f", "lavfi", "-i", "sine=f=440:r=48000:d=40", "-c:v",
        "libx264", "-preset", "veryfast", "-bf", "2", "-g", "25", "-x264-params", "open-gop=0:scenecut=0", "-c:a",
        "aac", "-metadata", "location=+48.1372+011.5755/",
      ])
    try FileManager.default.copyItem(atPath: made, toPath: match)
    try writeMetadata(rallies)
  }

  /// Writes `match.json`, based on a sample.
  func writeMetadata(_ rallies: [Range<Double>]) throws {
    let sample = try Data(contentsOf: URL(filePath: SharedMedia.sample("rally-portrait.json")))
    var document = try #require(try JSONSerialization.jsonObject(with: sample) as? [String: Any])
    let segment = try #require((document["rallySegments"] as? [[String: Any]])?.first)
    document["rallySegments"] = rallies.map { range in
      segment.merging(["id": UUID().uuidString, "startTime": range.lowerBound, "endTime": range.upperBound]) { $1 }
    }
    document["videoId"] = Self.videoID
    try JSONSerialization.data(withJSONObject: document).write(to: URL(filePath: home.folder.path("match.json")))
  }

  static let videoID = "B5F4C1A2-0D39-4E3B-9C55-1F0A7E4D2B10"

  /// The names in a folder; empty if the folder does not exist.
  func names(_ folder: String) -> [String] {
    let path = home.folder.path(folder)
    return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  /// The visible frames with their times and digests, decoded by ffmpeg.
  static func pictures(_ path: String) throws -> [(seconds: Double, digest: String)] {
    let text = try Tool.run(
      "ffmpeg",
      ["-v", "error", "-nostdin", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-f", "framemd5", "-"])
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
    let base = lines.first { $0.hasPrefix("#tb 0:") }?.split(separator: "/").last.flatMap { Double($0) } ?? 1
    return lines.filter { !$0.hasPrefix("#") }.map { line in
      let fields = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      return (Double(fields[2]).map { $0 / base } ?? -1, fields[5])
    }.filter { $0.seconds > -0.001 }
  }
}

/// A line of `bsc cut --json`.
struct CutAnswer: Decodable {
  var schema: String
  var status: String
  var rally: Int?
  var output: String?
  var metadata: String?
  var metadataUpdate: String?
  var sha256: String?
  var byteCount: Int64?
  var hiddenLead: Double?
  var notes: [String]?
  var findings: [Finding]
  var error: ErrorAnswer?

  static func all(in output: String) throws -> [CutAnswer] {
    try output.split(separator: "\n").map { try JSONDecoder().decode(CutAnswer.self, from: Data($0.utf8)) }
  }
}
