import DurableFiles
import Foundation
import LibAV
import TestSupport
import Testing

@testable import ClipMedia
@testable import ClipModel

/// Drawn pictures, read by other programs.
@Suite struct PictureRenderingTests {
  private static func clip(_ filter: String = "testsrc2=s=320x180:r=30:d=2", _ options: [String] = []) throws -> String
  {
    try ClipFactory.clip(
      "clip.mp4",
      ["-f", "lavfi", "-i", filter, "-c:v", "libx264", "-preset", "veryfast", "-qp", "10", "-pix_fmt", "yuv420p"]
        + options)
  }

  private static func draw(
    _ path: String, _ change: (inout PictureSettings) -> Void, play: Range<Double>? = nil
  ) async throws -> (folder: ScratchFolder, pictures: [RenderedPicture]) {
    var settings = PictureSettings()
    change(&settings)
    let folder = try ScratchFolder()
    let requests = try await PictureRendering.readRules(for: path, play: play).makePlans(settings)
      .map { PictureRequest($0, base: folder.path("clip")) }
    return (folder, try await PictureRendering.draw(requests, of: path, usesKeyFrames: settings.usesKeyFrames))
  }

  private static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// All kinds, drawn twice: complete, in the reported size, with the same bytes.
  @Test(arguments: ImageFormat.allCases)
  func allKindsAreDrawnReproducibly(format: ImageFormat) async throws {
    let path = try Self.clip()
    func drawn() async throws -> (folder: ScratchFolder, pictures: [RenderedPicture]) {
      try await Self.draw(path) {
        $0.kinds = PictureKind.allCases
        $0.format = format
        $0.width = 160
        $0.animationSeconds = 0.3
      }
    }
    let first = try await drawn()
    let second = try await drawn()
    #expect(first.pictures.map(\.kind) == [.poster, .sheet, .storyboard, .animated, .animated, .filmstrip])
    for (picture, again) in zip(first.pictures, second.pictures) {
      #expect(try Self.bytes(picture.path) == Self.bytes(again.path), "\(picture.kind)")
      #expect(picture.byteCount == Int64(try Self.bytes(picture.path).count))
      // ffmpeg 5.1 doesn't support animated WebP.
      guard !(picture.kind == .animated && picture.path.hasSuffix(".webp")) else { continue }
      let size = try Tool.ffprobe(picture.path, stream: "v:0", entries: "stream=width,height")
      #expect(size == [["\(picture.width)", "\(picture.height)"]])
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: first.folder.path).sorted()
    let ending = format.fileExtension
    #expect(
      names
        == [
          "clip-animated.gif", "clip-animated.webp", "clip-filmstrip.\(ending)", "clip-poster.\(ending)",
          "clip-sheet.\(ending)", "clip-storyboard.\(ending)", "clip-storyboard.json", "clip-storyboard.vtt",
        ].sorted())
  }

  /// Posters and tiles have the colors of the clip in each format, and are tagged as sRGB.
  @Test(arguments: ImageFormat.allCases)
  func colorsAreKeptAndTagged(format: ImageFormat) async throws {
    let path = try Self.clip(
      "color=0xC06030:s=320x240:r=30:d=1",
      [
        "-color_range", "tv", "-colorspace", "bt709", "-vf",
        "scale=out_color_matrix=bt709:out_range=tv",
      ])
    let drawn = try await Self.draw(path) {
      $0.kinds = [.poster, .filmstrip]
      $0.format = format
    }
    for picture in drawn.pictures {
      let color = try Tool.pixels(picture.path).color(0.5, 0.5)
      for (actual, expected) in zip(color, [0xC0, 0x60, 0x30]) {
        #expect(abs(actual - expected) <= 7, "\(picture.path) \(color)")
      }
      let file = Data(try Self.bytes(picture.path))
      switch format {
      case .png: #expect(file.range(of: Data("sRGB".utf8)) != nil)
      case .jpeg: #expect(file.range(of: Data("ICC_PROFILE\0".utf8)) != nil)
      case .webp: #expect(file.range(of: Data("ICCP".utf8)) != nil)
      }
      #expect(file.range(of: Data("Exif".utf8)) == nil && file.range(of: Data("Lavc".utf8)) == nil)
    }
  }

  /// exiftool finds the profile, and no other metadata.
  @Test(arguments: ["jpg", "png", "webp"])
  func picturesHaveNoOtherMetadata(ending: String) async throws {
    let path = try Self.clip()
    let drawn = try await Self.draw(path) { $0.format = ending == "jpg" ? .jpeg : ending == "png" ? .png : .webp }
    let json = try Tool.run("exiftool", ["-j", "-G1", try #require(drawn.pictures.first).path])
    let found = try #require((JSONSerialization.jsonObject(with: json) as? [[String: Any]])?.first)
    let groups = Set(found.keys.map { String($0.prefix { $0 != ":" }) })
    let usual: Set = [
      "SourceFile", "ExifTool", "System", "File", "Composite", "ICC-header", "ICC_Profile", "JFIF", "PNG", "PNG-pHYs",
      "RIFF",
    ]
    #expect(groups.subtracting(usual).isEmpty, "\(found)")
    if ending != "png" { #expect(found["ICC_Profile:ProfileDescription"] as? String == "sRGB") }
  }

  /// Quarters of four colors in each orientation, on each tile.
  @Test(arguments: Orientation.all)
  func tilesAreUpright(orientation: Orientation) async throws {
    let stored = try Self.clip(
      "color=red:s=160x120:r=30:d=1[a];color=lime:s=160x120:r=30:d=1[b];color=blue:s=160x120:r=30:d=1[c];"
        + "color=white:s=160x120:r=30:d=1[d];[a][b]hstack[t];[c][d]hstack[u];[t][u]vstack,format=yuv420p")
    let folder = try ScratchFolder()
    let input = try InputContainer(path: stored)
    let stream = try #require(input.streams.first)
    let output = try OutputContainer(mp4At: folder.path("oriented.mp4"))
    let track = try output.addTrack(copying: stream, orientation: orientation)
    try output.writeHeader()
    let packet = try Packet()
    while try input.read(into: packet) { try output.write(packet, track: track, timeBase: stream.timeBase) }
    try output.finish()
    let drawn = try await Self.draw(folder.path("oriented.mp4")) {
      $0.kinds = [.sheet]
      $0.format = .png
      $0.grid = PictureGrid(columns: 2, rows: 1)
      $0.width = 320
    }
    let picture = try Tool.pixels(try #require(drawn.pictures.first).path)
    #expect((picture.height > picture.width / 2) == orientation.swapsAxes)
    let colors = [[254, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]]
    for (corner, color) in zip([(0.3, 0.3), (0.7, 0.3), (0.3, 0.6), (0.7, 0.6)], colors) {
      var (x, y) = corner
      if orientation.isMirrored { x = 1 - x }
      for _ in 0..<(orientation.clockwiseDegrees / 90) { (x, y) = (1 - y, x) }
      for offset in [0, 0.5] {
        let shown = picture.color(offset + x / 2, y)
        for (actual, expected) in zip(shown, color) {
          #expect(abs(actual - expected) < 40, "\(orientation) \(corner) \(shown)")
        }
      }
    }
  }

  @Test func pixelsBecomeSquare() async throws {
    let path = try Self.clip("testsrc2=s=360x288:r=25:d=1,setsar=16/11")
    let drawn = try await Self.draw(path) { $0.kinds = [.poster, .filmstrip] }
    #expect(drawn.pictures[0].width == 524 && drawn.pictures[0].height == 288)
    let shape = Double(drawn.pictures[1].width) / 10 / Double(drawn.pictures[1].height)
    #expect(abs(shape - 524.0 / 288) < 0.05)
  }

  /// The container has no `pasp` box, so only the bitstream has the aspect ratio.
  @Test(arguments: ["h264_metadata", "hevc_metadata"])
  func pixelsBecomeSquareWithTheRatioOfTheBitstream(filter: String) async throws {
    let codec =
      filter.hasPrefix("h264")
      ? ["-c:v", "libx264"] : ["-c:v", "libx265", "-x265-params", "log-level=none", "-tag:v", "hvc1"]
    let whole = try ClipFactory.clip(
      "square.mp4", ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=1", "-pix_fmt", "yuv420p"] + codec)
    let folder = try ScratchFolder()
    _ = try Tool.run(
      "ffmpeg",
      [
        "-v", "error", "-i", whole, "-c", "copy", "-bsf:v", "\(filter)=sample_aspect_ratio=2/1",
        folder.path("wide.mp4"),
      ])
    var bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path("wide.mp4")))
    // Readers ignore unknown boxes.
    while let range = bytes.range(of: Data("pasp".utf8)) { bytes.replaceSubrange(range, with: Data("free".utf8)) }
    try bytes.write(to: URL(fileURLWithPath: folder.path("wide.mp4")))
    let drawn = try await Self.draw(folder.path("wide.mp4")) { $0.kinds = [.poster, .filmstrip] }
    #expect(drawn.pictures[0].width == 640 && drawn.pictures[0].height == 240)
    #expect(drawn.pictures[1].width == 2400 && drawn.pictures[1].height == 90)
  }

  /// Posters and tiles of HDR clips have the colors of the transcode.
  @Test(arguments: ["arib-std-b67", "smpte2084"])
  func hdrIsToneMappedAsInATranscode(transfer: String) async throws {
    let source = try ClipFactory.clip(
      "hdr.mkv",
      [
        "-f", "lavfi", "-i",
        "color=black:s=640x360:r=30:d=1,format=yuv420p10le,geq=lum='64+876*floor(X/64)/9':cb=460:cr=560",
        "-c:v", "ffv1", "-color_primaries", "bt2020", "-color_trc", transfer, "-colorspace", "bt2020nc", "-color_range",
        "tv",
      ])
    let clip = try await ProcessedClipMaker().process(source)
    let transcoded = try Tool.pixels(clip.path)
    let drawn = try await Self.draw(source) {
      $0.kinds = [.poster, .filmstrip]
      $0.format = .png
    }
    let poster = try Tool.pixels(drawn.pictures[0].path)
    let strip = try Tool.pixels(drawn.pictures[1].path)
    for bar in 0..<10 {
      let x = (Double(bar) + 0.5) / 10
      let expected = transcoded.color(x, 0.5)
      for (name, actual) in [("poster", poster.color(x, 0.5)), ("tile", strip.color(x / 10, 0.5))] {
        for (a, b) in zip(actual, expected) { #expect(abs(a - b) <= 6, "\(name) \(bar) \(actual) \(expected)") }
      }
    }
  }

  /// Pictures drawn during a transcode equal those drawn from its result.
  @Test func transcodesDrawTheirOwnFrames() async throws {
    let source = try ClipFactory.clip(
      "big.mp4",
      [
        "-f", "lavfi", "-i", "testsrc2=s=2560x1440:r=30:d=2", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt",
        "yuv420p",
      ])
    var maker = try ProcessedClipMaker()
    maker.settings.pictures.kinds = [.poster, .sheet, .animated]
    maker.settings.pictures.width = 640
    maker.settings.pictures.animationSeconds = 0.3
    maker.settings.pictures.format = .png
    maker.settings.pictures.posterSeconds = 1.51
    let clip = try await maker.process(source)
    #expect(clip.pictures.map(\.kind) == [.poster, .sheet, .animated, .animated])
    #expect(clip.pictures[0].seconds == [1.5])
    let direct = try await Self.draw(clip.path) {
      $0.kinds = [.poster, .sheet]
      $0.width = 640
      $0.format = .png
      $0.posterSeconds = 1.51
    }
    for (own, later) in zip(clip.pictures, direct.pictures) {
      #expect(own.seconds.count == later.seconds.count)
      #expect(zip(own.seconds, later.seconds).allSatisfy { abs($0 - $1) < 0.001 })
      let (a, b) = (try Tool.pixels(own.path), try Tool.pixels(later.path))
      for point in [(0.2, 0.3), (0.5, 0.5), (0.8, 0.7)] {
        let (x, y) = (a.color(point.0, point.1), b.color(point.0, point.1))
        for (p, q) in zip(x, y) { #expect(abs(p - q) <= 12, "\(own.kind) \(point) \(x) \(y)") }
      }
    }
  }

  // MARK: Best frames

  /// Two seconds each of black, blurred and sharp video, with the same motion.
  private static func mixed() throws -> String {
    try ClipFactory.clip(
      "mixed.mp4",
      [
        "-f", "lavfi", "-i", "color=black:s=640x360:r=25:d=2", "-f", "lavfi", "-i",
        "testsrc2=s=640x360:r=25:d=2,gblur=sigma=6", "-f", "lavfi", "-i", "testsrc2=s=640x360:r=25:d=2",
        "-filter_complex",
        "[0][1][2]concat=n=3", "-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p",
      ])
  }

  @Test func bestFramesAreSharpAndNotBlack() async throws {
    let drawn = try await Self.draw(try Self.mixed()) { $0.picksBest = true }
    #expect((4..<6).contains(try #require(drawn.pictures.first?.seconds.first)))
  }

  @Test func playCountsMoreThanSharpness() async throws {
    let drawn = try await Self.draw(try Self.mixed(), { $0.picksBest = true }, play: 2..<3.9)
    #expect((2..<4).contains(try #require(drawn.pictures.first?.seconds.first)))
  }

  @Test func bestPartsHaveMotion() async throws {
    let drawn = try await Self.draw(try Self.mixed()) {
      $0.kinds = [.animated]
      $0.picksBest = true
      $0.animationSeconds = 1.5
      $0.animationFormats = [.webp]
      $0.width = 96
    }
    #expect((3.9...4.6).contains(try #require(drawn.pictures.first?.seconds.first)))
  }

  // MARK: Animations

  @Test func animationsKeepTheirTimingAndRepeat() async throws {
    let drawn = try await Self.draw(try Self.clip()) {
      $0.kinds = [.animated]
      $0.animationSeconds = 1
      $0.width = 96
    }
    let gif = try #require(drawn.pictures.first { $0.path.hasSuffix(".gif") }).path
    let packets = try Tool.ffprobe(gif, stream: "v:0", entries: "packet=duration_time")
    #expect(packets.count == 15)
    let length = packets.compactMap { $0.first.flatMap(Double.init) }.reduce(0, +)
    #expect(abs(length - 1) < 0.02, "\(length)")
    #expect(Data(try Self.bytes(gif)).range(of: Data("NETSCAPE2.0\u{3}\u{1}\0\0".utf8)) != nil)
    let webp = try Self.bytes(try #require(drawn.pictures.first { $0.path.hasSuffix(".webp") }).path)
    let frames = Self.webPFrames(webp)
    #expect(abs(frames.reduce(0, +) - 1000) <= 2, "\(frames)")
    #expect(frames.count > 10)
  }

  /// The duration of each frame of an animated WebP in milliseconds (`ANMF`: after four sizes of three bytes).
  private static func webPFrames(_ file: [UInt8]) -> [Int] {
    var position = 12
    var frames: [Int] = []
    while position + 8 <= file.count {
      let length = (0..<4).reduce(0) { $0 | Int(file[position + 4 + $1]) << (8 * $1) }
      if file[position..<position + 4].elementsEqual("ANMF".utf8) {
        frames.append((0..<3).reduce(0) { $0 | Int(file[position + 8 + 12 + $1]) << (8 * $1) })
      }
      position += 8 + length + length % 2
    }
    return frames
  }

  @Test func animationsKeepTheirLimitAndNoteReductions() async throws {
    let path = try Self.clip("testsrc2=s=320x180:r=30:d=2,noise=alls=60:allf=t")
    let limit: Int64 = 40_000
    let drawn = try await Self.draw(path) {
      $0.kinds = [.animated]
      $0.animationSeconds = 0.5
      $0.width = 96
      $0.animationByteLimit = limit
    }
    #expect(drawn.pictures.allSatisfy { $0.byteCount <= limit })
    #expect(drawn.pictures.contains { !$0.notes.isEmpty })
    await #expect(throws: ClipMediaError.self) {
      try await Self.draw(path) {
        $0.kinds = [.animated]
        $0.animationFormats = [.webp]
        $0.animationSeconds = 0.3
        $0.width = 96
        $0.animationByteLimit = 500
      }
    }
  }

  // MARK: Storing

  @Test func existingPicturesAreKeptByDefault() async throws {
    let path = try Self.clip()
    let folder = try ScratchFolder()
    let request = PictureRequest(.poster(PosterPlan(atSeconds: 1)), path: folder.path("mine.jpg"))
    try Data("mine".utf8).write(to: URL(fileURLWithPath: request.path))
    await #expect(throws: DurableFileError.self) {
      try await PictureRendering.draw([request], of: path, policy: .keepExisting)
    }
    #expect(try Self.bytes(request.path) == [UInt8]("mine".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["mine.jpg"])
  }

  /// Ten different digits, all inside their box.
  @Test func allDigitsAreDrawn() {
    var pictures: [[UInt8]] = []
    for digit in 0..<10 {
      var picture = RGBPicture(width: 200, height: 40)
      let label = TimestampLabel(seconds: Double(digit) * 60, lineHeight: 32)
      label.draw(on: &picture, x: 4, y: 4)
      #expect(label.size.width <= 190)
      #expect(picture.bytes.contains { $0 > 240 })
      #expect(!pictures.contains(picture.bytes), "\(digit)")
      pictures.append(picture.bytes)
    }
  }
}
