import ClipModel
import Foundation
import TestSupport
import Testing

@testable import LibAV

/// Image files: `StillFormat`, `AnimationEncoder` and `ColorTable`.
@Suite struct ImageEncodingTests {
  private static let stills: [(StillFormat, [UInt8])] = [
    (.jpeg(quantizerScale: 4), [0xFF, 0xD8, 0xFF]), (.png, [0x89, 0x50, 0x4E, 0x47]),
    (.webp(quality: 70), [0x52, 0x49, 0x46, 0x46]),
  ]

  private static func still(_ format: PixelFormat, _ width: Int = 33, _ height: Int = 17) throws -> Frame {
    let frame = try Frame(width: width, height: height, pixelFormat: format)
    for plane in 0..<3 {
      frame.withMutableRows(ofPlane: plane) { row, bytes in
        for column in bytes.indices { bytes[column] = UInt8(truncatingIfNeeded: row * 7 + column * 3) }
      }
    }
    return frame
  }

  @Test(arguments: stills) func stillsAreCompleteFiles(format: StillFormat, signature: [UInt8]) throws {
    for (width, height) in [(33, 17), (1, 1), (2, 300)] {
      let bytes = try format.encode(Self.still(format.pixelFormat, width, height))
      #expect(bytes.starts(with: signature) && bytes.count > 20)
    }
  }

  @Test(arguments: stills.map(\.0)) func otherPixelFormatsAndEmptyFramesAreRejected(format: StillFormat) throws {
    for _ in 0..<5 {
      #expect(throws: FFmpegError.self) { try format.encode(Frame()) }
      let other = format.pixelFormat == .rgb24 ? PixelFormat(name: "yuv420p10be") : .rgb24
      #expect(throws: FFmpegError.self) { try format.encode(Self.still(try #require(other))) }
    }
  }

  @Test(arguments: [StillFormat.jpeg(quantizerScale: 0), .jpeg(quantizerScale: 1000), .webp(quality: 1)])
  func extremeQualitiesAreAccepted(format: StillFormat) throws {
    #expect(try !format.encode(Self.still(format.pixelFormat)).isEmpty)
  }

  // MARK: Animations

  private static let animations: [AnimationEncoder.Format] = [.gif, .webp(quality: 70)]

  private static func animated(_ format: AnimationEncoder.Format, _ number: Int, width: Int = 32) throws -> Frame {
    switch format {
    case .gif:
      try Frame(
        indexes: (0..<width * 16).map { UInt8(truncatingIfNeeded: $0 + number) },
        palette: (0..<255 * 3).map { UInt8($0 % 256) },
        width: width, height: 16)
    case .webp:
      try Frame(
        RGBPicture(
          width: width, height: 16, bytes: (0..<width * 16 * 3).map { UInt8(truncatingIfNeeded: $0 + number) }),
        as: .bgra)
    }
  }

  @Test(arguments: animations) func animationsCanBeFinishedOnce(format: AnimationEncoder.Format) throws {
    let encoder = try AnimationEncoder(format, lastDuration: 10)
    for number in 0..<5 { try encoder.add(Self.animated(format, number), ticks: Int64(number * 10)) }
    let bytes = try encoder.finish()
    #expect(bytes.starts(with: "GIF89a".utf8) || bytes.starts(with: "RIFF".utf8))
    #expect(throws: FFmpegError.self) { try encoder.finish() }
    #expect(throws: FFmpegError.self) { try encoder.add(Self.animated(format, 6), ticks: 60) }
  }

  @Test(arguments: animations) func animationsWithoutFramesAreEmpty(format: AnimationEncoder.Format) throws {
    #expect(try AnimationEncoder(format, lastDuration: 10).finish().isEmpty)
  }

