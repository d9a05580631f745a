import ClipModel
import Foundation
import LibAV
import Privacy
import Synchronization
import TestSupport
import Testing

@testable import ClipMedia

/// Properties of a transcode's output, other than colors and times.
@Suite struct TranscodeTests {
  private static func process(
    _ path: String, cut: Range<Double>? = nil, _ change: (inout ProcessingSettings) -> Void = { _ in }
  ) async throws -> (plan: ProcessingPlan, clip: ProcessedClip, maker: ProcessedClipMaker) {
    var maker = try ProcessedClipMaker()
    change(&maker.settings)
    let (probe, plan) = try await maker.plan(path, cut: cut)
    return (plan, try await maker.process(path, probe: probe, plan: plan), maker)
  }

  private static func frameCount(_ path: String) throws -> Int {
    try Tool.ffprobe(path, stream: "v:0", entries: "frame=pts_time").count
  }

  /// The source is searched when it is opened, and the output before it gets its name.
  ///
  /// The samples of a streamed output are searched one by one, too: they are sent before the file is complete. The search
  /// through the file is the only one that reads what was written, so neither replaces the other. Containers other than
  /// MP4 and QuickTime are searched again for the positions in them, because bytes before a position can repeat it in an
  /// encoding that is recognized only for known positions.
  @Test(arguments: [
    ("audited.mp4", ["-c:v", "libx264"], false, 2), ("audited.mp4", ["-c:v", "mpeg4"], false, 2),
    ("audited.mp4", ["-c:v", "mpeg4"], true, 2), ("audited.mkv", ["-c:v", "mpeg4"], false, 2),
    ("audited.mkv", ["-c:v", "mpeg4", "-metadata", "location=+47.3769+008.5417/"], false, 3),
  ])
  func auditsAreCounted(file: String, options: [String], isStreamed: Bool, searchCount: Int) async throws {
    let source = try ClipFactory.clip(
      file,
      ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=30:d=4", "-g", "30", "-pix_fmt", "yuv420p", "-b:v", "9M"] + options)
    let folder = try ScratchFolder()
    let destination = folder.path("clip.mp4")
    let before = Auditor.searchCount.load(ordering: .relaxed)
    if isStreamed {
      let clip = try await OpenedClip(path: source)
      guard case .plan(let plan) = ClipRules().ofAnyLength.plan(clip.probe, settings: ProcessingSettings()) else {
        throw ClipFactory.Failure(description: "the clip was rejected")
      }
      _ = try await ClipProcessor.process(clip, plan: try #require(plan.streamed), to: destination)
    } else {
      _ = try await ClipProcessor.process(URL(filePath: source), to: URL(filePath: destination))
    }
    #expect(Auditor.searchCount.load(ordering: .relaxed) - before == searchCount)
  }

  // MARK: Fields

  /// An interlaced recording of a ball that moves 60 times per second. The output has as many steps, without combing.
  @Test(arguments: ["setfield=tff,interlace=scan=tff", "setfield=bff,interlace=scan=bff"])
  func fieldsBecomeFrames(filter: String) async throws {
    let source = try ClipFactory.clip(
      "fields.mp4",
      [
        "-f", "lavfi", "-i",
        "color=black:s=640x360:r=60:d=3[b];color=white:s=60x160:r=60:d=3[w];[b][w]overlay=x='mod(n*6,560)':y=100,\(filter)",
        "-c:v", "libx264", "-flags", "+ildct+ilme", "-crf", "12",
      ])
    let probe = try await Prober.probe(path: source)
    #expect(probe.mainVideo?.isInterlaced == true)
    let (plan, clip, _) = try await Self.process(source)
    #expect(plan.decisions.contains { $0.why.contains("interlaced") })
    #expect(clip.probe.mainVideo?.fieldOrder == "progressive")
    let before = try Self.frameCount(source)
    let after = try Self.frameCount(clip.path)
    #expect(abs(after - 2 * before) <= 1, "\(before) became \(after)")
    // The left edge of the box is straight. With combing, lines would differ by six pixels.
    for seconds in [1.0, 1.5, 2.1] {
      let picture = try Tool.pixels(clip.path, at: seconds)
      let edges = stride(from: 0.35, to: 0.65, by: 1.0 / 360).map { y in
        (0..<640).first { picture.color((Double($0) + 0.5) / 640, y)[1] > 128 } ?? 640
      }
      #expect((edges.max() ?? 0) - (edges.min() ?? 0) <= 3, "\(edges)")
    }
  }

  // MARK: HDR and HEVC

  @Test func hdrIsKeptOnRequest() async throws {
    let source = try ClipFactory.clip(
      "pq.mp4",
      [
        "-f", "lavfi", "-i", "testsrc2=s=1280x720:r=10:d=3", "-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-preset",
        "ultrafast", "-x265-params",
        "log-level=error:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:"
          + "master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50):max-cll=900,300",
        "-tag:v", "hvc1",
      ])
    let (_, clip, _) = try await Self.process(source) { ($0.keepsHDR, $0.longSide, $0.shortSide) = (true, 640, 360) }
    let video = try #require(clip.probe.mainVideo)
    #expect(video.codec == "hevc" && video.codecTag == "hvc1" && video.profile == "Main 10")
    #expect(video.storedSize == PictureSize(width: 640, height: 360))
    #expect(video.color.transfer == "smpte2084" && video.color.primaries == "bt2020")
    #expect(video.gop?.isClosed == true)
    let frames = String(
      decoding: try Tool.run(
        "ffprobe", ["-v", "error", "-select_streams", "v", "-show_frames", "-read_intervals", "%+#1", clip.path]),
      as: UTF8.self)
    #expect(frames.contains("max_luminance=10000000/10000") && frames.contains("max_content=900"))
  }

  /// Copied and encoded HEVC has the tag that Apple's players require.
  @Test(arguments: [(ProcessingSettings.CodecChoice.keep, true), (.hevc, false)])
  func hevcIsCopiedOrEncodedOnRequest(codec: ProcessingSettings.CodecChoice, isHEVC: Bool) async throws {
    let source = try ClipFactory.clip(
      "codec.mp4",
      ["-f", "lavfi", "-i", "testsrc2=s=640x360:r=30:d=3", "-c:v"]
        + (isHEVC
          ? ["libx265", "-preset", "ultrafast", "-x265-params", "log-level=error:open-gop=0"]
          : ["libx264", "-preset", "ultrafast"]))
    let (plan, clip, _) = try await Self.process(source) { $0.codec = codec }
    #expect((plan.video.encoding == nil) == isHEVC)
    let video = try #require(clip.probe.mainVideo)
    #expect(video.codec == "hevc" && video.codecTag == "hvc1" && video.profile == "Main")
    #expect(try Self.frameCount(clip.path) == 90)
  }

  // MARK: Sizes

  private static func noise(_ seconds: Int, _ size: String = "640x360") throws -> String {
    try ClipFactory.clip(
      "noise.mp4",
      [
        "-f", "lavfi", "-i", "testsrc2=s=\(size):r=30:d=\(seconds),noise=alls=60:allf=t", "-f", "lavfi", "-i",
        "sine=d=\(seconds)", "-c:v", "mpeg4", "-q:v", "3", "-c:a", "aac",
      ])
  }

  @Test(arguments: [400_000, 900_000] as [Int64])
  func promisedSizesAreKept(limit: Int64) async throws {
    let (_, clip, _) = try await Self.process(try Self.noise(4)) { $0.maximumByteCount = limit }
    #expect(clip.byteCount <= limit)
    // A much smaller file would have less quality than possible.
    #expect(clip.byteCount > limit / 3, "\(clip.byteCount)")
  }

  @Test func impossibleSizesAreRefused() async throws {
    let source = try Self.noise(4)
    await #expect {
      _ = try await Self.process(source) { $0.maximumByteCount = 20_000 }
    } throws: { error in
      guard case ClipMediaError.tooBig(_, _, let limit) = error else { return false }
      return limit == 20_000
    }
  }

  /// Even short and complex clips stay within Mux's limits.
  @Test(arguments: TestScope.some(1, of: [2, 5]))
  func noiseStaysWithinTheStandardRate(seconds: Int) async throws {
    let (_, clip, _) = try await Self.process(try Self.noise(seconds, "640x360")) { $0.constantRateFactor = 6 }
    let video = try #require(clip.probe.mainVideo)
    #expect((video.bitsPerSecond ?? .max) <= MuxStandard.today.averageBitsPerSecond)
    #expect((video.gop?.highestBitsPerSecond ?? .max) <= MuxStandard.today.gopBitsPerSecond)
    #expect(video.gop?.isClosed == true)
  }

  /// At the same size limit, more effort means a better picture.
  @Test(
    .enabled(if: TestScope.isFull, "slow: Scripts/test --all"),
    arguments: TestScope.some(1, of: [ProcessingSettings.CodecChoice.h264, .hevc]))
  func effortImprovesPicture(codec: ProcessingSettings.CodecChoice) async throws {
    let source = try ClipFactory.clip(
      "fractal.mp4",
      [
        "-f", "lavfi", "-i", "mandelbrot=s=640x360:r=30:end_scale=0.05", "-t", "3", "-c:v", "libx264", "-crf", "4",
        "-pix_fmt", "yuv422p",
      ])
    var similarity: [Double] = []
    for effort in EncodingEffort.allCases {
      let (plan, clip, _) = try await Self.process(source) {
        ($0.effort, $0.codec, $0.maximumByteCount) = (effort, codec, 300_000)
      }
      #expect(plan.video.encoding?.effort == effort)
      #expect((230_000...300_000).contains(clip.byteCount), "\(effort): \(clip.byteCount) bytes")
      let log = try Tool.errors(
        "ffmpeg", ["-hide_banner", "-i", clip.path, "-i", source, "-lavfi", "[0:v][1:v]ssim", "-f", "null", "-"])
      let all = try #require(log.firstMatch(of: /All:([0-9.]+)/))
      similarity.append(try #require(Double(all.1)))
    }
    // SSIM differs by 0.003 from level to level.
    for (less, more) in zip(similarity, similarity.dropFirst()) { #expect(more > less + 0.001, "\(similarity)") }
  }

  // MARK: Groups of pictures

  private static func copyable(_ parameters: String) throws -> String {
    try ClipFactory.clip(
      "gops.mp4",
      [
        "-f", "lavfi", "-i", "testsrc2=s=640x360:r=30:d=6", "-f", "lavfi", "-i", "sine=d=6", "-c:v", "libx264",
        "-preset", "veryfast", "-g", "30", "-x264-params", parameters, "-c:a", "aac", "-shortest",
      ])
  }

  /// Open groups are recognized by their first frame, not by the index.
  @Test(arguments: [("open-gop=1:scenecut=0:keyint=30:min-keyint=30:bframes=3:b-adapt=0", false), ("open-gop=0", true)])
  func openGroupsAreFound(parameters: String, isClosed: Bool) async throws {
    let (plan, clip, _) = try await Self.process(try Self.copyable(parameters))
    let isCopy = if case .copy = plan.video { true } else { false }
    #expect(isCopy == isClosed)
    #expect(clip.probe.mainVideo?.gop?.isClosed == true)
  }

  /// A cut that starts at a key frame is copied without an encoder.
  @Test func cutsAtKeyFramesAreCopied() async throws {
    let source = try Self.copyable("keyint=30:min-keyint=30:scenecut=0")
    let (plan, clip, _) = try await Self.process(source, cut: 2.05..<4.0)
    guard case .copy = plan.video else {
      Issue.record("\(plan.decisions)")
      return
    }
    #expect(plan.trim?.lowerBound == 2)
    #expect(plan.decisions.contains { $0.why.contains("-50 ms") })
    let times = try Tool.ffprobe(clip.path, stream: "v:0", entries: "frame=pts_time").compactMap { Double($0[0]) }
    #expect(abs((times.first ?? 9) - 0) < 0.001)
    #expect((58...64).contains(times.count), "\(times.count)")
    // The first frame is the one at two seconds in the source.
    let (old, new) = (try Tool.pixels(source, at: 2), try Tool.pixels(clip.path, at: 0))
    #expect(old.color(0.3, 0.4) == new.color(0.3, 0.4) && old.color(0.7, 0.2) == new.color(0.7, 0.2))
    let (encoded, _, _) = try await Self.process(source, cut: 2.4..<4.0)
    #expect(encoded.video.encoding != nil)
  }

  // MARK: Hardware

  /// Without a working hardware encoder, a note names the fallback.
  @Test func fallbackEncodersAreNoted() async throws {
    var settings = Encoder.VideoSettings(
      layout: .video(PictureSize(width: 640, height: 360)), timeBase: Rational(1, 30), frameRate: Rational(30, 1))
    (settings.maximumBitsPerSecond, settings.bufferBits, settings.keyFrameInterval) = (2_000_000, 2_000_000, 60)
    let none = HardwareEncoders.findWorking(for: settings, among: ["h264_missing_card"])
    #expect(none.name == nil && none.failures.count == 1)
    // A working encoder is used after failed ones. Here x264 replaces a hardware encoder.
    let some = HardwareEncoders.findWorking(for: settings, among: ["h264_missing_card", "libx264"])
    #expect(some.name == "libx264" && some.failures.count == 1)

    let works = HardwareEncoders.findWorking(for: settings).name != nil
    let (_, clip, _) = try await Self.process(try Self.noise(2)) { $0.usesHardware = true }
    #expect(clip.notes.map(\.id).contains(works ? "encoder.hardware" : "encoder.software"), "\(clip.notes)")
  }

  // MARK: Damage

  private static func clip() throws -> [UInt8] {
    let path = try ClipFactory.clip(
      "salvage.mp4",
      [
        "-f", "lavfi", "-i", "testsrc2=s=640x360:r=30:d=6", "-f", "lavfi", "-i", "sine=d=6", "-c:v", "libx265",
        "-preset", "ultrafast", "-x265-params", "log-level=error", "-g", "15", "-c:a", "aac", "-movflags", "+faststart",
      ])
    return [UInt8](try Data(contentsOf: URL(filePath: path)))
  }

  @Test func goodPartsOfDamagedFilesAreSalvaged() async throws {
    let folder = try ScratchFolder()
    var bytes = try Self.clip()
    for offset in bytes.count * 2 / 3..<bytes.count * 2 / 3 + 20_000 {
      bytes[offset] = UInt8(truncatingIfNeeded: offset &* 31)
    }
    let damaged = folder.path("damaged.mp4")
    try Data(bytes).write(to: URL(filePath: damaged))
    await #expect(throws: ClipMediaError.self) { try await Self.process(damaged) }
    let (_, clip, _) = try await Self.process(damaged) { $0.salvages = true }
    #expect(clip.notes.map(\.id).contains("source.damaged"), "\(clip.notes)")
    let seconds = try #require(clip.probe.mainVideo?.durationSeconds)
    #expect((2...5).contains(seconds), "\(seconds)")
    // The salvaged part can be decoded.
    _ = try Tool.run("ffmpeg", ["-v", "error", "-xerror", "-i", clip.path, "-f", "null", "-"])
  }

  @Test func goodPartsOfTruncatedFilesAreSalvaged() async throws {
    let folder = try ScratchFolder()
    let bytes = try Self.clip()
    let cut = folder.path("cut.mp4")
    try Data(bytes.prefix(bytes.count / 2)).write(to: URL(filePath: cut))
    await #expect(throws: (any Error).self) { try await Self.process(cut) }
    let (_, clip, _) = try await Self.process(cut) { $0.salvages = true }
    let seconds = try #require(clip.probe.mainVideo?.durationSeconds)
    #expect((1...5).contains(seconds), "\(seconds)")
    _ = try Tool.run("ffmpeg", ["-v", "error", "-xerror", "-i", clip.path, "-f", "null", "-"])
  }
}
