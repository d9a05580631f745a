import ClipModel
import DurableFiles
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ClipMedia
@testable import LibAV

/// Interrupted encodes continue, and their output matches that of an uninterrupted encode.
@Suite struct EncodingCheckpointTests {
  struct Source: CustomTestStringConvertible, Sendable {
    var name: String
    var file: String
    /// GOPs are stored from 20 s on, and last for at most 10 s.
    var seconds = 24
    var filter = ""
    var arguments: [String]
    var keepsHDR = false
    var maximumByteCount: Int64?
    var cut: Range<Double>?
    var testDescription: String { name }
  }

  // All of these are encoded, because their codec, format or length differs from the output's.
  private static let sources = [
    Source(name: "B-frames", file: "b.mp4", arguments: ["-c:v", "libx264", "-bf", "3", "-pix_fmt", "yuv422p"]),
    Source(
      name: "HEVC with open GOPs", file: "h.mp4",
      arguments: ["-c:v", "libx265", "-x265-params", "log-level=error:keyint=50:crf=8", "-pix_fmt", "yuv420p"]),
    Source(
      name: "variable frame rate", file: "v.mp4", seconds: 44, filter: ",select='not(mod(n,3))+lt(mod(n,50),17)'",
      arguments: ["-fps_mode", "vfr", "-c:v", "libx264", "-pix_fmt", "yuv422p"]),
    Source(
      name: "HDR", file: "d.mp4", filter: ",format=yuv420p10le",
      arguments: [
        "-c:v", "libx265", "-tag:v", "hvc1", "-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace",
        "bt2020nc", "-x265-params",
        "log-level=error:crf=8:hdr10=1:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc",
      ], keepsHDR: true),
    Source(
      name: "interlaced", file: "i.mp4", seconds: 44, filter: ",setfield=tff,interlace=scan=tff",
      arguments: ["-c:v", "libx264", "-flags", "+ildct+ilme", "-crf", "12"]),
    Source(name: "transport stream", file: "t.ts", arguments: ["-c:v", "mpeg2video", "-q:v", "3"]),
    Source(name: "Matroska", file: "m.mkv", arguments: ["-c:v", "mpeg4", "-q:v", "3"]),
    Source(
      name: "size limit", file: "s.mp4", arguments: ["-c:v", "libx264", "-pix_fmt", "yuv422p"],
      maximumByteCount: 440_000),
    Source(
      name: "cut", file: "c.mp4", arguments: ["-c:v", "libx264", "-bf", "3", "-pix_fmt", "yuv422p"], cut: 1.32..<23.5),
  ]

  private static func make(_ source: Source) throws -> String {
    try ClipFactory.clip(
      source.file,
      [
        "-f", "lavfi", "-i", "testsrc2=s=192x144:r=25:d=\(source.seconds)\(source.filter)", "-f", "lavfi", "-i",
        "sine=f=440:b=2:r=48000:d=\(source.seconds)", "-g", "50", "-c:a", "aac",
      ] + source.arguments)
  }

  private struct Maker {
    let clips: ProcessedClipMaker
    let clip: OpenedClip
    var plan: ProcessingPlan

    init(_ source: Source) async throws {
      let path = try make(source)
      var clips = try ProcessedClipMaker()
      clips.settings.keepsHDR = source.keepsHDR
      clips.settings.maximumByteCount = source.maximumByteCount
      self.clips = clips
      clip = try await OpenedClip(path: path)
      plan = try await clips.plan(path, cut: source.cut).1
      #expect(plan.video.encoding != nil)
    }

    mutating func changeEncoding(_ change: (inout VideoEncoding) -> Void) throws {
      guard case .transcode(let index, let steps, var encoding) = plan.video else {
        throw ClipFactory.Failure(description: "\(plan.video)")
      }
      change(&encoding)
      plan.video = .transcode(trackIndex: index, steps: steps, encoding: encoding)
    }

    func path(_ name: String) -> String { clips.folder.path(name) }

    func encode(to name: String) async throws -> ProcessedClip {
      var options = ClipProcessor.Options()
      options.policy = .replace
      return try await ClipProcessor.process(clip, plan: plan, to: path(name), options: options)
    }

