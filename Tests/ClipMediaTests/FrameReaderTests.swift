import ClipModel
import Foundation
import LibAV
import TestSupport
import Testing

@testable import ClipMedia

/// Reading the right frame at the right time from every kind of file.
@Suite struct FrameReaderTests {
  /// The frame rate and the frame count of the test clips.
  private static let rate = 25
  private static let count = 100

  /// The brightness of each frame encodes its number.
  private static let counting =
    "color=black:s=160x120:r=\(rate):d=\(count / rate),format=yuv420p,geq=lum='30+2*N':cb=128:cr=128"

  private static func clip(_ name: String, _ codec: [String], filter: String = counting) throws -> String {
    try ClipFactory.clip(name, ["-f", "lavfi", "-i", filter] + codec)
  }

  private static let x264 = ["-c:v", "libx264", "-qp", "8", "-preset", "veryfast"]

  /// Files with B-frames, one key frame or many, open groups, without an index, in other containers and codecs.
  enum Source: String, CaseIterable, Sendable {
    case pyramid, oneGroup, onlyReferences, openGroups, everyKey, hevc, hevcLayers, transport, matroska, mpeg4, vp9
    case fragmented

    func path() throws -> String {
      switch self {
      case .pyramid: try clip("a.mp4", x264 + ["-bf", "3", "-g", "25"])
      case .oneGroup: try clip("b.mp4", x264 + ["-bf", "3", "-g", "1000", "-keyint_min", "1000"])
      case .onlyReferences: try clip("c.mov", x264 + ["-bf", "0", "-g", "30"])
      case .openGroups:
        try clip("d.mp4", x264 + ["-bf", "3", "-x264-params", "open-gop=1:keyint=20:min-keyint=20:scenecut=0"])
      case .everyKey: try clip("e.mp4", x264 + ["-g", "1"])
      case .hevc:
        try clip(
          "f.mp4", ["-c:v", "libx265", "-x265-params", "qp=8:keyint=25:bframes=4:log-level=none", "-tag:v", "hvc1"])
      case .hevcLayers:
        try clip(
          "g.mp4",
          ["-c:v", "libx265", "-x265-params", "qp=8:keyint=25:bframes=4:temporal-layers=1:log-level=none"])
      case .transport: try clip("h.ts", x264 + ["-bf", "3", "-g", "25"])
      case .matroska: try clip("i.mkv", x264 + ["-bf", "3", "-g", "25"])
      case .mpeg4: try clip("j.avi", ["-c:v", "mpeg4", "-q:v", "2", "-g", "25"])
      case .vp9:
        try clip("k.webm", ["-c:v", "libvpx-vp9", "-crf", "5", "-b:v", "0", "-g", "25", "-deadline", "realtime"])
      case .fragmented: try clip("l.mp4", x264 + ["-bf", "0", "-g", "25", "-movflags", "frag_keyframe+empty_moov"])
      }
    }

    private func clip(_ name: String, _ codec: [String]) throws -> String {
      try FrameReaderTests.clip(name, codec)
    }

    private var x264: [String] { FrameReaderTests.x264 }
  }

  /// The number that the brightness of a frame encodes.
  private static func number(_ frame: Frame) -> Int {
    var sum = 0
    var count = 0
    frame.withRows(ofPlane: 0) { row, bytes in
      guard (40..<80).contains(row) else { return }
      for byte in bytes[60..<100] {
        sum += Int(byte)
        count += 1
      }
    }
    return Int(((Double(sum) / Double(max(count, 1)) - 30) / 2).rounded())
  }

  private static func frames(
    _ path: String, at seconds: [Double], precision: FrameReader.Precision = .exact
  ) throws -> [ShownFrame] {
    var shown: [ShownFrame] = []
    let reader = try FrameReader(path: path, precision: precision, interruption: Interruption())
    try reader.read(seconds) { index, frame in
      #expect(index == shown.count)
      shown.append(frame)
    }
    return shown
  }

