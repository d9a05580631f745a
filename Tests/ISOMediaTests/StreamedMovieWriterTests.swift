import Foundation
import ISOMedia
import TestSupport
import Testing

/// Writes the packets of clips that ffmpeg made, in random batches, and compares the result with ffmpeg's file.
@Suite struct StreamedMovieWriterTests {
  struct Clip: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var arguments: [String]

    init(_ name: String, _ arguments: String) {
      testDescription = name
      self.arguments = arguments.split(separator: " ").map(String.init)
    }
  }

  private static let picture = "-f lavfi -i testsrc2=s=128x96:r=25:d=6"
  private static let sound = "-f lavfi -i sine=r=48000:d=5.7"

  static let clips = [
    Clip("B-frames and AAC priming", "\(picture) \(sound) -c:v libx264 -bf 3 -g 25 -c:a aac"),
    Clip("no B-frames, no sound", "\(picture) -c:v libx264 -bf 0 -g 10"),
    Clip(
      "HEVC with B-frames", "\(picture) \(sound) -c:v libx265 -x265-params log-level=none -tag:v hvc1 -g 50 -c:a aac"),
    Clip(
      "variable frame rate",
      "\(picture) \(sound) -vf select='not(mod(n\\,3))+gt(n\\,70)' -vsync vfr -c:v libx264 -g 20 -c:a aac"),
    Clip("late video", "\(sound) -itsoffset 1.5 \(picture) -map 1:v -map 0:a -c:v libx264 -g 25 -c:a aac"),
    Clip("late sound", "\(picture) -itsoffset 0.7 \(sound) -map 0:v -map 1:a -c:v libx264 -g 25 -c:a aac"),
    Clip(
      "with a date",
      "\(picture) -c:v libx264 -metadata creation_time=2024-05-06T07:08:09Z"),
    Clip("one frame", "-f lavfi -i testsrc2=s=64x64:r=25:d=0.04 -c:v libx264"),
  ]

  private static func make(_ clip: Clip) throws -> (path: String, template: [UInt8]) {
    let path = try ClipFactory.clip("clip.mp4", clip.arguments + ["-movflags", "+faststart", "-fflags", "+bitexact"])
    let template = try ScratchFolder().path("template.mp4")
    // ffmpeg doesn't copy the date.
    let date = clip.arguments.last { $0.hasPrefix("creation_time=") }.map { ["-metadata", $0] } ?? []
    _ = try Tool.run(
      "ffmpeg",
      ["-v", "error", "-nostdin", "-i", path, "-map", "0", "-c", "copy", "-movflags", "empty_moov+frag_custom"] + date
        + ["-fflags", "+bitexact", template])
    return (path, [UInt8](try Data(contentsOf: URL(filePath: template))))
  }

  /// The samples of all tracks, interleaved by decoding time.
  private static func samples(of path: String) throws -> [StreamedMovieWriter.Sample] {
    let bytes = try FileBytes(path: path)
    let file = try #require(try ISOFile.read(from: bytes))
    var samples: [(seconds: Double, sample: StreamedMovieWriter.Sample)] = []
    for (index, track) in file.tracks.enumerated() {
      let delay = track.edits.first { $0.mediaTime == nil }.map { edit in
        Int64(edit.segmentDuration) * Int64(track.timescale) / Int64(file.movieTimescale)
      }
      // An empty edit delays the presentation, and the next edit then starts at the first frame.
      let start = (track.edits.last?.mediaTime ?? 0) - (delay ?? 0)
      for sample in try #require(try file.samples(of: track, in: bytes)) {
        let decoding = sample.decodeTicks - start
        samples.append(
          (
            Double(decoding) / Double(track.timescale),
            .init(
              track: index, presentationTicks: decoding + Int64(sample.compositionOffset), decodingTicks: decoding,
              durationTicks: Int64(sample.durationTicks), isSync: sample.isSync,
              bytes: try bytes.bytes(in: sample.range, atMost: .max))
          ))
      }
    }
    return samples.sorted { $0.seconds < $1.seconds }.map(\.sample)
  }

  private static func write(_ clip: (path: String, template: [UInt8]), seed: UInt64) throws -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    var writer = try StreamedMovieWriter(template: clip.template)
    var samples = try Self.samples(of: clip.path)[...]
    var file = writer.start()
    while !samples.isEmpty {
      let count = Int.random(in: 1...80, using: &generator)
      file += try writer.write(Array(samples.prefix(count)))
      #expect(writer.byteCount == file.count)
      samples = samples.dropFirst(count)
    }
    return file + (try writer.finish())
  }

  private static func probe(_ path: String, _ entries: String) throws -> [String] {
    let output = try Tool.run(
      "ffprobe", ["-v", "error", "-show_data_hash", "md5", "-show_entries", entries, "-of", "compact", path])
    return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test(arguments: TestScope.some(3, of: clips)) func packetsAreThoseOfFFmpeg(clip: Clip) throws {
    let made = try Self.make(clip)
    let path = try ScratchFolder().path("streamed.mp4")
    try Data(try Self.write(made, seed: 3)).write(to: URL(filePath: path))
    // Positions differ because of the layout. Only ffmpeg's file marks frames that no other frame depends on.
    let packets = "packet=stream_index,pts,dts,duration,size,data_hash"
    #expect(try Self.probe(path, packets).sorted() == Self.probe(made.path, packets).sorted())
    let streams =
      "stream=index,codec_name,profile,codec_tag_string,width,height,has_b_frames,r_frame_rate,avg_frame_rate,"
      + "time_base,start_pts,duration_ts,nb_frames,extradata_hash,sample_rate,channels,initial_padding"
    #expect(try Self.probe(path, streams) == Self.probe(made.path, streams))
    #expect(
      try Self.probe(path, "format=start_time,duration:format_tags")
        == Self.probe(made.path, "format=start_time,duration:format_tags"))
    #expect(try Tool.errors("ffmpeg", ["-v", "warning", "-nostdin", "-i", path, "-f", "null", "-"]).isEmpty)
  }

  @Test(arguments: clips) func mediainfoReadsTheSameDurations(clip: Clip) throws {
    let made = try Self.make(clip)
    let path = try ScratchFolder().path("streamed.mp4")
    try Data(try Self.write(made, seed: 4)).write(to: URL(filePath: path))
    func report(_ path: String) throws -> [String] {
      try ["General", "Video", "Audio"].map { part in
        let form = "--Inform=\(part);%Duration% %FrameCount% %Delay% %Format% %FrameRate_Mode%"
        return String(decoding: try Tool.run("mediainfo", [form, path]), as: UTF8.self)
      }
    }
    #expect(try report(path) == report(made.path))
  }

  /// The bytes of earlier batches never change, and the sizes of all boxes fit.
  @Test(arguments: UInt64(1)...10) func everyPrefixIsFinal(seed: UInt64) throws {
    let made = try Self.make(Self.clips[0])
    let bytes = try Self.write(made, seed: seed)
    let file = try #require(try ISOFile.read(bytes))
    #expect(file.anomalies.isEmpty && file.tableProblems.isEmpty && file.isFastStart == false)
    #expect(file.topLevelBoxes.first?.type == "ftyp" && file.topLevelBoxes.last?.type == "moov")
    #expect(file.topLevelBoxes.dropFirst().dropLast().allSatisfy { $0.type == "mdat" })
    // Every byte of `mdat` belongs to a sample.
    let media = file.topLevelBoxes.filter { $0.type == "mdat" }.reduce(0) { $0 + $1.payload.count }
    let ranges = try #require(try file.sampleRanges(in: MemoryBytes(bytes)))
    #expect(ranges.reduce(0) { $0 + $1.count } == media, "seed \(seed)")
  }

  /// Chunk offsets beyond 4 GiB need `co64`.
  @Test(.enabled(if: TestScope.isFull, "slow: Scripts/test --all")) func farChunksHave64BitOffsets() throws {
    let made = try Self.make(Self.clips[1])
    var writer = try StreamedMovieWriter(template: made.template)
    _ = writer.start()
    let length = 1 << 20
    let bytes = [UInt8](repeating: 7, count: length)
    var ticks: Int64 = 0
    var start: Int64 = 0
    while start <= Int64(UInt32.max) {
      start = writer.byteCount
      let batch = (0..<64).map { _ in
        defer { ticks += 512 }
        return StreamedMovieWriter.Sample(
          track: 0, presentationTicks: ticks, decodingTicks: ticks, durationTicks: 512, isSync: true, bytes: bytes)
      }
      _ = try writer.write(batch)
    }
    let end = writer.byteCount
    let movie = try writer.finish()
    // The index alone is a readable movie.
    let file = try #require(try ISOFile.read(movie))
    let track = try #require(file.tracks.first)
    #expect(track.byteEnd == end)
    #expect(movie.contains("co64") && !movie.contains("stco"))
  }

  /// For example, the audio of a match ends before a part starts.
  @Test func trackWithoutSamplesIsOmitted() throws {
    let (path, template) = try Self.make(Self.clips[0])
    var writer = try StreamedMovieWriter(template: template)
    var bytes = writer.start()
    bytes += try writer.write(try Self.samples(of: path).filter { $0.track == 0 })
    bytes += try writer.finish()
    let file = try #require(try ISOFile.read(from: MemoryBytes(bytes)))
    #expect(file.tracks.count == 1)
  }

  @Test func unusableSamplesAreRejected() throws {
    let made = try Self.make(Self.clips[1])
    func sample(_ decoding: Int64, presentation: Int64? = nil, track: Int = 0) -> StreamedMovieWriter.Sample {
      .init(
        track: track, presentationTicks: presentation ?? decoding, decodingTicks: decoding, durationTicks: 1,
        isSync: true, bytes: [1])
    }
    for bad in [
      [sample(5), sample(5)], [sample(5), sample(4)], [sample(5, presentation: 4)], [sample(0, track: 1)],
      [sample(0, track: -1)], [sample(0), sample(1 << 33)], [sample(.min)],
    ] {
      var writer = try StreamedMovieWriter(template: made.template)
      #expect(throws: StreamedMovieWriter.Failure.self) { try writer.write(bad) }
    }
    #expect(throws: StreamedMovieWriter.Failure.unusableTemplate) { try StreamedMovieWriter(template: [1, 2, 3]) }
  }

  @Test func startCodesBecomeLengths() throws {
    #expect(
      AnnexB.lengthPrefixed([0, 0, 0, 1, 9, 8, 0, 0, 1, 7, 0, 0, 0, 1, 6, 0, 5])
        == [0, 0, 0, 2, 9, 8, 0, 0, 0, 1, 7, 0, 0, 0, 3, 6, 0, 5])
    #expect(AnnexB.lengthPrefixed([]).isEmpty)
    #expect(
      AnnexB.isByteStream([0, 0, 1, 9]) && AnnexB.isByteStream([0, 0, 0, 1]) && !AnnexB.isByteStream([1, 0, 0]))
  }

  /// libav converts the same stream to the same samples.
  @Test func byteStreamBecomesTheSamplesOfFFmpeg() throws {
    let clip = try ClipFactory.clip("one.mp4", Self.clips[7].arguments)
    let stream = try ScratchFolder().path("one.h264")
    _ = try Tool.run(
      "ffmpeg", ["-v", "error", "-nostdin", "-i", clip, "-c", "copy", "-bsf:v", "h264_mp4toannexb", stream])
    let bytes = AnnexB.lengthPrefixed([UInt8](try Data(contentsOf: URL(filePath: stream))))
    let sample = try #require(try Self.samples(of: clip).first)
    // The byte stream also contains the parameter sets, whose types are 7 and 8.
    let units = Self.units(bytes).filter { ![7, 8].contains(($0.first ?? 0) & 0x1F) }
    #expect(units == Self.units(sample.bytes))
  }

  /// Splits a sample at its length prefixes.
  private static func units(_ bytes: [UInt8]) -> [[UInt8]] {
    var units: [[UInt8]] = []
    var rest = bytes[...]
    while rest.count > 4 {
      let count = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      units.append(Array(rest.dropFirst(4).prefix(count)))
      rest = rest.dropFirst(4 + count)
    }
    return units
  }
}

extension [UInt8] {
  fileprivate func contains(_ text: String) -> Bool { firstRange(of: Array(text.utf8)) != nil }
}
