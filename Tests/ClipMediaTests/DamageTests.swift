import ClipModel
import Foundation
import ISOMedia
import TestSupport
import Testing

@testable import ClipMedia

/// Clips with missing or undecodable media: every check finds it, and none is published.
@Suite struct DamageTests {
  private static let video = ["-f", "lavfi", "-i", "mandelbrot=s=320x240:r=25", "-t", "4"]

  private func damaged(_ name: String, _ arguments: [String], change: (inout Data) throws -> Void) throws -> String {
    let whole = try ClipFactory.clip(name, arguments)
    var data = try Data(contentsOf: URL(fileURLWithPath: whole))
    try change(&data)
    let path = try Self.folder.get().path(name)
    try data.write(to: URL(fileURLWithPath: path))
    return path
  }

  private static let folder = Result { try ScratchFolder() }

  /// The result of the rules without decoding.
  private func isCutOff(_ path: String) async throws -> Bool {
    do {
      return ClipRules().findings(for: try await Prober.probeForRules(path: path)).contains {
        $0.rule == "clip.truncated"
      }
    } catch is ClipMediaError {
      return true
    }
  }

  private func isPublished(_ path: String) async throws -> Bool {
    do {
      let maker = try ProcessedClipMaker()
      let (probe, plan) = try await maker.plan(path)
      _ = try await maker.process(path, probe: probe, plan: plan)
      return true
    } catch is ClipMediaError {
      return false
    } catch is ClipFactory.Failure {
      // The plan was refused.
      return false
    }
  }

  /// A failed copy leaves zeros in place of a frame. They are found for each codec without decoding everything.
  @Test(arguments: [
    ("hole.mov", ["-c:v", "prores_ks"]), ("hole.avi", ["-c:v", "mjpeg"]), ("hole.mp4", ["-c:v", "mpeg4"]),
    ("hole.webm", ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-live", "1"]),
  ])
  func framesOfZerosAreFoundInEveryCodec(name: String, codec: [String]) async throws {
    let arguments = Self.video + codec
    let whole = try ClipFactory.clip(name, arguments)
    let packet = try #require(
      try Tool.ffprobe(whole, stream: "v:0", entries: "packet=pos,size").dropFirst(37).first?.compactMap { Int($0) })
    let (size, position) = packet[0] < packet[1] ? (packet[0], packet[1]) : (packet[1], packet[0])
    #expect(try await DecodingCheck.decodeSample(path: whole).brokenUnits?.isEmpty ?? true)
    let path = try damaged(name, arguments) { data in
      // Keep the header of the Matroska element or AVI chunk.
      let start = name.hasSuffix("webm") ? position + 4 : name.hasSuffix("avi") ? position + 8 : position
      data.replaceSubrange(start..<start + size, with: Data(count: size))
    }
    let isFound = try await isCutOff(path)
    let sampled = try await DecodingCheck.decodeSample(path: path)
    #expect(isFound || sampled.brokenUnits?.isEmpty == false)
    #expect(try await !isPublished(path))
  }

  /// The check of the samples uses the boxes that were read when the clip was opened.
  @Test func boxesOfAnOpenClipAreReadOnce() async throws {
    let path = try damaged("opened.mp4", Self.video + ["-c:v", "libx264"]) { _ in }
    let clip = try await OpenedClip(path: path)
    let movie = try #require(try ISOFile.read(path: path)?.topLevelBoxes.first { $0.type == "moov" })
    // The samples and their tables don't change, but reading the boxes again would find no track.
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.seek(toOffset: UInt64(movie.range.lowerBound) + 4)
    try file.write(contentsOf: Data("free".utf8))
    try file.close()
    #expect(try ISOFile.read(path: path)?.tracks.isEmpty == true)
    let checked = try await DecodingCheck.makeDamagedResult(at: 0, why: "damaged", in: clip)
    #expect(checked.brokenUnits == [])
  }