  /// Alone and with others: at the start of a frame, inside it, before its end, and after the end of the clip.
  @Test(arguments: Source.allCases)
  func readsTheShownFrame(source: Source) throws {
    let path = try source.path()
    var random = SeededGenerator(seed: 5)
    var numbers = [0, 1, 2, 3, 24, 25, 26, 49, 50, 51, 52, 53, 98, 99]
    numbers += (0..<10).map { _ in Int.random(in: 0..<Self.count, using: &random) }
    numbers.sort()
    for share in [0, 0.5, 0.9] {
      let seconds = numbers.map { (Double($0) + share) / Double(Self.rate) }
      let shown = try Self.frames(path, at: seconds)
      #expect(shown.map { Self.number($0.frame) } == numbers, "\(source) \(share)")
      #expect(shown.allSatisfy { $0.note == nil })
      for (frame, number) in zip(shown, numbers) {
        #expect(abs(frame.seconds - Double(number) / Double(Self.rate)) < 0.002, "\(source)")
      }
    }
    for number in [0, 37, 60, 99] {
      let shown = try Self.frames(path, at: [(Double(number) + 0.5) / Double(Self.rate)])
      #expect(shown.map { Self.number($0.frame) } == [number], "\(source)")
    }
    #expect(try Self.frames(path, at: [500]).map { Self.number($0.frame) } == [99])
    #expect(try Self.frames(path, at: [-1, 0]).map { Self.number($0.frame) } == [0, 0])
  }

  @Test(arguments: [Source.pyramid, .onlyReferences, .hevc])
  func readsTheNearestKeyFrame(source: Source) throws {
    let keys = try Tool.ffprobe(try source.path(), stream: "v:0", entries: "packet=pts_time,flags")
      .filter { $0.count > 1 && $0[1].hasPrefix("K") }
      .compactMap { Double($0[0]).map { Int(($0 * Double(Self.rate)).rounded()) } }
    #expect(keys.count > 3)
    let numbers = [0, 11, 14, 36, 39, 70, 99]
    let shown = try Self.frames(
      try source.path(), at: numbers.map { (Double($0) + 0.25) / Double(Self.rate) }, precision: .keyFrames)
    let nearest = numbers.map { number in
      keys.min { abs(Double($0) - Double(number) - 0.25) < abs(Double($1) - Double(number) - 0.25) }
    }
    #expect(shown.map { Self.number($0.frame) } == nearest)
  }

  /// Frames that no other frame refers to need no decoding.
  @Test func disposableFramesAreRecognized() throws {
    let container = try InputContainer(path: try Source.pyramid.path())
    let stream = try #require(container.mainVideo)
    let parser = try #require(NALUnitParser(stream))
    let packet = try Packet()
    var disposable = 0
    while try container.read(into: packet) { disposable += parser.isDisposable(packet) ? 1 : 0 }
    // One of the three frames in a pyramid is a reference.
    #expect((40...60).contains(disposable), "\(disposable)")
  }

  /// Clips whose video starts later than the audio, or later than the clock.
  @Test(arguments: ["late.mp4", "late.mkv", "late.ts"])
  func timesBeforeTheFirstFrameReadThatFrame(name: String) async throws {
    let path = try ClipFactory.clip(
      name,
      [
        "-f", "lavfi", "-i", "sine=d=5", "-itsoffset", "0.8", "-f", "lavfi", "-i", Self.counting, "-map", "1", "-map",
        "0",
      ]
        + Self.x264 + ["-bf", "3", "-g", "25", "-c:a", "aac"])
    let shown = try Self.frames(path, at: [0, 0.3, 1.01, 4.7, 99])
    // The initial padding of the audio moves the clocks of the other containers by half a frame, except some in FFmpeg
    // 9.
    let numbers = shown.map { Self.number($0.frame) }
    let isOnTime = numbers == [0, 0, 5, 97, 99]
    #expect(isOnTime || name != "late.mp4" && numbers == [0, 0, 4, 96, 99], "\(name): \(numbers)")
    #expect(shown.allSatisfy { $0.note == nil }, "\(shown.map(\.note))")
    #expect(Self.number(try #require(try Self.frames(path, at: [0]).first).frame) == 0)
    // The duration of the video.
    let rules = try await PictureRendering.readRules(for: path)
    #expect(abs(rules.durationSeconds - 4.8) < 0.3, "\(name) \(rules.durationSeconds)")
  }

  /// AVI stores only decoding times, but the first and the last frame are exact.
  @Test func framesWithoutPresentationTimesAreFound() throws {
    let path = try Self.clip("guessed.avi", ["-c:v", "mpeg4", "-bf", "2", "-q:v", "2", "-g", "25"])
    let shown = try Self.frames(path, at: [0, 2, 99])
    #expect(Self.number(shown[0].frame) == 0 && Self.number(shown[2].frame) == 99)
    #expect((48...51).contains(Self.number(shown[1].frame)))
    #expect(shown.allSatisfy { $0.note == nil })
  }

