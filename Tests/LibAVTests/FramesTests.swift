import CFFmpeg
import ClipModel
import Foundation
import TestSupport
import Testing

@testable import LibAV

/// Video frames: `Frame`, `FramePool`, `FormatConverter`, `ZimgGraph` and `Deinterlacer`.
@Suite struct FramesTests {
  private static func bytes(_ frame: Frame) -> [UInt8] {
    (0..<4).flatMap { LibAVMedia.rows(frame, plane: $0) }
  }

  @Test(arguments: [(0, 0), (0, 5), (-1, 5), (16, -16), (1 << 20, 1 << 20)])
  func invalidSizesAreRejected(width: Int, height: Int) throws {
    #expect(throws: FFmpegError.self) { try Frame(width: width, height: height, pixelFormat: .yuv420p) }
    #expect(throws: FFmpegError.self) {
      try FramePool(width: width, height: height, pixelFormat: .yuv420p).makeFrame()
    }
    #expect(throws: FFmpegError.self) {
      try FormatConverter(width: width, height: height, from: .rgb24)
        .convert(Frame(width: width, height: height, pixelFormat: .rgb24))
    }
  }

  @Test func emptyFramesHaveNoContent() throws {
    let frame = try Frame()
    #expect(Self.bytes(frame).isEmpty && frame.sampleCount == 0 && frame.samples(ofChannel: 0) == nil)
    #expect(frame.presentationTicks == nil && frame.peakLuminance == nil && frame.contentLight == nil)
    #expect(throws: FFmpegError.self) { try frame.copy() }
    #expect(throws: FFmpegError.self) { try frame.alignedCopy() }
    #expect(throws: FFmpegError.self) { try frame.upperField() }
    #expect(throws: FFmpegError.self) { try frame.oriented(Orientation.all[1]) }
  }

  /// Copies share buffers, which are released with the last copy.
  @Test func copiesOutliveTheirOriginal() throws {
    let size = LibAVMedia.layout(34, 18)
    let original = Self.bytes(try LibAVMedia.frame(1, size))
    func copies() throws -> [Frame] {
      let frame = try LibAVMedia.frame(1, size)
      return try [frame.copy(), frame.alignedCopy(), frame.cropped(width: 16, height: 10), frame.upperField()]
    }
    let frames = try copies()
    #expect(Self.bytes(frames[0]) == original && Self.bytes(frames[1]) == original)
    #expect(Self.bytes(frames[2]).count == 16 * 10 * 3 / 2)
    #expect((frames[3].width, frames[3].height) == (34, 9))
    #expect(frames.allSatisfy { $0.presentationTicks == 1 })
  }

  /// Also with odd sizes, whose chroma planes have one sample more than half.
  @Test(arguments: Orientation.all, [(16, 8), (33, 17), (1, 1), (2, 9)])
  func orientedFramesHaveTheRightSize(orientation: Orientation, size: (Int, Int)) throws {
    let frame = try LibAVMedia.frame(1, LibAVMedia.layout(size.0, size.1))
    let oriented = try frame.oriented(orientation)
    #expect((oriented.width, oriented.height) == (orientation.swapsAxes ? (size.1, size.0) : size))
    #expect(Self.bytes(oriented).count == Self.bytes(frame).count && oriented.presentationTicks == 1)
    #expect(orientation != .upright || oriented === frame)
  }

  @Test func framesOutliveTheirPool() throws {
    func frames() throws -> [Frame] {
      let pool = try FramePool(width: 33, height: 17, pixelFormat: .yuv420p)
      return try (0..<10).map { _ in try pool.makeFrame() }
    }
    let frames = try frames()
    for (number, frame) in frames.enumerated() {
      for plane in 0..<3 {
        frame.withMutableRows(ofPlane: plane) { _, row in row.initializeMemory(as: UInt8.self, repeating: UInt8(number))
        }
      }
    }
    for (number, frame) in frames.enumerated() { #expect(Self.bytes(frame).allSatisfy { $0 == UInt8(number) }) }
    #expect(frames.allSatisfy { ZimgGraph.isAligned($0) })
  }

  @Test func poolsReuseTheirMemory() throws {
    let pool = try FramePool(width: 64, height: 64, pixelFormat: .yuv420p)
    let addresses = try (0..<10).map { _ in try pool.makeFrame().planeData(0) }
    #expect(Set(addresses).count == 1)
  }

  // MARK: Conversions

  @Test(arguments: ["nv12", "yuyv422", "p010le", "rgb24", "yuv420p10be", "bgra", "gray", "yuv444p12be"])
  func otherFormatsAreConvertedToPlanarOnes(name: String) throws {
    let format = try #require(PixelFormat(name: name))
    for (width, height) in [(64, 32), (33, 17), (1, 1)] {
      let converter = try FormatConverter(width: width, height: height, from: format)
      let source = try Frame(width: width, height: height, pixelFormat: format)
      source.withMutableRows(ofPlane: 0) { _, row in row.initializeMemory(as: UInt8.self, repeating: 100) }
      source.presentationTicks = 7
      let planar = try converter.convert(source)
      #expect(ZimgGraph.supports(planar.pixelFormat) && (planar.width, planar.height) == (width, height))
      #expect(planar.presentationTicks == 7)
      for other in [
        try Frame(width: width + 1, height: height, pixelFormat: format),
        try Frame(width: width, height: height, pixelFormat: .yuv420p), try Frame(),
      ] {
        #expect(!converter.accepts(other))
        #expect(throws: FFmpegError.self) { try converter.convert(other) }
      }
    }
  }

  @Test(arguments: [("yuv420p", "yuv444p"), ("yuvj420p", "yuvj444p"), ("yuv420p10le", "yuv444p10le")])
  func convertedFramesOutliveTheirConverter(source: String, target: String) throws {
    let format = try #require(PixelFormat(name: source))
    func converted() throws -> Frame {
      let frame = try LibAVMedia.frame(7, LibAVMedia.layout(33, 17, format))
      return try FormatConverter(fullChromaOf: format, width: 33, height: 17).convert(frame)
    }
    let frame = try converted()
    #expect(frame.pixelFormat == PixelFormat(name: target) && (frame.width, frame.height) == (33, 17))
    #expect(Self.bytes(frame).count == 33 * 17 * 3 * (format.bitDepth == 8 ? 1 : 2))
    #expect(frame.presentationTicks == 7)
  }

  @Test func graphsAcceptOnlyTheirLayouts() throws {
    let (small, large) = (LibAVMedia.layout(64, 48), LibAVMedia.layout(128, 96))
    let graph = try ZimgGraph(from: large, to: small)
    let source = try LibAVMedia.frame(1, large)
    let target = try Frame(width: 64, height: 48, pixelFormat: .yuv420p)
    for _ in 0..<20 { try graph.convert(source, into: target) }
    #expect(target.layout == small)
    for (from, to) in [(target, target), (source, source), (try Frame(), target), (source, try Frame())] {
      #expect(throws: ZimgError.self) { try graph.convert(from, into: to) }
    }
  }

  /// zimg reads whole vectors, so it needs aligned frames.
  @Test func unalignedFramesAreRejected() throws {
    let graph = try ZimgGraph(from: LibAVMedia.layout(64, 48), to: LibAVMedia.layout(32, 24))
    let target = try Frame(width: 32, height: 24, pixelFormat: .yuv420p)
    let wide = try LibAVMedia.frame(1, LibAVMedia.layout(80, 48))
    wide.pointer.pointee.data.0 = wide.pointer.pointee.data.0.map { $0 + 2 }
    let moved = try wide.cropped(width: 64, height: 48)
    #expect(!ZimgGraph.isAligned(moved))
    #expect(throws: ZimgError.self) { try graph.convert(moved, into: target) }
    try graph.convert(moved.alignedCopy(), into: target)
  }

  @Test(arguments: [
    LibAVMedia.layout(0, 0), LibAVMedia.layout(33, 17), LibAVMedia.layout(64, 48, .rgb24),
  ]) func unsupportedLayoutsAreRejected(layout: FrameLayout) throws {
    for _ in 0..<5 {
      #expect(throws: ZimgError.self) { try ZimgGraph(from: layout, to: LibAVMedia.layout(32, 24)) }
      #expect(throws: ZimgError.self) { try ZimgGraph(from: LibAVMedia.layout(32, 24), to: layout) }
    }
  }

  // MARK: Deinterlacing

  private static func deinterlaced(_ sizes: [(Int, Int)]) throws -> [Frame] {
    let deinterlacer = try Deinterlacer(timeBase: Rational(1, 25))
    var frames: [Frame] = []
    for (number, size) in sizes.enumerated() {
      try deinterlacer.send(LibAVMedia.frame(number, LibAVMedia.layout(size.0, size.1)))
      while let frame = try deinterlacer.receive() { frames.append(frame) }
    }
    try deinterlacer.send(nil)
    while let frame = try deinterlacer.receive() { frames.append(frame) }
    #expect(throws: FFmpegError.self) { try deinterlacer.send(LibAVMedia.frame(99, LibAVMedia.layout(64, 48))) }
    return frames
  }

  @Test func eachFieldBecomesAFrame() throws {
    let frames = try Self.deinterlaced(Array(repeating: (64, 48), count: 10))
    #expect(frames.map(\.presentationTicks) == (0..<20).map(Int64.init))
  }

  /// A broadcast may change its size in the middle. No frame is lost, and none is read past its end.
  @Test func deinterlacesFramesOfChangingSize() throws {
    let sizes = [(64, 48), (64, 48), (64, 48), (32, 24), (32, 24), (128, 96), (128, 96), (128, 96)]
    let frames = try Self.deinterlaced(sizes)
    #expect(frames.map(\.width) == sizes.flatMap { [$0.0, $0.0] })
    #expect(frames.compactMap(\.presentationTicks) == (0..<16).map(Int64.init))
  }

  /// The frames before and after the rejected one are deinterlaced.
  @Test func framesWithoutContentAreNotDeinterlaced() throws {
    let deinterlacer = try Deinterlacer(timeBase: Rational(1, 25))
    var count = 0
    for number in 0..<6 {
      for _ in 0..<3 {
        let error = #expect(throws: FFmpegError.self) { try deinterlacer.send(Frame()) }
        #expect(error?.call == "bwdif")
      }
      try deinterlacer.send(LibAVMedia.frame(number))
      while try deinterlacer.receive() != nil { count += 1 }
    }
    try deinterlacer.send(nil)
    while try deinterlacer.receive() != nil { count += 1 }
    #expect(count == 12)
  }

  /// MP4 stores time scales of up to 32 bits.
  @Test(arguments: [1 << 30, .max] as [Int32]) func timeBasesWithoutHalfTicksAreRejected(denominator: Int32) throws {
    let error = #expect(throws: FFmpegError.self) { try Deinterlacer(timeBase: Rational(1, denominator)) }
    #expect(error?.call == "bwdif" && error?.code == bsc_AVERROR_EINVAL)
    let finest = try Deinterlacer(timeBase: Rational(1, (1 << 30) - 1))
    #expect(finest.timeBase == Rational(1, Int32.max - 1))
  }

  @Test(arguments: [0, 1, 5]) func deinterlacersCanBeReleasedAtAnyTime(count: Int) throws {
    for _ in 0..<10 {
      let deinterlacer = try Deinterlacer(timeBase: Rational(1, 25))
      #expect(try deinterlacer.receive() == nil)
      try deinterlacer.send(nil)
      for number in 0..<count { try deinterlacer.send(LibAVMedia.frame(number)) }
    }
  }
}