    /// The valid records of an output's checkpoint.
    func readRecords(of name: String) throws -> [[UInt8]] {
      var records: [[UInt8]] = []
      try #require(try RecordLog(path: EncodingCheckpoint.path(for: path(name)))).read {
        records.append($0)
        return true
      }
      return records
    }

    func writeRecords(_ records: [[UInt8]], of name: String) throws {
      let log = try #require(try RecordLog(path: EncodingCheckpoint.path(for: path(name))))
      for record in records { try log.append(record) }
    }

    /// Interrupts an encode when it reaches a fraction.
    /// - Parameter starts: the number of times that the progress must start at 0 before.
    func interrupt(at fraction: Double, name: String, starts: Int = 1) async throws {
      let state = Mutex((count: 0, last: 2.0))
      let encode = Mutex<Task<Void, any Error>?>(nil)
      let task = Task {
        _ = try await ClipProcessor.process(clip, plan: plan, to: path(name), options: ClipProcessor.Options()) {
          progress in
          let isReached = state.withLock { state in
            if progress < state.last - 0.5 { state.count += 1 }
            state.last = progress
            return state.count >= starts && progress >= fraction
          }
          // On the encode's thread, so that the encode cannot end first.
          if isReached { encode.withLock { $0 }?.cancel() }
        }
      }
      encode.withLock { $0 = task }
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(!FileManager.default.fileExists(atPath: path(name)))
    }
  }

  /// The times and sizes of the packets of an output.
  private struct Timing: Equatable {
    var presentation: [Double]
    var decoding: [Double]

    init(_ path: String, stream: String) throws {
      let rows = try Tool.ffprobe(path, stream: stream, entries: "packet=pts_time,dts_time")
      presentation = rows.compactMap { Double($0[0]) }.sorted()
      decoding = rows.compactMap { Double($0[1]) }
    }
  }

  /// The PSNR of each frame against the source, in dB.
  private static func quality(_ path: String, like other: String) throws -> [Double] {
    let folder = try ScratchFolder()
    let log = folder.path("psnr.txt")
    _ = try Tool.run(
      "ffmpeg",
      ["-v", "error", "-i", path, "-i", other, "-lavfi", "[0:v][1:v]psnr=stats_file=\(log)", "-f", "null", "-"])
    return try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").compactMap { line in
      line.split(separator: " ").first { $0.hasPrefix("psnr_avg:") }.map { Double($0.dropFirst(9)) ?? .infinity }
    }
  }

  @Test(arguments: TestScope.some(2, of: sources))
  func interruptedEncodeContinues(source: Source) async throws {
    let seed = UInt64.random(in: 0...9_999)
    var generator = SeededGenerator(seed: seed)
    let maker = try await Maker(source)
    _ = try await maker.encode(to: "whole.mp4")
    let fraction = Double.random(in: 0.75...0.97, using: &generator)
    try await maker.interrupt(at: fraction, name: "clip.mp4", starts: source.maximumByteCount == nil ? 1 : 2)
    let clip = try await maker.encode(to: "clip.mp4")
    let (whole, continued) = (maker.path("whole.mp4"), maker.path("clip.mp4"))
    #expect(clip.isContinued, "seed \(seed): \(clip.notes)")
    #expect(!FileManager.default.fileExists(atPath: EncodingCheckpoint.path(for: continued)))
    for stream in ["v:0", "a:0"] {
      #expect(try Timing(continued, stream: stream) == Timing(whole, stream: stream), "seed \(seed), \(stream)")
    }
    #expect(try Tool.errors("ffmpeg", ["-v", "warning", "-i", continued, "-f", "null", "-"]) == "")
    // Deinterlacing and cutting change the number of frames.
    guard source.cut == nil, source.name != "interlaced" else { return }
    let (expected, actual) = try (
      Self.quality(whole, like: maker.clip.path), Self.quality(continued, like: maker.clip.path)
    )
    // Half a second anywhere, because single frames differ in their frame types. With a size limit, the rate control has
    // lost its history after the seam: the largest loss of all seeds so far was 0.59 dB.
    let limit = source.maximumByteCount == nil ? 0.5 : 0.8
    try #require(actual.count == expected.count)
    for start in 0..<expected.count - 12 {
      let range = start..<start + 12
      let loss = (expected[range].reduce(0, +) - actual[range].reduce(0, +)) / 12
      #expect(loss < limit, "seed \(seed), frame \(start): \(loss) dB")
    }
  }

  /// The rates of an output, and the state of the decoder's buffer that the encoder's limits describe.
  private struct Rates {
    var average = 0.0
    /// The bits of a GOP above the limit for its duration, of the GOP with the most of them. The buffer allows its size.
    var excessOfGOP = -Double.infinity
    /// The lowest content of the buffer after a frame was removed, in bits. A negative value is an underflow.
    var lowestBufferedBits = Double.infinity

    init(_ path: String, _ encoding: VideoEncoding, durationSeconds: Double) throws {
      let rows = try Tool.ffprobe(path, stream: "v:0", entries: "packet=pts_time,dts_time,size,flags")
      let limits = RateLimits(encoding, durationSeconds: durationSeconds)
      let bufferBits = Double(limits.bufferBits)
      var (buffered, last, gopBits, gopStart) = (limits.initialFill * bufferBits, Double?.none, 0.0, 0.0)
      for row in rows {
        guard let presented = Double(row[0]), let decoded = Double(row[1]), let bits = Double(row[2]).map({ $0 * 8 })
        else {
          throw ClipFactory.Failure(description: "\(row)")
        }
        average += bits / durationSeconds
        if row[3].hasPrefix("K"), presented > gopStart {
          excessOfGOP = max(excessOfGOP, gopBits - (presented - gopStart) * Double(limits.bitsPerSecond))
          (gopBits, gopStart) = (0, presented)
        }
        gopBits += bits
        buffered += (decoded - (last ?? decoded)) * Double(limits.bitsPerSecond)
        buffered = min(buffered, bufferBits) - bits
        last = decoded
        lowestBufferedBits = min(lowestBufferedBits, buffered)
      }
      excessOfGOP = max(excessOfGOP, gopBits - (durationSeconds - gopStart) * Double(encoding.maximumBitsPerSecond))
    }
  }

  /// The limits of a source that needs a higher rate hold on the output of an encode that continues.
  @Test(arguments: TestScope.some(1, of: [VideoEncoding.Codec.h264, .hevc]))
  func rateLimitsHoldAcrossSeam(codec: VideoEncoding.Codec) async throws {
    let seed = UInt64.random(in: 0...9_999)
    var generator = SeededGenerator(seed: seed)
    let source = Source(
      name: "noise", file: "noise.mp4", seconds: 44, filter: ",noise=alls=40:allf=t:all_seed=7",
      arguments: ["-c:v", "libx264", "-preset", "ultrafast", "-crf", "18", "-pix_fmt", "yuv422p"])
    var maker = try await Maker(source)
    try maker.changeEncoding { encoding in
      (encoding.codec, encoding.constantRateFactor, encoding.sizeCap) = (codec, 12, nil)
      (encoding.maximumBitsPerSecond, encoding.bufferBits) = (500_000, 1_000_000)
    }
    let encoding = try #require(maker.plan.video.encoding)
    let whole = try Rates(try await maker.encode(to: "whole.mp4").path, encoding, durationSeconds: 44)
    try await maker.interrupt(at: Double.random(in: 0.4...0.97, using: &generator), name: "clip.mp4")
    let clip = try await maker.encode(to: "clip.mp4")
    #expect(clip.isContinued, "seed \(seed): \(clip.notes)")
    let continued = try Rates(clip.path, encoding, durationSeconds: 44)
    let limit = Double(encoding.maximumBitsPerSecond)
    // The limit is in effect.
    #expect(whole.average > 0.9 * limit)
    let facts = "seed \(seed): \(continued), uninterrupted: \(whole)"
    // The buffer's initial content adds to the average.
    #expect(continued.average < min(1.05 * limit, 1.01 * whole.average), "\(facts)")
    #expect(continued.excessOfGOP < Double(encoding.bufferBits), "\(facts)")
    #expect(continued.lowestBufferedBits > 0, "\(facts)")
  }

  /// A checkpoint that ends anywhere is used up to its last complete GOP.
  @Test(arguments: TestScope.seeds(2, of: 4))
  func truncatedCheckpointIsUsed(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let maker = try await Maker(Self.sources[0])
    _ = try await maker.encode(to: "whole.mp4")
    try await maker.interrupt(at: 0.95, name: "clip.mp4")
    let checkpoint = EncodingCheckpoint.path(for: maker.path("clip.mp4"))
    var bytes = try Data(contentsOf: URL(filePath: checkpoint))
    bytes.removeLast(Int.random(in: 1..<bytes.count, using: &generator))
    try bytes.write(to: URL(filePath: checkpoint))
    let kept = try maker.readRecords(of: "clip.mp4").count
    if seed.isMultiple(of: 2) { bytes.append(Data(repeating: 0xA5, count: 5_000)) }
    try bytes.write(to: URL(filePath: checkpoint))
    let clip = try await maker.encode(to: "clip.mp4")
    // The first two records describe the encode and the track.
    #expect(clip.isContinued == (kept > 2), "\(kept) records: \(clip.notes)")
    let (whole, continued) = (maker.path("whole.mp4"), maker.path("clip.mp4"))
    #expect(try Timing(continued, stream: "v:0") == Timing(whole, stream: "v:0"))
    #expect(try Tool.errors("ffmpeg", ["-v", "warning", "-i", continued, "-f", "null", "-"]) == "")
  }

  enum Change: CaseIterable {
    case settings, sourceTime
    /// The content of the source, but not its size and time.
    case sourceContent
  }

  /// GOPs of a different plan or an earlier source aren't used.
  @Test(arguments: Change.allCases) func outdatedCheckpointIsNotUsed(change: Change) async throws {
    var maker = try await Maker(Self.sources[0])
    try await maker.interrupt(at: 0.9, name: "clip.mp4")
    var clip = maker.clip
    let copy = maker.path("copy.mp4")
    switch change {
    case .settings: try maker.changeEncoding { $0.constantRateFactor = 30 }
    case .sourceTime:
      try FileManager.default.copyItem(atPath: clip.path, toPath: copy)
      try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: copy)
      clip = try await OpenedClip(path: copy)
    case .sourceContent:
      // A text in the first packet that decoders ignore: the settings of x264.
      var bytes = try Data(contentsOf: URL(filePath: clip.path))
      let text = try #require(bytes.range(of: Data("options:".utf8)))
      bytes.replaceSubrange(text, with: Data("Options:".utf8))
      try bytes.write(to: URL(filePath: copy))
      _ = try Tool.run("touch", ["-r", clip.path, copy])
      clip = try await OpenedClip(path: copy)
      #expect(clip.identity.hasSameContent(as: maker.clip.identity))
    }
    let made = try await ClipProcessor.process(clip, plan: maker.plan, to: maker.path("clip.mp4"))
    #expect(made.notes.contains(.encodeRestarted(isOutdated: true)))
    #expect(!made.isContinued)
  }

  /// Options that don't change the encoded video.
  @Test func otherOptionsDontRestartEncode() async throws {
    var maker = try await Maker(Self.sources[0])
    try await maker.interrupt(at: 0.9, name: "clip.mp4")
    var clips = maker.clips
    clips.settings.pictures = PictureSettings(kinds: [.poster])
    clips.settings.mute = true
    maker.plan = try await clips.plan(maker.clip.path).1
    maker.plan.salvages = true
    try maker.changeEncoding { $0.sizeCap?.bitsPerSecond += 1 }
    let clip = try await maker.encode(to: "clip.mp4")
    #expect(clip.isContinued, "\(clip.notes)")
    #expect(clip.probe.audioTracks.isEmpty)
    #expect(try Timing(clip.path, stream: "v:0").presentation.count == 600)
  }

  /// A second attempt belongs to the size limit of the first.
  @Test(arguments: [true, false]) func laterAttemptBelongsToItsLimit(changesLimit: Bool) async throws {
    let source = try #require(Self.sources.first { $0.maximumByteCount != nil })
    var maker = try await Maker(source)
    try await maker.interrupt(at: 0.9, name: "clip.mp4", starts: 2)
    if changesLimit { try maker.changeEncoding { $0.sizeCap?.byteCount += 100_000 } }
    let clip = try await maker.encode(to: "clip.mp4")
    #expect(clip.isContinued == !changesLimit, "\(clip.notes)")
    #expect(clip.notes.contains(.encodeRestarted(isOutdated: true)) == changesLimit, "\(clip.notes)")
  }

  enum StoredDamage: CaseIterable {
    /// The new encoder's output doesn't match the stored GOPs.
    case parameterSets
    /// The source has no frame at which the encode continues.
    case nextTime
    /// The output has fewer frames than the source, which is found in the finished output.
    case missingFrame

    /// Damages a record.
    /// - Parameter end: the end of its JSON.
    func apply(to record: inout [UInt8], end: Int) throws {
      var json = Data(record[..<end])
      switch self {
      case .parameterSets, .nextTime:
        let text = String(decoding: json, as: UTF8.self)
        let changed =
          self == .parameterSets
          ? text.replacing("\"parameterSets\":[0,", with: "\"parameterSets\":[1,")
          : text.replacing(/"nextTicks":(\d+)/) { "\"nextTicks\":\($0.1)1" }
        try #require(changed != text)
        json = Data(changed.utf8)
      case .missingFrame:
        var gop = try JSONDecoder().decode(EncodingCheckpoint.GOP.self, from: json)
        record.removeLast(gop.packets.removeLast().byteCount)
        json = try JSONEncoder().encode(gop)
      }
      record.replaceSubrange(..<end, with: json)
    }
  }

  /// If the stored GOPs cannot be continued, or the output fails its check, the encode starts again.
  @Test(arguments: StoredDamage.allCases) func damageStartsAgain(damage: StoredDamage) async throws {
    let maker = try await Maker(Self.sources[0])
    try await maker.interrupt(at: 0.9, name: "clip.mp4")
    var records = try maker.readRecords(of: "clip.mp4")
    try #require(records.count > 2)
    let index = damage == .parameterSets ? 1 : records.count - 1
    let end = try #require(records[index].firstIndex(of: UInt8(ascii: "\n")))
    try damage.apply(to: &records[index], end: end)
    try maker.writeRecords(records, of: "clip.mp4")
    let clip = try await maker.encode(to: "clip.mp4")
    #expect(clip.notes.contains(.encodeRestarted(isOutdated: false)), "\(clip.notes)")
    #expect(try Timing(clip.path, stream: "v:0").presentation.count == 600)
  }

  /// After a failure that can pass, the GOPs are kept, and an encode that continued isn't repeated from its start.
  @Test(arguments: TestScope.some(2, of: [ENOTCONN, ENXIO, ENOMEM, EMFILE]))
  func gopsRemainAfterPassingFailure(code: Int32) async throws {
    let maker = try await Maker(Self.sources[0])
    let failure = FFmpegError(-code, call: "av_read_frame", subject: "a.mp4")
    #expect(!failure.isPermanent && !failure.preventsContinuation)
    let count = Mutex(0)
    let evaluate: @Sendable (DecodingCheck.Result) throws -> Void = { _ in
      count.withLock { $0 += 1 }
      throw failure
    }
    for run in 1...2 {
      await #expect(throws: failure) {
        try await ClipProcessor.process(
          maker.clip, plan: maker.plan, to: maker.path("clip.mp4"), options: ClipProcessor.Options(),
          evaluateDecoding: evaluate, progress: { _ in })
      }
      #expect(count.withLock { $0 } == run)
      #expect(try #require(StoredEncode(of: maker.path("clip.mp4")).readProgress()).seconds >= 20)
    }
    let clip = try await maker.encode(to: "clip.mp4")
    #expect(clip.isContinued, "\(clip.notes)")
  }

  /// A disk that has space for only the output doesn't prevent the encode.
  @Test(.enabled(if: SmallDisk.isAvailable)) func outputNeedsOnlyItsOwnSpace() async throws {
    var maker = try await Maker(Self.sources[0])
    // In a file with such a low bit rate, the audio would be as large as the video.
    maker.plan.audio = nil
    let size = try await maker.encode(to: "whole.mp4").byteCount
    let disk = try SmallDisk(byteCount: size * 5 / 4)
    let clip = try await ClipProcessor.process(maker.clip, plan: maker.plan, to: disk.folder.path("clip.mp4"))
    #expect(try Timing(clip.path, stream: "v:0").presentation.count == 600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.folder.path) == ["clip.mp4"])
  }

  /// A disk that is too full even for the output keeps the stored GOPs, and the next run continues with them.
  @Test(.enabled(if: SmallDisk.isAvailable)) func gopsRemainAfterFullDisk() async throws {
    let maker = try await Maker(Self.sources[0])
    let size = try await maker.encode(to: "whole.mp4").byteCount
    try await maker.interrupt(at: 0.95, name: "clip.mp4")
    // With more than the first GOP, the output would fit without them.
    let records = try maker.readRecords(of: "clip.mp4").prefix(3)
    try #require(records.count == 3)
    let disk = try SmallDisk(byteCount: size * 4)
    let destination = disk.folder.path("clip.mp4")
    do {
      let log = try #require(try RecordLog(path: EncodingCheckpoint.path(for: destination)))
      for record in records { try log.append(record) }
    }
    let filler = disk.folder.path("filler")
    let free = try FreeSpace.availableBytes(at: disk.folder.path)
    try Data(count: Int(free - size / 8)).write(to: URL(filePath: filler))
    let error = await #expect(throws: FFmpegError.self) {
      try await ClipProcessor.process(maker.clip, plan: maker.plan, to: destination)
    }
    #expect(error?.isDiskFull == true)
    #expect(StoredEncode(of: destination).readProgress() != nil)
    try FileManager.default.removeItem(atPath: filler)
    let clip = try await ClipProcessor.process(maker.clip, plan: maker.plan, to: destination)
    #expect(clip.isContinued, "\(clip.notes)")
    #expect(try Timing(clip.path, stream: "v:0").presentation.count == 600)
    withExtendedLifetime(disk) {}
  }

  /// The checkpoint of a clip of 24 s on a small disk. Each GOP has 1 s and 100 kB.
  private struct SmallCheckpoint {
    let maker: Maker
    let disk: SmallDisk

    init() async throws {
      maker = try await Maker(EncodingCheckpointTests.sources[0])
      disk = try SmallDisk(byteCount: 16 << 20)
    }

    private var destination: String { disk.folder.path("clip.mp4") }
    private var filler: String { disk.folder.path("filler") }
    var storedSeconds: Double? { StoredEncode(of: destination).readProgress()?.seconds }

    /// Starts or continues an encode.
    func open() throws -> EncodingCheckpoint {
      let checkpoint = try #require(
        try EncodingCheckpoint(
          for: destination, source: maker.clip.identity, fingerprint: "", plan: maker.plan))
      try checkpoint.begin(EncodingCheckpoint.Attempt(encoding: try #require(maker.plan.video.encoding)))
      try checkpoint.start(EncodingCheckpoint.Track(timeBase: Rational(1, 25), parameterSets: []))
      return checkpoint
    }

    func addGOPs(_ seconds: Range<Int64>, to checkpoint: EncodingCheckpoint) throws {
      for ticks in seconds.lowerBound * 25..<seconds.upperBound * 25 {
        let packet = try Packet(bytes: ArraySlice(repeating: 1, count: 4_000), isKeyFrame: ticks % 25 == 0)
        packet.presentationTicks = ticks
        packet.decodingTicks = ticks
        checkpoint.add(packet, droppedCount: 0)
      }
    }

    func fillDisk(leaving byteCount: Int) throws {
      let free = try FreeSpace.availableBytes(at: disk.folder.path)
      try Data(count: Int(free) - byteCount).write(to: URL(filePath: filler))
    }

    func freeDisk() throws { try FileManager.default.removeItem(atPath: filler) }
  }

  /// If the disk is too full for a GOP, a later record contains it.
  @Test(.enabled(if: SmallDisk.isAvailable)) func gopsAreStoredWhenTheDiskHasSpace() async throws {
    let small = try await SmallCheckpoint()
    let checkpoint = try small.open()
    try small.addGOPs(0..<2, to: checkpoint)
    #expect(small.storedSeconds == 1)
    try small.fillDisk(leaving: 1_000_000)
    try small.addGOPs(2..<4, to: checkpoint)
    #expect(small.storedSeconds == 1)
    try small.freeDisk()
    try small.addGOPs(4..<5, to: checkpoint)
    #expect(small.storedSeconds == 4)
    checkpoint.close()
    let next = try small.open()
    #expect(next.seam?.seconds == 4)
    var ticks: [Int64] = []
    try next.readPackets { ticks.append($0.presentationTicks ?? -1) }
    #expect(ticks == Array(0..<100))
  }

  /// Stored GOPs are removed only if the output fits without them: the rest of the output needs 1.9 to 2.4 MB, and the GOPs
  /// have 0.4 MB.
  @Test(.enabled(if: SmallDisk.isAvailable), arguments: [(3_000_000, true), (2_200_000, false), (1_200_000, true)])
  func outputGetsSpaceThatItNeeds(free: Int, isKept: Bool) async throws {
    for isRunning in [true, false] {
      let small = try await SmallCheckpoint()
      let checkpoint = try small.open()
      try small.addGOPs(0..<5, to: checkpoint)
      #expect(small.storedSeconds == 4)
      try small.fillDisk(leaving: free)
      if isRunning {
        try small.addGOPs(5..<6, to: checkpoint)
      } else {
        checkpoint.close()
        #expect(try (small.open().seam != nil) == isKept)
      }
      #expect((small.storedSeconds != nil) == isKept, "while the encode is running: \(isRunning)")
    }
  }

  /// The estimate of the output's size has a margin only for new GOPs. With the margin, this disk would be too small.
  @Test(.enabled(if: SmallDisk.isAvailable)) func storedGOPsAreUsedIfTheOutputFits() async throws {
    let maker = try await Maker(Self.sources[0])
    let size = try await maker.encode(to: "whole.mp4").byteCount
    try await maker.interrupt(at: 0.95, name: "clip.mp4")
    let stored = try Data(contentsOf: URL(filePath: EncodingCheckpoint.path(for: maker.path("clip.mp4"))))
    let disk = try SmallDisk(byteCount: Int64(stored.count) + size * 110 / 100)
    let destination = disk.folder.path("clip.mp4")
    let checkpoint = EncodingCheckpoint.path(for: destination)
    #expect(
      FileManager.default.createFile(atPath: checkpoint, contents: stored, attributes: [.posixPermissions: 0o600]))
    let clip = try await ClipProcessor.process(maker.clip, plan: maker.plan, to: destination)
    #expect(clip.isContinued, "\(clip.notes)")
    #expect(try Timing(clip.path, stream: "v:0").presentation.count == 600)
  }

  /// GOPs are stored in time where the frame rate is far below the average.
  @Test(arguments: TestScope.some(1, of: [VideoEncoding.Codec.h264, .hevc])) func slowPartHasKeyFrames(
    codec: VideoEncoding.Codec
  ) async throws {
    let source = Source(
      name: "slow part", file: "slow.mp4", filter: ",select='lt(t,4)+gte(t,21)+not(mod(n,50))'",
      arguments: ["-fps_mode", "vfr", "-c:v", "libx264", "-pix_fmt", "yuv422p"])
    var maker = try await Maker(source)
    try maker.changeEncoding { ($0.codec, $0.sizeCap) = (codec, nil) }
    let clip = try await maker.encode(to: "clip.mp4")
    let rows = try Tool.ffprobe(clip.path, stream: "v:0", entries: "packet=pts_time,flags")
    let keys = rows.filter { $0[1].hasPrefix("K") }.compactMap { Double($0[0]) }
    let longest = zip(keys, keys.dropFirst() + [24]).map { $1 - $0 }.max() ?? 0
    // A frame lasts for 2 s.
    #expect(longest <= 12.3, "\(keys)")
    try await maker.interrupt(at: 0.95, name: "other.mp4")
    #expect(try #require(StoredEncode(of: maker.path("other.mp4")).readProgress()).seconds > 10)
    let continued = try await maker.encode(to: "other.mp4")
    #expect(continued.isContinued, "\(continued.notes)")
    #expect(try Timing(continued.path, stream: "v:0") == Timing(clip.path, stream: "v:0"))
  }

  /// An output that the caller moves later keeps its GOPs until then.
  @Test func gopsRemainUntilOutputIsAtFinalPath() async throws {
    let maker = try await Maker(Self.sources[0])
    var options = ClipProcessor.Options()
    (options.policy, options.finalDestination) = (.replace, maker.path("final.mp4"))
    for run in 0..<2 {
      let clip = try await ClipProcessor.process(
        maker.clip, plan: maker.plan, to: maker.path("work.mp4"), options: options)
      #expect(clip.isContinued == (run == 1), "\(clip.notes)")
      #expect(try #require(StoredEncode(of: maker.path("final.mp4")).readProgress()).seconds >= 20)
      #expect(StoredEncode(of: maker.path("work.mp4")).readProgress() == nil)
    }
    StoredEncode(of: maker.path("final.mp4")).remove()
    #expect(try FileManager.default.contentsOfDirectory(atPath: maker.path("")) == ["work.mp4"])
  }

  /// The encoder returns its last frames when it ends. If one of them starts a GOP, the GOP before it is stored, too.
  @Test func shortLastGOPIsContinued() async throws {
    var source = Self.sources[0]
    // Key frames are 250 frames apart, so the last GOP has 5 frames, fewer than the encoder's lookahead.
    source.file = "short-gop.mp4"
    source.arguments += ["-t", "20.2"]
    let maker = try await Maker(source)
    let whole = try await maker.encode(to: "whole.mp4").path
    var options = ClipProcessor.Options()
    (options.policy, options.finalDestination) = (.replace, maker.path("final.mp4"))
    for run in 0..<2 {
      let clip = try await ClipProcessor.process(
        maker.clip, plan: maker.plan, to: maker.path("work.mp4"), options: options)
      #expect(clip.isContinued == (run == 1), "\(clip.notes)")
      #expect(try #require(StoredEncode(of: maker.path("final.mp4")).readProgress()).seconds > 19)
      #expect(try Timing(clip.path, stream: "v:0") == Timing(whole, stream: "v:0"))
      #expect(try Tool.errors("ffmpeg", ["-v", "warning", "-i", clip.path, "-f", "null", "-"]) == "")
    }
  }

  /// A file whose command is never repeated is removed after 30 days, except by the process that continues with it.
  @Test(arguments: [29, 31]) func oldFileIsRemoved(days: Double) async throws {
    let maker = try await Maker(Self.sources[0])
    let date = Date().addingTimeInterval(-days * 86_400)
    var files: [String] = []
    for name in ["clip.mp4", "other.mp4"] {
      try await maker.interrupt(at: 0.9, name: name)
      files.append(StoredEncode(of: maker.path(name)).path)
    }
    let foreign = maker.path(".clip.mp4.tmp")
    try Data("foreign".utf8).write(to: URL(filePath: foreign))
    for file in files + [foreign] {
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file)
    }
    let clip = try await maker.encode(to: "clip.mp4")
    #expect(clip.isContinued, "\(clip.notes)")
    #expect(FileManager.default.fileExists(atPath: files[1]) == (days < 30))
    #expect(FileManager.default.fileExists(atPath: foreign))
  }

  @Test func longNamesHaveSeparateCheckpoints() {
    let name = "/a/" + String(repeating: "rally \u{1F3D0}", count: 40)
    let paths = ["1.mp4", "2.mp4"].map { EncodingCheckpoint.path(for: name + $0) }
    #expect(paths[0] != paths[1])
    #expect(paths.allSatisfy { ($0 as NSString).lastPathComponent.utf8.count <= 255 })
  }

  /// Short clips and copies leave no file.
  @Test func shortEncodeStoresNothing() async throws {
    let source = try ClipFactory.clip(
      "short.mp4", ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=8", "-c:v", "libx264", "-pix_fmt", "yuv422p"])
    let maker = try ProcessedClipMaker()
    let (probe, plan) = try await maker.plan(source)
    #expect(!plan.storesGOPs)
    _ = try await maker.process(source, probe: probe, plan: plan)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: maker.folder.path("")).allSatisfy { !$0.hasPrefix(".") })
  }
}
