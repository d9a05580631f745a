import ClipModel
import Foundation
import LibAV
import TestSupport
import Testing

@testable import ClipMedia

/// Undamaged clips with wrong or incomplete headers: no frame is lost, and no damage is reported.
@Suite struct StrangeClipTests {
  private static let video = ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=4"]

  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var arguments: [String]
    /// The number of shown frames.
    var count = 100
    var seconds = 4.0
    /// Changes the finished file.
    var change: @Sendable (inout Data) -> Void = { _ in }
    var testDescription: String { name }
  }

  /// Replaces the nanoseconds of the only DefaultDuration (23 E3 83), which libav takes for the frame rate.
  private static func setDefaultDuration(_ nanoseconds: UInt32?) -> @Sendable (inout Data) -> Void {
    { data in
      guard let found = data.range(of: Data([0x23, 0xE3, 0x83, 0x84])) else { return }
      let bytes: [UInt8] =
        nanoseconds.map { [0x23, 0xE3, 0x83, 0x84] + withUnsafeBytes(of: $0.bigEndian, Array.init) }
        ?? [0xEC, 0x86, 0, 0, 0, 0, 0, 0]
      data.replaceSubrange(found.lowerBound..<found.lowerBound + 8, with: bytes)
    }
  }

  static let cases: [Case] = [
    Case(
      name: "rate-1000.mkv", arguments: video + ["-c:v", "libx264", "-g", "50"],
      change: setDefaultDuration(1_000_000)),
    Case(name: "no-rate.mkv", arguments: video + ["-c:v", "mpeg4"], change: setDefaultDuration(nil)),
    Case(
      name: "long-audio.mkv", arguments: video + ["-f", "lavfi", "-i", "sine=d=6", "-c:v", "mpeg4", "-c:a", "aac"]),
    Case(
      name: "live.webm",
      arguments: video + ["-f", "lavfi", "-i", "sine=d=4", "-c:v", "libvpx", "-c:a", "libopus", "-live", "1"]),
    Case(
      name: "hidden-frames.webm",
      arguments: video + ["-c:v", "libvpx", "-auto-alt-ref", "1", "-lag-in-frames", "25", "-b:v", "200k"]),
    Case(
      name: "hidden-frames-vp9.webm",
      arguments: video + [
        "-c:v", "libvpx-vp9", "-auto-alt-ref", "1", "-lag-in-frames", "25", "-cpu-used", "6", "-b:v", "200k",
      ]),
    Case(name: "b-frames.avi", arguments: video + ["-c:v", "libx264", "-bf", "3"]),
    // The writer first declares a duration of a day, and never corrects it.
    Case(
      name: "unfinished.avi", arguments: video + ["-c:v", "mpeg4"],
      change: { data in
        if let header = data.range(of: Data("avih".utf8)) {
          data.replaceSubrange(header.upperBound + 20..<header.upperBound + 24, with: [0xFF, 0xFF, 0x03, 0])
        }
        if let stream = data.range(of: Data("strh".utf8)) {
          data.replaceSubrange(stream.upperBound + 36..<stream.upperBound + 40, with: [0xFF, 0xFF, 0x03, 0])
        }
        data.replaceSubrange(4..<8, with: [0xFF, 0xFF, 0xFF, 0xFF])
      }),
    Case(
      name: "long-last-frame.mp4",
      arguments: [
        "-f", "lavfi", "-i", "testsrc2=s=2048x1200:r=30:d=3", "-vf", "setpts='if(lt(N,45),N,N+48)/30/TB'", "-bf", "0",
        "-c:v", "libx264", "-preset", "ultrafast", "-fps_mode", "vfr", "-video_track_timescale", "90000", "-bsf:v",
        "setts=duration='if(eq(N,89),27000,DURATION)'",
      ], count: 90, seconds: 4.87),
    Case(
      name: "gap-near-the-end.mkv",
      arguments: [
        "-f", "lavfi", "-i", "testsrc2=s=320x240:r=30:d=1.5", "-vf", "setpts='if(lt(N,42),N,N+21)/30/TB'", "-c:v",
        "libx264", "-bf", "3", "-preset", "fast", "-fps_mode", "vfr",
      ], count: 45, seconds: 2.2),
    Case(
      name: "gap-near-the-end.avi",
      arguments: [
        "-f", "lavfi", "-i", "testsrc2=s=320x240:r=30:d=1.5", "-vf", "setpts='if(lt(N,44),N,N+6)/30/TB'", "-c:v",
        "libx264", "-bf", "0", "-preset", "fast", "-fps_mode", "vfr",
      ], count: 45, seconds: 1.7),
    Case(
      name: "slow-end.mp4",
      arguments: [
        "-f", "lavfi", "-i", "testsrc2=s=192x144:r=25:d=30", "-vf", "select='lt(t,20)+not(mod(n,75))'", "-fps_mode",
        "vfr", "-c:v", "libx264", "-pix_fmt", "yuv422p",
      ], count: 503, seconds: 27.04),
    Case(
      name: "late-video.mp4",
      arguments: [
        "-f", "lavfi", "-i", "testsrc2=s=192x144:r=25:d=4", "-f", "lavfi", "-i", "sine=r=48000:d=6", "-vf",
        "setpts=PTS+2/TB", "-fps_mode", "passthrough", "-c:v", "libx264", "-pix_fmt", "yuv422p", "-c:a", "aac",
      ], count: 100, seconds: 6),
    // Starts with a recovery point: the frame numbers before it are not missing.
    Case(
      name: "starts-without-idr.mp4",
      arguments: [
        "-f", "lavfi", "-i", "testsrc2=s=320x240:r=30:d=4", "-c:v", "libx264", "-x264-params",
        "open-gop=1:keyint=15:bframes=2:b-adapt=0:b-pyramid=0", "-bsf:v",
        "noise=drop=lt(n\\,28)+between(n\\,29\\,30)",
      ], count: 90, seconds: 4),
    Case(name: "open-groups.mp4", arguments: video + ["-c:v", "libx265", "-x265-params", "open-gop=1:keyint=25"]),
  ]

  private func make(_ clip: Case) throws -> String {
    let path = try ClipFactory.clip(clip.name, clip.arguments)
    var data = try Data(contentsOf: URL(fileURLWithPath: path))
    clip.change(&data)
    let changed = URL(fileURLWithPath: path).deletingLastPathComponent().appending(path: "changed-\(clip.name)")
    try data.write(to: changed)
    return changed.path
  }

  @Test(arguments: TestScope.some(6, of: cases)) func noFrameIsLost(_ clip: Case) async throws {
    let path = try make(clip)
    let maker = try ProcessedClipMaker()
    let (probe, plan) = try await maker.plan(path)
    #expect(probe.mainVideo?.shownFrameCount == Int64(clip.count))
    #expect(abs((probe.mainVideo?.durationSeconds ?? 0) - clip.seconds) < 0.06)
    let result = try await maker.process(path, probe: probe, plan: plan)
    #expect(result.probe.mainVideo?.frameCount == Int64(clip.count))
    #expect(abs((result.probe.mainVideo?.durationSeconds ?? 0) - clip.seconds) < 0.06)
  }

  @Test(arguments: TestScope.some(6, of: cases)) func noCheckReportsDamage(_ clip: Case) async throws {
    let path = try make(clip)
    #expect(try await DecodingCheck.decodeSample(path: path).damage.isEmpty)
    #expect(try await DecodingCheck.decodeEverything(path: path).damage.isEmpty)
    let findings = ClipRules().findings(for: try await Prober.probeForRules(path: path))
    #expect(!findings.contains { $0.rule == "clip.truncated" })
  }

  @Test(arguments: [
    (Rational(1000, 1), Rational(25, 1)), (Rational(25, 1), Rational(25, 1)), (Rational(24000, 1001), Rational(25, 1)),
  ])
  func frameRatesComeFromTheTimes(declared: Rational, rate: Rational) async throws {
    let path = try make(Self.cases[0])
    let container = try InputContainer(path: path)
    let scan = try PacketScan(container, interruption: Interruption())
    let track = try #require(scan.tracks[0])
    #expect(track.frameRate(timeBase: Rational(1, 1000), declared: declared) == rate)
  }
}
