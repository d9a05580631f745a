import ClipModel
import Foundation
import TestSupport
import Testing

@testable import ClipMedia

/// Sources with unusual timing or geometry, as real devices and editors write them.
@Suite struct HardSourceTests {
  private func frameTimes(_ path: String) throws -> [Double] {
    try Tool.ffprobe(path, stream: "v:0", entries: "frame=pts_time").compactMap { Double($0[0]) }
  }

  private static let base = [
    "-f", "lavfi", "-i", "testsrc2=s=640x480:r=30:d=6", "-f", "lavfi", "-i", "sine=d=6", "-c:v", "libx264", "-g", "60",
    "-bf", "2", "-c:a", "aac", "-shortest",
  ]

  /// An export that was trimmed without re-encoding: the edit list hides the frames from the key frame to the trim.
  @Test func framesHiddenAtTheStartStayHidden() async throws {
    let whole = try ClipFactory.clip("whole.mp4", Self.base)
    let trimmed = try ClipFactory.clip("trimmed.mp4", ["-ss", "1.5", "-i", whole, "-c", "copy"])
    let maker = try ProcessedClipMaker()
    let (probe, plan) = try await maker.plan(trimmed)
    #expect((probe.mainVideo?.hiddenSeconds ?? 0) > 1)
    guard case .transcode = plan.video else {
      Issue.record("hidden frames would be copied")
      return
    }
    let clip = try await maker.process(trimmed, probe: probe, plan: plan)
    #expect(try frameTimes(clip.path).count == frameTimes(trimmed).count)
    #expect(abs((clip.probe.mainVideo?.durationSeconds ?? 0) - 4.5) < 0.1)
  }

