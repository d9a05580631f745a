import ClipModel
import Foundation
import TestSupport
import Testing

@testable import ClipMedia

/// Timestamps of the output against the source's, as ffprobe reads both.
@Suite struct TimingTests {
  private func frameTimes(_ path: String) throws -> [Double] {
    try Tool.ffprobe(path, stream: "v:0", entries: "frame=pts_time").compactMap { Double($0[0]) }
  }

  /// 29.97, 59.94 and 25 frames a second, B-frames or not, and a variable rate.
  @Test(arguments: [
    ["-f", "lavfi", "-i", "testsrc2=s=640x480:r=30000/1001:d=4", "-c:v", "mpeg4", "-q:v", "4"],
    ["-f", "lavfi", "-i", "testsrc2=s=640x480:r=60000/1001:d=3", "-c:v", "libx265", "-preset", "ultrafast"],
    [
      "-f", "lavfi", "-i", "testsrc2=s=640x480:r=30:d=4", "-vf", "select='not(eq(mod(n,5),3))'", "-vsync", "vfr",
      "-c:v", "mpeg4", "-q:v", "4", "-video_track_timescale", "600",
    ],
  ])
  func transcodedFramesKeepTheirTimes(recipe: [String]) async throws {
    let source = try ClipFactory.clip("timing.mp4", recipe)
    let clip = try await ProcessedClipMaker().process(source)
    let before = try frameTimes(source)
    let after = try frameTimes(clip.path)
    #expect(before.count == after.count)
    for (old, new) in zip(before, after) { #expect(abs(old - new) < 0.001) }
  }

  @Test func copiedPacketsAreIdentical() async throws {
    let source = try ClipFactory.clip(
      "copy.mp4",
      [
        "-f", "lavfi", "-i", "testsrc2=s=640x480:r=30:d=4", "-f", "lavfi", "-i", "sine=d=4", "-c:v", "libx264", "-bf",
        "2", "-c:a", "aac", "-shortest",
      ])
    let maker = try ProcessedClipMaker()
    let (_, plan) = try await maker.plan(source)
    #expect(plan.video == .copy(trackIndex: 0))
    let clip = try await maker.process(source)
    for stream in ["v:0", "a:0"] {
      let digests = try [source, clip.path].map { path in
        String(
          decoding: try Tool.run(
            "ffmpeg", ["-v", "error", "-i", path, "-map", "0:\(stream)", "-c", "copy", "-f", "streamhash", "-"]),
          as: UTF8.self
        )
      }
      #expect(digests[0] == digests[1])
      #expect(try frameOrPacketTimes(source, stream) == frameOrPacketTimes(clip.path, stream))
    }
  }

  private func frameOrPacketTimes(_ path: String, _ stream: String) throws -> [String] {
    try Tool.ffprobe(path, stream: stream, entries: "packet=pts_time").map { $0[0] }
  }

  /// A cut begins with the frame at its start and ends before its end, whatever the key frames.
  @Test(arguments: [(1.0, 2.5), (0.0, 3.0), (2.2, 5.9)])
  func aCutHitsItsFrames(start: Double, end: Double) async throws {
    let source = try ClipFactory.clip(
      "cut.mp4",
      [
        "-f", "lavfi", "-i", "testsrc2=s=640x480:r=30:d=6", "-f", "lavfi", "-i", "sine=d=6", "-c:v", "libx264", "-g",
        "90", "-c:a", "aac", "-shortest",
      ])
    let clip = try await ProcessedClipMaker().process(source, cut: start..<end)
    let wanted = try frameTimes(source).filter { $0 >= start - 0.0005 && $0 < end - 0.0005 }
    let times = try frameTimes(clip.path)
    #expect(times.count == wanted.count)
    #expect(abs((times.first ?? -1) - ((wanted.first ?? -2) - start)) < 0.001)
    // Sound begins with the picture, within one AAC packet.
    let audio = try #require(clip.probe.audioTracks.first)
    #expect(abs((audio.durationSeconds ?? 0) - (end - start)) < 0.05)
  }

  /// A leading empty edit, a late start of the sound: the distance of sound and picture stays.
  @Test func soundAndPictureStayInStep() async throws {
    let source = try ClipFactory.clip(
      "late.mkv",
      [
        "-f", "lavfi", "-i", "testsrc2=s=640x480:r=30:d=4", "-itsoffset", "0.5", "-f", "lavfi", "-i", "sine=d=3",
        "-c:v", "mpeg4", "-c:a", "pcm_s16le",
      ])
    let clip = try await ProcessedClipMaker().process(source)
    let video = try #require(Tool.ffprobe(clip.path, stream: "v:0", entries: "packet=pts_time").first?[0])
    let audio = try #require(Tool.ffprobe(clip.path, stream: "a:0", entries: "frame=pts_time").first?[0])
    let distance = try #require(Double(audio)) - (try #require(Double(video)))
    #expect(abs(distance - 0.5) < 0.03)
  }
}