  /// Times rounded to milliseconds, in a clip with 60 frames per second.
  @Test(arguments: [(1.033, 62), (1.083, 65), (2.233, 134)])
  func roundedTimesFindTheirFrame(seconds: Double, number: Int) throws {
    let path = try ClipFactory.clip(
      "sixty.avi", ["-f", "lavfi", "-i", "testsrc=s=160x120:r=60:d=3", "-c:v", "mjpeg", "-pix_fmt", "yuvj420p"])
    let shown = try #require(try Self.frames(path, at: [seconds]).first)
    #expect(abs(shown.seconds - Double(number) / 60) < 0.001, "\(shown.seconds)")
  }

  /// A real clip with one time out of order.
  @Test func framesDoNotDependOnOtherRequests() throws {
    guard let path = SharedMedia.path("phone-hevc-1376x1840-vfr-5s.mp4") else { return }
    let alone = try #require(try Self.frames(path, at: [1]).first)
    let others = [0.1, 0.4, 0.7, 1, 1.3, 2]
    let together = try Self.frames(path, at: others)[3]
    #expect(alone.seconds == together.seconds && alone.note == nil && together.note == nil)
    #expect(abs(alone.seconds - 0.9676) < 0.001, "\(alone.seconds)")
  }

  /// Frames before a trim are decoded, but not shown.
  @Test func trimmedClipsShowTheFramesAfterTheTrim() throws {
    let whole = try Source.oneGroup.path()
    let folder = try ScratchFolder()
    _ = try Tool.run(
      "ffmpeg", ["-v", "error", "-ss", "1.2", "-i", whole, "-c", "copy", folder.path("trimmed.mp4")])
    let shown = try Self.frames(folder.path("trimmed.mp4"), at: [0.02, 1.02])
    let first = Self.number(try #require(shown.first).frame)
    #expect(Self.number(shown[1].frame) == first + 25)
    let theirs = try Tool.pixels(folder.path("trimmed.mp4")).color(0.5, 0.5)[0]
    let ours = try #require(shown.first)
    let rgb = try FrameScaler(target: .rgb(PictureSize(width: 160, height: 120))).scale(ours.frame).rgbPicture()
    #expect(abs(rgb.color(0.5, 0.5)[0] - theirs) <= 2)
  }

  /// A copy of the file in which some frames are overwritten.
  private static func damaged(_ path: String, packets: Range<Int>) throws -> (folder: ScratchFolder, path: String) {
    let container = try InputContainer(path: path)
    let stream = try #require(container.mainVideo)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    for entry in stream.indexEntries[packets] {
      let range = Int(entry.byteRange.lowerBound) + 5..<Int(entry.byteRange.upperBound)
      bytes.replaceSubrange(range, with: Data(repeating: 0xFF, count: range.count))
    }
    let folder = try ScratchFolder()
    try bytes.write(to: URL(fileURLWithPath: folder.path("damaged.mp4")))
    return (folder, folder.path("damaged.mp4"))
  }

  @Test func undecodableFramesAreReplacedWithANote() throws {
    let copy = try Self.damaged(try Source.onlyReferences.path(), packets: 0..<30)
    let shown = try Self.frames(copy.path, at: [0.4, 1.4])
    #expect(Self.number(shown[0].frame) == 30)
    #expect(try #require(shown[0].note).contains("1.2 s"), "\(shown[0].note ?? "")")
    #expect(Self.number(shown[1].frame) == 35 && shown[1].note == nil)
    let key = try Self.frames(copy.path, at: [0.1], precision: .keyFrames)
    #expect(Self.number(key[0].frame) == 30)
    #expect(try #require(key[0].note).contains("1.2 s"))
  }

  @Test(arguments: [FrameReader.Precision.exact, .keyFrames])
  func clipsWithoutDecodableFramesThrow(precision: FrameReader.Precision) throws {
    let copy = try Self.damaged(try Source.onlyReferences.path(), packets: 0..<100)
    #expect(throws: ClipMediaError.noFrames(name: "damaged.mp4")) {
      try Self.frames(copy.path, at: [1], precision: precision)
    }
  }

  @Test func filesWithoutVideoThrow() throws {
    let path = try ClipFactory.clip("tone.m4a", ["-f", "lavfi", "-i", "sine=d=1", "-c:a", "aac"])
    #expect(throws: ClipMediaError.self) { try FrameReader(path: path, interruption: Interruption()) }
  }
}
