import ClipModel
import Foundation
import LibAV
import TestSupport
import Testing

@testable import ClipMedia

/// Compares the timestamps of the output with those of the source, as ffprobe reads both.
@Suite struct TimingTests {
  private func frameTimes(_ path: String) throws -> [Double] {
    try Tool.ffprobe(path, stream: "v:0", entries: "frame=pts_time").compactMap { Double($0[0]) }
  }

  /// 29.97 and 59.94 frames per second, with and without B-frames, and a variable rate.
  @Test(arguments: [
    ["-f", "lavfi", "-i", "testsrc2=s=640x480:r=30000/1001:d=4", "-c:v", "mpeg4", "-q:v", "4"],
    ["-f", "lavfi", "-i", "testsrc2=s=640x480:r=60000/1001:d=3", "-c:v", "libx265", "-preset", "ultrafast"],
    [
      "-f", "lavfi", "-i", "testsrc2=s=640x480:r=30:d=4", "-vf", "select='not(eq(mod(n,5),3))'", "-fps_mode", "vfr",
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

  /// Some phones write a time out of order. That frame is dropped, and all other times stay exact.
  @Test func onlyTheFrameOutOfOrderIsDropped() async throws {
    let whole = try ClipFactory.clip(
      "ordered.mp4",
      [
        "-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=2", "-c:v", "libx265", "-x265-params",
        "bframes=3:log-level=none", "-tag:v", "hvc1",
      ])
    let folder = try ScratchFolder()
    let input = try InputContainer(path: whole)
    let stream = try #require(input.streams.first)
    let frame = Int64((1 / 25 / stream.timeBase.value).rounded())
    let output = try OutputContainer(mp4At: folder.path("late.mp4"))
    let track = try output.addTrack(copying: stream)
    try output.writeHeader()
    let packet = try Packet()
    while try input.read(into: packet) {
      // After the frame that should follow it.
      if packet.presentationTicks == frame * 11 { packet.presentationTicks = frame * 12 + frame / 4 }
      try output.write(packet, track: track, timeBase: stream.timeBase)
    }
    try output.finish()
    let clip = try await ProcessedClipMaker().process(folder.path("late.mp4"))
    let times = try frameTimes(clip.path)
    var expected = (0..<50).filter { $0 != 11 && $0 != 12 }.map { Double($0) / 25 }
    expected.insert(12.25 / 25, at: 11)
    #expect(times.count == 49)
    for (time, other) in zip(times.sorted(), expected) { #expect(abs(time - other) < 0.001) }
    #expect(clip.notes.contains(.framesDropped(count: 1)), "\(clip.notes)")
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
      #expect(try packetDigest(source, stream) == packetDigest(clip.path, stream))
      #expect(try packetTimes(source, stream) == packetTimes(clip.path, stream))
    }
  }

  /// MP4 and its readers require increasing times. A packet that repeats a time is kept, one tick later.
  @Test func copiedAudioThatRepeatsATimeIsKept() async throws {
    let source = try ClipFactory.clip(
      "repeated.mp4",
      [
        "-f", "lavfi", "-i", "testsrc2=s=640x480:r=30:d=4", "-f", "lavfi", "-i", "sine=r=48000:d=4", "-c:v", "libx264",
        "-c:a", "aac", "-bsf:a", "setts=ts='if(eq(mod(N\\,10)\\,9)\\,TS-DURATION+1\\,TS)'", "-shortest",
      ])
    // ffmpeg doesn't write repeated times, so each duration of one tick becomes 0.
    var bytes = try Data(contentsOf: URL(filePath: source))
    let (oneTick, none) = (Data([0, 0, 0, 1, 0, 0, 0, 1]), Data([0, 0, 0, 1, 0, 0, 0, 0]))
    let tables = bytes.ranges(of: Data("stts".utf8))
    for table in tables {
      let entries = table.upperBound + 8
      let count = bytes[table.upperBound + 4..<entries].reduce(0) { $0 << 8 | Int($1) }
      for entry in stride(from: entries, to: entries + 8 * count, by: 8) where bytes[entry..<entry + 8] == oneTick {
        bytes.replaceSubrange(entry..<entry + 8, with: none)
      }
    }
    let maker = try ProcessedClipMaker()
    let repeated = maker.folder.path("repeated.mp4")
    try bytes.write(to: URL(filePath: repeated))
    let times = try packetTimes(repeated, "a:0").compactMap { Double($0) }
    let repeatCount = zip(times, times.dropFirst()).count { $0 == $1 }
    try #require(repeatCount > 10)
    let clip = try await maker.process(repeated)
    #expect(try packetDigest(repeated, "a:0") == packetDigest(clip.path, "a:0"))
    let copied = try packetTimes(clip.path, "a:0").compactMap { Double($0) }
    #expect(zip(copied, copied.dropFirst()).allSatisfy { $0 < $1 })
    let delays = zip(times, copied).map { $1 - $0 }
    #expect(delays.count { abs($0) < 2e-6 } == times.count - repeatCount, "\(delays)")
    #expect(delays.count { abs($0 - 1 / 48_000) < 2e-6 } == repeatCount, "\(delays)")
  }

  /// A digest of the packets' bytes.
  private func packetDigest(_ path: String, _ stream: String) throws -> String {
    String(
      decoding: try Tool.run(
        "ffmpeg", ["-v", "error", "-i", path, "-map", "0:\(stream)", "-c", "copy", "-f", "streamhash", "-"]),
      as: UTF8.self)
  }

  private func packetTimes(_ path: String, _ stream: String) throws -> [String] {
    try Tool.ffprobe(path, stream: stream, entries: "packet=pts_time").map { $0[0] }
  }

  /// A cut starts with the frame at its start and ends before its end, independent of key frames.
  @Test(arguments: [(1.0, 2.5), (0.0, 3.0), (2.2, 5.9)])
  func cutsHaveTheRightFrames(start: Double, end: Double) async throws {
    let source = try ClipFactory.clip(
      "cut.mp4",
      [
        "-f", "lavfi", "-i", "testsrc2=s=640x480:r=30:d=6", "-f", "lavfi", "-i", "sine=d=6", "-c:v", "libx264", "-g",
        "90", "-c:a", "aac", "-shortest",
      ])
    let clip = try await ProcessedClipMaker().process(source, cut: start..<end)
    let expected = try frameTimes(source).filter { $0 >= start - 0.0005 && $0 < end - 0.0005 }
    let times = try frameTimes(clip.path)
    // A copied cut includes the frames that its last frames need, and all frames between.
    let isCopy = start == 0
    #expect((expected.count...expected.count + (isCopy ? 5 : 0)).contains(times.count), "\(times.count)")
    for (time, next) in zip(times, times.dropFirst()) { #expect(abs(next - time - 1 / 30) < 0.001) }
    #expect(clip.notes.map(\.id).contains("cut.overrun") == (times.count > expected.count))
    #expect(abs((times.first ?? -1) - ((expected.first ?? -2) - start)) < 0.001)
    // The audio starts with the video, within one AAC packet.
    let audio = try #require(clip.probe.audioTracks.first)
    #expect(abs((audio.durationSeconds ?? 0) - (end - start)) < 0.05)
  }

  /// Audio that starts late keeps its distance from the video.
  @Test func audioAndVideoStayInSync() async throws {
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

  // MARK: Flashes and beeps

  /// A flash and a beep start together every two seconds. The audio is copied, or both are encoded.
  @Test(arguments: TestScope.some(1, of: [["-c:a", "aac"], ["-c:a", "pcm_s16le", "-f", "mov"]]))
  func flashesAndBeepsStayInSyncForAMinute(audio: [String]) async throws {
    let source = try ClipFactory.clip(
      "beeps.mp4",
      [
        "-f", "lavfi", "-i",
        "color=black:s=320x180:r=60000/1001:d=60,drawbox=color=white:t=fill:enable='lt(mod(t,2),0.1)'", "-f", "lavfi",
        "-i", "aevalsrc='if(lt(mod(t,2),0.1),0.8*sin(2*PI*1000*t),0)':s=48000:d=60", "-c:v", "mpeg4",
      ] + audio)
    let clip = try await ProcessedClipMaker().process(source)
    let (before, after) = (try distances(source), try distances(clip.path))
    #expect(before.count == 30 && after.count == 30)
    let drifts = zip(before, after).map { abs($0 - $1) }
    #expect((drifts.max() ?? 1) <= 0.005, "\(drifts)")
  }

  /// The seconds from each flash to its beep.
  private func distances(_ path: String) throws -> [Double] {
    let lines = String(
      decoding: try Tool.run(
        "ffprobe",
        [
          "-v", "error", "-f", "lavfi", "-i", "movie=\(path),signalstats", "-show_entries",
          "frame=pts_time:frame_tags=lavfi.signalstats.YAVG", "-of", "csv=p=0",
        ]), as: UTF8.self)
    let brightness = lines.split(separator: "\n").compactMap { line -> (Double, Double)? in
      let fields = line.split(separator: ",").compactMap { Double($0) }
      return fields.count == 2 ? (fields[0], fields[1]) : nil
    }
    var flashes: [Double] = []
    for (index, frame) in brightness.enumerated() where frame.1 > 128 && (index == 0 || brightness[index - 1].1 < 128) {
      flashes.append(frame.0)
    }
    let samples = try Tool.run(
      "ffmpeg",
      [
        "-v", "error", "-i", path, "-map", "0:a", "-af", "aresample=async=1:first_pts=0", "-ac", "1", "-ar", "48000",
        "-f", "s16le", "-",
      ])
    var beeps: [Double] = []
    var silence = Int.max / 2
    for index in 0..<samples.count / 2 {
      let value = Int(
        Int16(littleEndian: Int16(samples[2 * index]) | Int16(bitPattern: UInt16(samples[2 * index + 1]) << 8)))
      if abs(value) > 8000 {
        if silence > 4800 { beeps.append(Double(index) / 48_000) }
        silence = 0
      } else {
        silence += 1
      }
    }
    #expect(flashes.count == beeps.count)
    return zip(flashes, beeps).map { $1 - $0 }
  }
}
