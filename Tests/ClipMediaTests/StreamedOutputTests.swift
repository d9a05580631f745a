import ClipModel
import DurableFiles
import Foundation
import LibAV
import Synchronization
import TestSupport
import Testing

@testable import ClipMedia

/// Outputs whose bytes can be sent while they are encoded.
@Suite(.timeLimit(.minutes(10))) struct StreamedOutputTests {
  /// The reported parts, and the bytes of the last one when it was reported.
  private final class Parts: Sendable {
    private let state = Mutex((started: 0, parts: [StreamedPart](), sent: [UInt8]()))

    var all: [StreamedPart] { state.withLock { $0.parts } }
    var startCount: Int { state.withLock { $0.started } }
    /// The bytes of the last part when it was reported.
    var sentBytes: [UInt8] { state.withLock { $0.sent } }

    func add(_ event: StreamedOutputEvent) {
      state.withLock { state in
        switch event {
        case .started:
          state.started += 1
          state.parts = []
        case .extended(let part):
          let bytes = FileManager.default.contents(atPath: part.path).map { [UInt8]($0) } ?? []
          state.parts.append(part)
          state.sent = Array(bytes.prefix(Int(part.byteCount)))
        }
      }
    }
  }

  struct Source: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var arguments: [String]
    var change: @Sendable (inout ProcessingSettings) -> Void = { _ in }

    init(_ name: String, _ arguments: String, change: @escaping @Sendable (inout ProcessingSettings) -> Void = { _ in })
    {
      testDescription = name
      self.arguments = arguments.split(separator: " ").map(String.init)
      self.change = change
    }
  }

  private static let video = "-f lavfi -i testsrc2=s=320x180:r=30:d=9"
  private static let audio = "-f lavfi -i sine=r=44100:d=8.6"
  private static let mpeg4 = "-c:v mpeg4 -q:v 3"

  static let sources = [
    Source("encoded audio", "\(video) \(audio) \(mpeg4) -c:a libmp3lame"),
    Source("copied audio", "\(video) \(audio) \(mpeg4) -c:a aac"),
    Source("no audio", "\(video) \(mpeg4)"),
    Source("short audio", "\(video) -f lavfi -i sine=d=3 \(mpeg4) -c:a aac"),
    Source("HEVC", "\(video) \(audio) \(mpeg4) -c:a aac") { $0.codec = .hevc },
    Source(
      "variable frame rate", "\(video) \(audio) -vf select='not(mod(n\\,3))+gt(n\\,150)' -vsync vfr \(mpeg4) -c:a aac"),
    Source("rotated", "\(video) \(audio) \(mpeg4) -c:a aac -metadata:s:v rotate=90"),
  ]

  private static func process(
    _ source: Source, isStreamed: Bool, to path: String, parts: Parts = Parts(),
    onPart: @escaping @Sendable (_ count: Int) -> Void = { _ in }
  ) async throws -> ProcessedClip {
    let clip = try await OpenedClip(path: ClipFactory.clip("clip.mp4", source.arguments))
    var settings = ProcessingSettings()
    source.change(&settings)
    guard case .plan(let plan) = ClipRules().ofAnyLength.plan(clip.probe, settings: settings) else {
      throw ClipFactory.Failure(description: "the clip was rejected")
    }
    var streamed = try #require(plan.streamed)
    // The interval between key frames is the same in both files, so that the packets can be compared.
    if !isStreamed { streamed.placesIndexAtEnd = nil }
    var options = ClipProcessor.Options()
    options.coreCount = 2
    options.reportStream = {
      parts.add($0)
      onPart(parts.all.count)
    }
    return try await ClipProcessor.process(clip, plan: streamed, to: path, options: options)
  }

  private static func probe(_ path: String, _ entries: String) throws -> [String] {
    let output = try Tool.run(
      "ffprobe", ["-v", "error", "-show_data_hash", "md5", "-show_entries", entries, "-of", "compact", path])
    return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Two encodes can have other bytes, so only their times are compared. ffmpeg's copy has the same packets.
  @Test(arguments: TestScope.some(1, of: sources)) func packetsAreThoseOfLibavFiles(source: Source) async throws {
    let folder = try ScratchFolder()
    let (plain, path, remuxed) = (folder.path("plain.mp4"), folder.path("streamed.mp4"), folder.path("remuxed.mp4"))
    let usual = try await Self.process(source, isStreamed: false, to: plain)
    let clip = try await Self.process(source, isStreamed: true, to: path)
    #expect(usual.probe.isFastStart == true && clip.probe.isFastStart == false)
    _ = try Tool.run("ffmpeg", ["-v", "error", "-nostdin", "-i", path, "-map", "0", "-c", "copy", remuxed])
    let packets = "packet=stream_index,pts,dts,duration,size,data_hash"
    #expect(try Self.probe(path, packets).sorted() == Self.probe(remuxed, packets).sorted())
    let times = "packet=stream_index,pts,dts,duration"
    #expect(try Self.probe(path, times).sorted() == Self.probe(plain, times).sorted())
    let streams =
      "stream=codec_name,profile,codec_tag_string,width,height,has_b_frames,r_frame_rate,avg_frame_rate,time_base,"
      + "start_pts,duration_ts,nb_frames,extradata_hash,sample_rate,channels:stream_side_data=rotation:format=duration"
    #expect(try Self.probe(path, streams) == Self.probe(plain, streams))
    #expect(try Tool.errors("ffmpeg", ["-v", "warning", "-nostdin", "-i", path, "-f", "null", "-"]).isEmpty)
    let report = try [path, plain].map { path in
      try ["General", "Video", "Audio"].map { part in
        String(
          decoding: try Tool.run("mediainfo", ["--Inform=\(part);%Duration% %FrameCount% %Delay% %Rotation%", path]),
          as: UTF8.self)
      }
    }
    #expect(report[0] == report[1])
  }

  /// What was reported at any time is the beginning of the finished file.
  @Test(arguments: sources) func reportedBytesAreFinal(source: Source) async throws {
    let path = try ScratchFolder().path("streamed.mp4")
    let parts = Parts()
    let clip = try await Self.process(source, isStreamed: true, to: path, parts: parts)
    let bytes = [UInt8](try #require(FileManager.default.contents(atPath: path)))
    #expect(FileDigest.sha256(of: bytes) == clip.sha256)
    #expect(parts.startCount == 1)
    let all = parts.all
    for part in all { #expect(FileDigest.sha256(of: bytes.prefix(Int(part.byteCount))) == part.sha256) }
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.byteCount < $1.byteCount })
    #expect(bytes.starts(with: parts.sentBytes))
    // The clip has 9 s and its GOPs have 2 s. The index and the last GOP are never reported.
    #expect(all.count >= (source.testDescription == "short audio" ? 1 : 4))
    #expect((all.last?.byteCount ?? 0) < Int64(bytes.count))
    #expect(clip.probe.videoTracks.first?.gop?.longestSeconds ?? 0 <= 2.5)
  }

  static let interrupted = [
    Source("encoded audio", "\(longVideo) \(longAudio) \(mpeg4) -c:a libmp3lame"),
    Source("copied audio", "\(longVideo) \(longAudio) \(mpeg4) -c:a aac"),
    Source("no audio", "\(longVideo) \(mpeg4)"),
    Source("HEVC", "\(longVideo) \(longAudio) \(mpeg4) -c:a aac") { $0.codec = .hevc },
  ]
  // Shorter encodes don't continue.
  private static let longVideo = "-f lavfi -i testsrc2=s=192x144:r=25:d=30"
  private static let longAudio = "-f lavfi -i sine=r=48000:d=30"

  /// An interrupted encode that continues reports the same bytes again, so an upload of them can continue.
  @Test(arguments: TestScope.some(1, of: interrupted)) func continuedEncodeReportsTheSameBytes(source: Source)
    async throws
  {
    let seed = UInt64.random(in: 0...9_999)
    var generator = SeededGenerator(seed: seed)
    let path = try ScratchFolder().path("streamed.mp4")
    let count = Int.random(in: 2...9, using: &generator)
    let before = Parts()
    let reached = AsyncStream<Void>.makeStream()
    let encode = Task {
      defer { reached.continuation.finish() }
      return try await Self.process(source, isStreamed: true, to: path, parts: before) {
        if $0 >= count { reached.continuation.yield() }
      }
    }
    for await _ in reached.stream { break }
    encode.cancel()
    await #expect(throws: CancellationError.self, "seed \(seed)") { try await encode.value }
    let after = Parts()
    let clip = try await Self.process(source, isStreamed: true, to: path, parts: after)
    #expect(clip.isContinued, "seed \(seed): \(clip.notes)")
    let (sent, again) = (before.all, after.all)
    try #require(sent.count >= count)
    for (first, second) in zip(sent, again) {
      #expect(first.byteCount == second.byteCount && first.sha256 == second.sha256, "seed \(seed)")
    }
    #expect(again.count > sent.count)
    let bytes = [UInt8](try #require(FileManager.default.contents(atPath: path)))
    #expect(bytes.starts(with: before.sentBytes), "seed \(seed)")
    #expect(try Tool.errors("ffmpeg", ["-v", "warning", "-nostdin", "-i", path, "-f", "null", "-"]).isEmpty)
  }

  /// An invalid packet of the encoder isn't damage in the source, which a new copy of the source would repair.
  @Test(arguments: [(SourceStream.Kind.video, "clip.verification-failed"), (SourceStream.Kind.audio, "clip.damaged")])
  func invalidPacketIsReported(kind: SourceStream.Kind, id: String) async throws {
    let path = try ClipFactory.clip(
      "packets.mp4",
      ["-f", "lavfi", "-i", "testsrc2=s=192x144:r=25:d=1", "-f", "lavfi", "-i", "sine=d=1", "-pix_fmt", "yuv420p"]
        + ["-c:v", "libx264", "-c:a", "aac"])
    let clip = try await OpenedClip(path: path)
    let input = try clip.openContainer(.whenNeeded, interruption: Interruption())
    let output = try StreamedOutput(
      at: ScratchFolder().write("", to: "out.mp4"), name: clip.name, origin: clip.positions,
      interruption: Interruption(), report: { _ in })
    for stream in input.streams { _ = try output.addTrack(copying: stream) }
    try output.writeHeader()
    let index = try #require(input.streams.firstIndex { $0.kind == kind })
    let error = #expect(throws: ClipMediaError.self) {
      try output.write(Packet(), track: index, timeBase: input.streams[index].timeBase)
    }
    #expect(error?.explanation.id == id)
  }

  /// A clip that is encoded again because of a limit starts a new file.
  @Test func secondEncodeStartsANewFile() async throws {
    // The first encode is larger than the source, because the source has lost more detail.
    let source = Source("limit", "-f lavfi -i nullsrc=s=320x180:r=30:d=9,geq=random(1)*255:128:128 -c:v mpeg4 -q:v 31")
    let parts = Parts()
    let path = try ScratchFolder().path("streamed.mp4")
    let clip = try await Self.process(source, isStreamed: true, to: path, parts: parts)
    #expect(parts.startCount > 1 && clip.byteCount < 4_400_000)
    let bytes = [UInt8](try #require(FileManager.default.contents(atPath: path)))
    for part in parts.all { #expect(FileDigest.sha256(of: bytes.prefix(Int(part.byteCount))) == part.sha256) }
  }
}