  @Test(arguments: animations) func framesOfAnotherSizeAreRejected(format: AnimationEncoder.Format) throws {
    let encoder = try AnimationEncoder(format, lastDuration: 10)
    try encoder.add(Self.animated(format, 0), ticks: 0)
    #expect(throws: FFmpegError.self) { try encoder.add(Self.animated(format, 1, width: 16), ticks: 10) }
    #expect(throws: FFmpegError.self) { try encoder.add(Self.animated(format, 1, width: 64), ticks: 10) }
    #expect(throws: FFmpegError.self) { try encoder.add(Frame(), ticks: 10) }
    try encoder.add(Self.animated(format, 2), ticks: 20)
    #expect(try !encoder.finish().isEmpty)
  }

  /// The encoder is opened for the first frame, so another one can still be the first.
  @Test(arguments: animations) func framesOfAnotherFormatAreRejected(format: AnimationEncoder.Format) throws {
    let encoder = try AnimationEncoder(format, lastDuration: 10)
    for _ in 0..<5 {
      let error = #expect(throws: FFmpegError.self) { try encoder.add(Self.still(.rgb24), ticks: 0) }
      #expect(error?.call == "avcodec_open2")
    }
    try encoder.add(Self.animated(format, 0), ticks: 0)
    #expect(try !encoder.finish().isEmpty)
  }

  /// Another encoder can then use the same frames.
  @Test(arguments: animations) func animationsCanBeReleasedAtAnyTime(format: AnimationEncoder.Format) throws {
    let frames = try (0..<5).map { try Self.animated(format, $0) }
    func add(_ count: Int, to encoder: AnimationEncoder) throws {
      for number in 0..<count { try encoder.add(frames[number], ticks: Int64(number * 10)) }
    }
    for count in 0...frames.count {
      weak var released: AnimationEncoder?
      do {
        let encoder = try AnimationEncoder(format, lastDuration: 10)
        released = encoder
        try add(count, to: encoder)
      }
      let isReleased = released == nil
      #expect(isReleased)
    }
    let encoder = try AnimationEncoder(format, lastDuration: 10)
    try add(frames.count, to: encoder)
    #expect(try !encoder.finish().isEmpty)
  }

  @Test(arguments: [0, 511, 513]) func wrongIndexCountsAreRejected(count: Int) throws {
    #expect(throws: FFmpegError.self) {
      try Frame(indexes: [UInt8](repeating: 1, count: count), palette: [], width: 32, height: 16)
    }
  }

  // MARK: Color tables

  /// The vector code and the scalar loop have the same result, also at widths that aren't multiples of a vector.
  @Test(arguments: [2, 6, 34, 64, 130]) func vectorCodeMatchesTheScalarLoop(width: Int) throws {
    let table = ColorTable { (y: $0.y / 300, cb: $0.cr / 256, cr: $0.cb / 256) }
    var random = SeededGenerator(seed: UInt64(width))
    let source = try Frame(width: width, height: 6, pixelFormat: ColorTable.sourceFormat)
    for plane in 0..<3 {
      source.withMutableRows(ofPlane: plane) { _, bytes in
        for index in bytes.indices { bytes[index] = .random(in: 0...255, using: &random) }
      }
    }
    for isChromaCentered in [false, true] {
      let pictures = try [true, false].map { usesVectors in
        let target = try Frame(width: width, height: 6, pixelFormat: .yuv420p)
        try table.convert(source, into: target, isChromaCentered: isChromaCentered, usesVectors: usesVectors)
        var bytes: [UInt8] = []
        for plane in 0..<3 { target.withRows(ofPlane: plane) { _, row in bytes += row } }
        return bytes
      }
      #expect(pictures[0] == pictures[1])
    }
  }

  @Test func tablesAcceptOnlyTheirFormats() throws {
    let table = ColorTable { $0 }
    let source = try Frame(width: 16, height: 16, pixelFormat: ColorTable.sourceFormat)
    let target = try Frame(width: 16, height: 16, pixelFormat: .yuv420p)
    for (from, to) in [
      (target, target), (source, source), (source, try Frame(width: 14, height: 16, pixelFormat: .yuv420p)),
      (try Frame(width: 15, height: 16, pixelFormat: ColorTable.sourceFormat), target), (try Frame(), target),
      (source, try Frame()),
    ] {
      #expect(throws: FFmpegError.self) { try table.convert(from, into: to, isChromaCentered: false) }
    }
  }
}