  /// A phone's trim makes the edit shorter than the media.
  @Test func framesHiddenAtTheEndStayHidden() async throws {
    // FFmpeg 8 changed the default timescale.
    let whole = try ClipFactory.clip("whole.mp4", Self.base + ["-movie_timescale", "1000"])
    let folder = try ScratchFolder()
    let path = folder.path("tail.mp4")
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: whole)))
    // The first elst belongs to the video: version 0, one entry, its duration in milliseconds of the movie.
    let elst = try #require(bytes.indices.first { Array(bytes[$0..<min($0 + 4, bytes.count)]) == Array("elst".utf8) })
    #expect(bytes[elst + 11] == 1)
    bytes.replaceSubrange(elst + 12..<elst + 16, with: [0, 0, 0x0F, 0xA0])
    try Data(bytes).write(to: URL(filePath: path))
    let clip = try await ProcessedClipMaker().process(path)
    #expect(abs((clip.probe.mainVideo?.durationSeconds ?? 0) - 4) < 0.05)
    #expect(try frameTimes(clip.path).count == 120)
  }

  /// A transport stream has no index, but a cut must not start after its key frame.
  @Test(arguments: [1.7, 3.1])
  func cutsOfTransportStreamsAreComplete(start: Double) async throws {
    let source = try ClipFactory.clip("stream.ts", Self.base)
    let clip = try await ProcessedClipMaker().process(source, cut: start..<(start + 2))
    let times = try frameTimes(clip.path)
    #expect((59...61).contains(times.count), "\(times.count)")
    #expect((times.first ?? 1) < 0.05)
  }

  /// Two seconds of audio are missing, and the audio after them stays in sync.
  @Test func audioGapsKeepTheirLength() async throws {
    let source = try ClipFactory.clip(
      "gap.mkv",
      [
        "-f", "lavfi", "-i", "testsrc2=s=320x240:r=30:d=8", "-f", "lavfi", "-i", "sine=d=8", "-af",
        "aselect='not(between(t,2,4))'", "-c:v", "mpeg4", "-c:a", "pcm_s16le", "-fps_mode", "passthrough",
      ])
    let clip = try await ProcessedClipMaker().process(source)
    let seconds = try #require(clip.probe.mainAudio?.durationSeconds)
    #expect(abs(seconds - 8) < 0.1, "\(seconds)")
  }

  /// AVI has no presentation times, so the decoder's order counts.
  @Test func bFramesInAVIKeepTheirOrder() async throws {
    let source = try ClipFactory.clip(
      "order.avi", ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=4", "-c:v", "libx264", "-bf", "3"])
    let clip = try await ProcessedClipMaker().process(source)
    let times = try frameTimes(clip.path)
    #expect(times.count == 100)
    for (earlier, later) in zip(times, times.dropFirst()) { #expect(abs(later - earlier - 0.04) < 0.002) }
  }

  /// One frame lasts until the end of the cut, and one starts before it.
  @Test func longFramesKeepTheirDuration() async throws {
    let source = try ClipFactory.clip(
      "still.mp4",
      [
        "-f", "lavfi", "-i", "testsrc2=s=320x240:r=30:d=9", "-vf", "select='lt(t,1)+between(t,3,5)+gte(t,8)'",
        "-fps_mode",
        "vfr", "-c:v", "libx264", "-g", "15",
      ])
    let clip = try await ProcessedClipMaker().process(source, cut: 2.0..<7.0)
    let times = try frameTimes(clip.path)
    #expect((times.first ?? 1) < 0.001)
    #expect(abs((clip.probe.mainVideo?.durationSeconds ?? 0) - 5) < 0.05)
  }

  /// Frames that become smaller in the middle of a stream must not be read past their end.
  @Test func framesOfChangingSizeAreScaled() async throws {
    let folder = try ScratchFolder()
    for (index, size) in ["640x480", "640x480", "320x240", "320x240"].enumerated() {
      _ = try Tool.run(
        "ffmpeg",
        [
          "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=\(size)", "-frames:v", "1", "-pix_fmt", "rgb24",
          folder.path("\(index).png"),
        ])
    }
    _ = try Tool.run(
      "ffmpeg", ["-v", "error", "-framerate", "2", "-i", folder.path("%d.png"), "-c", "copy", folder.path("sizes.mov")])
    let clip = try await ProcessedClipMaker().process(folder.path("sizes.mov"))
    #expect(try frameTimes(clip.path).count == 4)
  }

  /// Reserved codes are treated as unspecified.
  @Test func reservedColorCodesAreAccepted() async throws {
    let source = try ClipFactory.clip(
      "reserved.mp4",
      [
        "-f", "lavfi", "-i", "testsrc2=s=320x240:r=30:d=1", "-c:v", "libx264", "-bsf:v",
        "h264_metadata=colour_primaries=3:transfer_characteristics=3:matrix_coefficients=3",
      ])
    let clip = try await ProcessedClipMaker().process(source)
    #expect(clip.posterPath != nil)
  }

  /// Codecs other than H.264 allow sides that aren't a whole number of chroma samples.
  @Test(arguments: ["yuv420p", "yuv410p", "yuv422p", "yuvj420p"])
  func oddSidesAreAccepted(format: String) async throws {
    let path = try ClipFactory.clip(
      "odd.mkv", ["-f", "lavfi", "-i", "testsrc2=s=333x215:r=30:d=1", "-pix_fmt", format, "-c:v", "ffv1"])
    let clip = try await ProcessedClipMaker().process(path)
    #expect(clip.probe.mainVideo?.storedSize == PictureSize(width: 332, height: 214))
    let (old, new) = (try Tool.pixels(path), try Tool.pixels(clip.path))
    for point in [(0.2, 0.3), (0.8, 0.7)] {
      let pair = zip(old.color(point.0, point.1), new.color(point.0, point.1))
      #expect(pair.allSatisfy { abs($0 - $1) < 40 }, "\(format) at \(point)")
    }
  }

  /// Cuts after the end of the audio, before the start of a frame, and inside a single frame.
  @Test func cutsWithoutAudioOrNewFramesAreWritten() async throws {
    let path = try ClipFactory.clip(
      "beside.mp4",
      [
        "-f", "lavfi", "-i", "testsrc2=s=320x240:r=30:d=6", "-f", "lavfi", "-i", "sine=d=3", "-vf",
        "select='lt(t,2)+gt(t,5)'", "-fps_mode", "vfr", "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
        "log-level=error", "-c:a", "aac",
      ])
    let silent = try await ProcessedClipMaker().process(path, cut: 4.5..<6)
    #expect(silent.probe.audioTracks.isEmpty && silent.notes.contains(.audioMissing))
    let still = try await ProcessedClipMaker().process(path, cut: 2.5..<4.5)
    #expect(try frameTimes(still.path).count == 1)
    #expect(abs((still.probe.mainVideo?.durationSeconds ?? 0) - 2) < 0.05)
  }

  /// Matroska's duration counts from the zero of its clock.
  @Test func matroskaClocksMayStartLate() async throws {
    let path = try ClipFactory.clip(
      "late-clock.mkv",
      ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=30:d=4", "-c:v", "mpeg4", "-output_ts_offset", "5"])
    let (probe, _) = try await ProcessedClipMaker().plan(path)
    #expect(abs((probe.mainVideo?.durationSeconds ?? 0) - 4) < 0.1)
    let clip = try await ProcessedClipMaker().process(path)
    #expect(abs((clip.probe.mainVideo?.durationSeconds ?? 0) - 4) < 0.1)
  }

  /// Broadcasts may change from one channel to two in the middle.
  @Test func audioFormatsMayChange() async throws {
    let folder = try ScratchFolder()
    var audio = Data()
    for channels in ["1", "2"] {
      audio += try Tool.run(
        "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "sine=d=2", "-ac", channels, "-c:a", "ac3", "-f", "ac3", "-"])
    }
    try audio.write(to: URL(filePath: folder.path("audio.ac3")))
    let path = try ClipFactory.clip(
      "channels.mkv",
      [
        "-f", "lavfi", "-i", "testsrc2=s=320x240:r=30:d=4", "-i", folder.path("audio.ac3"), "-c:v", "mpeg4", "-c:a",
        "copy",
      ])
    let clip = try await ProcessedClipMaker().process(path)
    #expect(abs((clip.probe.mainAudio?.durationSeconds ?? 0) - 4) < 0.15)
  }
}