  /// Nothing else decodes audio that is copied next to transcoded video.
  @Test func damageOfCopiedAudioIsANote() async throws {
    let arguments =
      ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=10:d=4", "-f", "lavfi", "-i", "sine=d=4"] + [
        "-c:v", "mpeg4", "-c:a", "aac",
      ]
    let whole = try ClipFactory.clip("audio.mp4", arguments)
    let packet = try #require(
      try Tool.ffprobe(whole, stream: "a:0", entries: "packet=pos,size").dropFirst(80).first?.compactMap { Int($0) })
    let position = packet.max() ?? 0
    let path = try damaged("audio.mp4", arguments) { data in
      for offset in 0..<8 { data[position + offset] ^= 0xFF }
    }
    #expect(try await DecodingCheck.decodeEverything(path: path).damage.contains { $0.track == "audio" })
    let (intact, broken) = (try ProcessedClipMaker(), try ProcessedClipMaker())
    #expect(try await intact.process(whole).notes.isEmpty)
    #expect(try await broken.process(path).notes.map(\.id) == ["audio.damaged"])
  }

  static let containers: [(name: String, arguments: [String])] = [
    ("cut.mkv", ["-c:v", "libx264", "-bf", "2"]), ("cut-cues.mkv", ["-c:v", "libx264", "-cues_to_front", "1"]),
    ("cut.webm", ["-c:v", "libvpx", "-b:v", "300k"]), ("cut.ts", ["-c:v", "libx264", "-bf", "2"]),
    ("cut.avi", ["-c:v", "mpeg4"]), ("cut.mp4", ["-c:v", "mpeg4", "-movflags", "+faststart"]),
    ("cut-fragments.mp4", ["-c:v", "libx264", "-g", "25", "-movflags", "+frag_keyframe+empty_moov"]),
    ("cut.mxf", ["-c:v", "mpeg2video"]), ("cut.flv", ["-c:v", "flv1"]),
  ]

  @Test(arguments: TestScope.some(4, of: containers), TestScope.some(1, of: [0.93, 0.06, 0.5]))
  func truncationIsFoundWithoutDecodingEverything(_ container: (name: String, arguments: [String]), at part: Double)
    async throws
  {
    let path = try damaged("\(Int(part * 100))-\(container.name)", Self.video + container.arguments) {
      // An odd size, at which no container's packets end.
      $0.count = Int(Double($0.count) * part) / 188 * 188 + 101
    }
    var isFound = try await isCutOff(path)
    if !isFound { isFound = try await !DecodingCheck.decodeSample(path: path).damage.isEmpty }
    #expect(isFound)
    #expect(try await !isPublished(path))
  }

  /// A truncated browser recording has no sizes or durations, but ends inside a packet.
  @Test func truncatedLiveStreamsAreFound() async throws {
    let path = try damaged("live-cut.webm", Self.video + ["-c:v", "libvpx", "-b:v", "300k", "-live", "1"]) {
      $0.count = $0.count * 3 / 5
    }
    #expect(try await isCutOff(path))
    #expect(try await !isPublished(path))
  }

  @Test(
    arguments: TestScope.some(
      2, of: [("libx264", "mp4"), ("libx265", "mp4"), ("libx264", "mkv"), ("libx264", "ts"), ("libx265", "mkv")]),
    TestScope.some(1, of: [1, 2, 3, 4] as [UInt64]))
  func concealedErrorsAreDamage(_ kind: (codec: String, suffix: String), seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let codec = kind.codec == "libx265" ? ["-c:v", "libx265", "-x265-params", "log-level=none"] : ["-c:v", kind.codec]
    let path = try damaged("\(kind.codec)-\(seed).\(kind.suffix)", Self.video + codec + ["-bf", "2", "-g", "50"]) {
      for _ in 0..<3 {
        let offset = Int.random(in: $0.count / 5..<$0.count * 9 / 10, using: &generator)
        $0[offset] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      }
    }
    let reported = try Tool.errors("ffmpeg", ["-v", "error", "-i", path, "-f", "null", "-"])
    let found = try await DecodingCheck.decodeEverything(path: path).damage
    if !reported.isEmpty { #expect(!found.isEmpty, "seed \(seed): ffmpeg reports \(reported.prefix(200))") }
    // Always transcode, because a copy decodes nothing.
    var maker = try ProcessedClipMaker()
    maker.settings.longSide = 160
    maker.settings.shortSide = 120
    var isPublished = true
    do { _ = try await maker.process(path) } catch {
      #expect(error is ClipMediaError || error is ClipFactory.Failure)
      isPublished = false
    }
    #expect(isPublished == found.isEmpty, "seed \(seed)")
  }
}
