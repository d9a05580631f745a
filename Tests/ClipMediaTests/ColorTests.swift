import ClipModel
import Foundation
import LibAV
import TestSupport
import Testing

@testable import ClipMedia

/// Colors and orientation of the output, decoded by ffmpeg.
@Suite struct ColorTests {
  /// Red, green, blue and white quarters.
  private static let quarters =
    "color=red:s=320x240:r=30:d=1[a];color=lime:s=320x240:r=30:d=1[b];color=blue:s=320x240:r=30:d=1[c];"
    + "color=white:s=320x240:r=30:d=1[d];[a][b]hstack[t];[c][d]hstack[u];[t][u]vstack"

  /// Sources that code the same colors differently, tagged (or untagged) as cameras do.
  @Test(arguments: [
    // BT.601 limited, tagged; and untagged, which is BT.601 at this height.
    ["scale=out_color_matrix=bt601:out_range=tv,format=yuv420p", "-colorspace", "smpte170m", "-color_range", "tv"],
    ["scale=out_color_matrix=bt601:out_range=tv,format=yuv420p"],
    ["scale=out_color_matrix=bt709:out_range=tv,format=yuv420p", "-colorspace", "bt709", "-color_range", "tv"],
    // Full range, as phones write.
    ["scale=out_color_matrix=bt709:out_range=pc,format=yuv420p", "-colorspace", "bt709", "-color_range", "pc"],
    ["scale=out_color_matrix=bt709:out_range=tv,format=yuv422p10le", "-colorspace", "bt709", "-color_range", "tv"],
  ])
  func colorsAreKept(filterAndTags: [String]) async throws {
    let filter = try #require(filterAndTags.first)
    let source = try ClipFactory.clip(
      "color.mkv",
      ["-filter_complex", Self.quarters + "," + filter, "-c:v", "ffv1"] + filterAndTags.dropFirst())
    let clip = try await ProcessedClipMaker().process(source)
    for path in [clip.path, try #require(clip.posterPath)] {
      let picture = try Tool.pixels(path)
      for (point, color) in zip(
        [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)],
        [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]])
      {
        let shown = picture.color(point.0, point.1)
        for (actual, expected) in zip(shown, color) {
          #expect(abs(actual - expected) <= 8, "\(path) \(point) \(shown)")
        }
      }
    }
    let video = try #require(clip.probe.mainVideo)
    #expect(video.color.matrix == "bt709" && video.color.range == "tv" && video.color.primaries == "bt709")
  }

  /// Compares the corners in the poster, and the display matrix of the clip.
  @Test(arguments: Orientation.all)
  func allOrientationsAreShownUpright(orientation: Orientation) async throws {
    let stored = try ClipFactory.clip(
      "corners.mp4",
      ["-filter_complex", Self.quarters + ",format=yuv420p", "-c:v", "libx264", "-preset", "ultrafast", "-crf", "10"])
    let oriented = try Self.withOrientation(orientation, stored)
    let probe = try await Prober.probe(path: oriented.file)
    #expect(probe.mainVideo?.orientation == orientation)
    let maker = try ProcessedClipMaker()
    let clip = try await maker.process(oriented.file)
    #expect(clip.probe.mainVideo?.orientation == orientation)
    let poster = try Tool.pixels(try #require(clip.posterPath))
    #expect(poster.width == (orientation.swapsAxes ? 480 : 640))
    let corners = [(0.2, 0.2), (0.8, 0.2), (0.2, 0.8), (0.8, 0.8)]
    let colors = [[254, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]]
    for (corner, color) in zip(corners, colors) {
      // By definition, mirroring comes before the clockwise rotation.
      var (x, y) = corner
      if orientation.isMirrored { x = 1 - x }
      for _ in 0..<(orientation.clockwiseDegrees / 90) { (x, y) = (1 - y, x) }
      let shown = poster.color(x, y)
      for (actual, expected) in zip(shown, color) {
        #expect(abs(actual - expected) < 40, "\(orientation) \(corner) \(shown)")
      }
    }
  }

  /// The same packets with another display matrix.
  private static func withOrientation(
    _ orientation: Orientation, _ path: String
  ) throws -> (folder: ScratchFolder, file: String) {
    let folder = try ScratchFolder()
    let file = folder.path("oriented.mp4")
    let input = try InputContainer(path: path)
    let stream = try #require(input.streams.first)
    let output = try OutputContainer(mp4At: file)
    let track = try output.addTrack(copying: stream, orientation: orientation)
    try output.writeHeader()
    let packet = try Packet()
    while try input.read(into: packet) { try output.write(packet, track: track, timeBase: stream.timeBase) }
    try output.finish()
    return (folder, file)
  }

  @Test(arguments: [DynamicRange.hlg, .pq])
  func hdrBecomesSDRWithoutClippingOrGrayWhites(range: DynamicRange) async throws {
    // A gray ramp coded as HDR: bars with rising code values.
    let transfer = range == .hlg ? "arib-std-b67" : "smpte2084"
    let source = try ClipFactory.clip(
      "hdr.mkv",
      [
        "-f", "lavfi", "-i",
        "color=black:s=640x360:r=30:d=1,format=yuv420p10le,geq=lum='64+876*floor(X/64)/9':cb=512:cr=512",
        "-c:v", "ffv1", "-color_primaries", "bt2020", "-color_trc", transfer, "-colorspace", "bt2020nc", "-color_range",
        "tv",
      ])
    let clip = try await ProcessedClipMaker().process(source)
    let picture = try Tool.pixels(clip.path)
    let bars = (0..<10).map { picture.color((Double($0) + 0.5) / 10, 0.5) }
    // Bars stay neutral and in order, and the last one is white.
    for bar in bars { #expect((bar.max() ?? 0) - (bar.min() ?? 0) <= 6, "\(bars)") }
    for (darker, lighter) in zip(bars, bars.dropFirst()) { #expect(darker[1] <= lighter[1] + 1, "\(bars)") }
    #expect(bars[0][1] < 12)
    if range == .hlg {
      #expect(bars[9][1] > 235)
      // The difference to the bar before it stays visible, so nothing is clipped.
      #expect(bars[9][1] - bars[8][1] >= 2, "\(bars)")
    }
    #expect(clip.probe.mainVideo?.color.dynamicRange == .sdr)
    #expect(clip.probe.mainVideo?.color.transfer == "bt709")
  }

  private static func layout(
    _ transfer: FrameLayout.Transfer, isFullRange: Bool = false
  ) -> (source: FrameLayout, target: FrameLayout) {
    let target = FrameLayout.video(PictureSize(width: 64, height: 64))
    var source = target
    source.transfer = transfer
    source.primaries = .bt2020
    source.matrix = .bt2020
    return (ToneMapping.layout(of: source, at: target), target)
  }

  @Test(arguments: [300.0, 1000, 4000, 10_000])
  func toneCurvesAreMonotonicAndEndAtWhite(peak: Double) {
    let (source, target) = Self.layout(.pq)
    let mapping = ToneMapping(from: source, to: target, peak: peak)
    let curve = (0...1000).map { mapping.applyCurve(peak * Double($0) / 1000) }
    #expect(zip(curve, curve.dropFirst()).allSatisfy { $0 <= $1 + 1e-9 })
    // With strong compression the black level lift reaches slightly above white.
    #expect((0.999...1.03).contains((curve.last ?? 0) / ToneMapping.referenceWhite))
    // Black becomes the black of the display.
    #expect(abs((curve.first ?? 0) - ToneMapping.displayBlack) < 0.02)
  }

  /// Bright, slightly colored light keeps its detail: no component clips while the light gets brighter.
  @Test(arguments: [-6.0, -3, 3, 6], [-6.0, -3, 3, 6])
  func brightColorsDoNotClip(blue: Double, red: Double) {
    let (layout, target) = Self.layout(.hlg)
    let mapping = ToneMapping(from: layout, to: target, peak: 1000)
    let weights = (red: 0.2126, blue: 0.0722)
    for y in stride(from: 150.0, through: 225, by: 5) {
      let code = mapping.convert((y: y * 256, cb: (128 + blue) * 256, cr: (128 + red) * 256))
      let luma = (code.y - 16) / 219
      let tint = ((code.cb - 128) / 224 * 2 * (1 - weights.blue), (code.cr - 128) / 224 * 2 * (1 - weights.red))
      let (b, r) = (luma + tint.0, luma + tint.1)
      let g = (luma - weights.red * r - weights.blue * b) / (1 - weights.red - weights.blue)
      #expect(luma < 0.999 && max(r, g, b) < 1.0001, "\(y): \(r) \(g) \(b)")
      // The tint doesn't change. Components that clip separately turn to white, yellow or cyan.
      #expect((b - luma) * blue >= -1e-6 && (r - luma) * red >= -1e-6, "\(y): \(r) \(g) \(b)")
    }
  }

  /// With both chroma locations, and with widths that don't fill a vector.
  @Test(arguments: [2, 14, 62, 514, 1026], [false, true])
  func vectorCodeMatchesTheScalarLoop(width: Int, isChromaCentered: Bool) throws {
    var random = SeededGenerator(seed: UInt64(width))
    let (layout, target) = Self.layout(.hlg)
    let table = ColorTable(ToneMapping(from: layout, to: target, peak: 1000).convert)
    let source = try Frame(width: width, height: 6, pixelFormat: ColorTable.sourceFormat)
    for plane in 0..<3 {
      source.withMutableRows(ofPlane: plane) { _, row in
        for index in row.indices { row[index] = UInt8.random(in: 0...255, using: &random) }
      }
    }
    let frames = try [true, false].map { usesVectors in
      let frame = try Frame(width: width, height: 6, pixelFormat: .yuv420p)
      try table.convert(source, into: frame, isChromaCentered: isChromaCentered, usesVectors: usesVectors)
      return frame
    }
    for plane in 0..<3 {
      let rows = frames.map { frame in
        var bytes: [UInt8] = []
        frame.withRows(ofPlane: plane) { _, row in bytes += row }
        return bytes
      }
      #expect(rows[0] == rows[1], "plane \(plane)")
    }
  }

  /// The interpolated table differs from the exact mapping by about one 8-bit code, and less for pale colors.
  @Test(arguments: [(FrameLayout.Transfer.hlg, 8.0, 0.5), (.hlg, 16, 0.7), (.pq, 8, 1.3), (.pq, 16, 1.5)])
  func tablesApproximateTheMapping(transfer: FrameLayout.Transfer, saturation: Double, limit: Double) throws {
    var random = SeededGenerator(seed: 7)
    let (layout, target) = Self.layout(transfer)
    let mapping = ToneMapping(from: layout, to: target, peak: 1000)
    let table = ColorTable(mapping.convert)
    var squares = 0.0
    let count = 2000
    for _ in 0..<count {
      let chroma = 128 - saturation...128 + saturation
      let code: ColorCode = (
        y: Double.random(in: 48...220, using: &random) * 256, cb: Double.random(in: chroma, using: &random) * 256,
        cr: Double.random(in: chroma, using: &random) * 256
      )
      let expected = mapping.convert(code)
      let frame = try Frame(width: 8, height: 8, pixelFormat: ColorTable.sourceFormat)
      for (plane, value) in [code.y, code.cb, code.cr].enumerated() {
        frame.withMutableRows(ofPlane: plane) { _, row in
          for offset in stride(from: 0, to: row.count, by: 2) {
            row.storeBytes(of: UInt16(value), toByteOffset: offset, as: UInt16.self)
          }
        }
      }
      let result = try Frame(width: 8, height: 8, pixelFormat: .yuv420p)
      try table.convert(frame, into: result, isChromaCentered: false)
      // The mean over the dither matrix is the value.
      var sum = 0.0
      result.withRows(ofPlane: 0) { _, row in sum += row.reduce(0) { $0 + Double($1) } }
      squares += pow(sum / 64 - expected.y, 2)
    }
    #expect((squares / Double(count)).squareRoot() < limit)
  }
}
