import CFFmpeg
import ClipModel
import Foundation
import TestSupport
import Testing

@testable import LibAV

/// `Muxer` with files in memory, and initialization segments: the order of calls, invalid outputs, and early release.
@Suite struct MuxerTests {
  static let formats = ["matroska", "mp4"]

  private static func muxer(_ format: String, _ interruption: Interruption = Interruption()) throws -> Muxer {
    try Muxer(format, to: .memory, path: "memory.\(format)", interruption: interruption)
  }

  private static func write(_ packet: Packet, to muxer: Muxer, track: Int, timeBase: Rational) throws {
    try muxer.assign(packet, toTrack: track, timeBase: timeBase)
    try check(av_interleaved_write_frame(muxer.pointer, packet.pointer), "av_interleaved_write_frame", on: "test")
  }

  /// The tracks and packets don't need their encoder, which is released before the header is written.
  @Test(arguments: formats) func filesInMemoryAreComplete(format: String) throws {
    let muxer = try Self.muxer(format)
    func addTrack() throws -> (Int, Rational, [Packet]) {
      let encoder = try LibAVMedia.encoder()
      return (try muxer.addTrack(from: encoder), encoder.timeBase, try LibAVMedia.packets(30, of: encoder))
    }
    let (track, timeBase, packets) = try addTrack()
    try muxer.writeHeader([])
    for packet in packets { try Self.write(packet, to: muxer, track: track, timeBase: timeBase) }
    #expect(muxer.bytes.isEmpty)
    try muxer.finish()
    let path = try ScratchFolder().path("out.\(format)")
    try Data(muxer.bytes).write(to: URL(filePath: path))
    #expect(try LibAVMedia.frames(path).count == 30)
  }

  @Test(arguments: formats, OutputTests.Misstep.allCases)
  func callsOutOfOrderThrow(format: String, misstep: OutputTests.Misstep) throws {
    let encoder = try LibAVMedia.encoder()
    let packets = try LibAVMedia.packets(3, of: encoder)
    let muxer = try Self.muxer(format)
    let track = try muxer.addTrack(from: encoder)
    let isAtEnd = [.endTwice, .packetLate, .headerLate].contains(misstep)
    let isEarly = [.packetFirst, .endFirst].contains(misstep)
    if !isEarly {
      try muxer.writeHeader([])
      for packet in packets.prefix(2) { try Self.write(packet, to: muxer, track: track, timeBase: encoder.timeBase) }
    }
    if isAtEnd { try muxer.finish() }
    let bytes = muxer.bytes
    let error = #expect(throws: FFmpegError.self) {
      switch misstep {
      case .packetFirst, .packetLate: try muxer.assign(packets[2], toTrack: track, timeBase: encoder.timeBase)
      case .endFirst, .endTwice: try muxer.finish()
      case .headerTwice, .headerLate: try muxer.writeHeader([])
      case .trackLate: _ = try muxer.addTrack(from: encoder)
      case .otherTrack: try muxer.assign(packets[2], toTrack: 1, timeBase: encoder.timeBase)
      }
    }
    #expect(error?.code == (misstep == .otherTrack ? bsc_AVERROR_STREAM_NOT_FOUND : bsc_AVERROR_EINVAL))
    #expect(muxer.bytes == bytes && bytes.isEmpty == !isAtEnd)
    guard !isAtEnd else { return }
    if isEarly { try muxer.writeHeader([]) }
    try muxer.finish()
    #expect(!muxer.bytes.isEmpty)
  }

  @Test(arguments: formats) func durationsExistForExistingTracks(format: String) throws {
    let muxer = try Self.muxer(format)
    _ = try muxer.addTrack(from: LibAVMedia.encoder())
    _ = try muxer.addTrack(from: AudioTests.encoder())
    try muxer.writeHeader([])
    let base = try #require(muxer.timeBase(ofTrack: 0))
    #expect(abs(Double(muxer.nominalDuration(ofTrack: 0)) * base.value - 1 / 25) < 1e-9)
    #expect(muxer.nominalDuration(ofTrack: 1) == 0 && muxer.timeBase(ofTrack: 1) != nil)
    for index in [-1, 2, .max] {
      #expect(muxer.nominalDuration(ofTrack: index) == 0 && muxer.timeBase(ofTrack: index) == nil)
    }
  }

  // MARK: Errors

  @Test func unknownFormatsAreRejected() throws {
    for _ in 0..<5 {
      let error = #expect(throws: FFmpegError.self) { try Self.muxer("no-such-format") }
      #expect(error?.call == "avformat_alloc_output_context2")
    }
  }

  @Test func filesThatCannotBeWrittenAreRejected() throws {
    let folder = try ScratchFolder()
    let file = try folder.write("text", to: "a.txt")
    for _ in 0..<5 {
      for (path, code) in [
        (folder.path, EISDIR), (folder.path("none/a.mkv"), ENOENT), (file + "/a.mkv", ENOTDIR),
      ] {
        let error = #expect(throws: FFmpegError.self) {
          try Muxer("matroska", to: .file, path: path, interruption: Interruption())
        }
        #expect(error?.call == "avio_open2" && error?.code == -code)
      }
    }
    #expect(try folder.text("a.txt") == "text" && folder.names() == ["a.txt"])
  }

  /// After a header that libav rejects, the muxer accepts no calls.
  @Test(arguments: formats) func filesWithoutTracksAreRejected(format: String) throws {
    let muxer = try Self.muxer(format)
    let error = #expect(throws: FFmpegError.self) { try muxer.writeHeader([]) }
    #expect(error?.call == "avformat_write_header")
    #expect(throws: FFmpegError.self) { try muxer.addTrack(from: LibAVMedia.encoder()) }
    #expect(throws: FFmpegError.self) { try muxer.writeHeader([]) }
    #expect(throws: FFmpegError.self) { try muxer.finish() }
    #expect(muxer.bytes.isEmpty)
  }

  @Test(arguments: formats) func interruptedFilesStayIncomplete(format: String) throws {
    let interruption = Interruption()
    let encoder = try LibAVMedia.encoder()
    let packets = try LibAVMedia.packets(2, of: encoder)
    let muxer = try Self.muxer(format, interruption)
    let track = try muxer.addTrack(from: encoder)
    try muxer.writeHeader([])
    try Self.write(packets[0], to: muxer, track: track, timeBase: encoder.timeBase)
    interruption.interrupt()
    for _ in 0..<2 {
      #expect(throws: FFmpegError.self) {
        try Self.write(packets[1], to: muxer, track: track, timeBase: encoder.timeBase)
      }
      let error = #expect(throws: FFmpegError.self) { try muxer.finish() }
      #expect(error?.isInterruption == true)
    }
    #expect(muxer.bytes.isEmpty)
  }

  // MARK: Memory

  @Test(arguments: formats, [0, 1, 2, 12]) func filesInMemoryCanBeReleasedAtAnyTime(format: String, steps: Int) throws {
    for _ in 0..<5 {
      let encoder = try LibAVMedia.encoder()
      let muxer = try Self.muxer(format)
      guard steps > 0 else { continue }
      let track = try muxer.addTrack(from: encoder, orientation: Orientation.all[1])
      guard steps > 1 else { continue }
      try muxer.writeHeader([])
      for packet in try LibAVMedia.packets(steps - 2, of: encoder) {
        try Self.write(packet, to: muxer, track: track, timeBase: encoder.timeBase)
      }
      #expect(muxer.bytes.isEmpty)
    }
  }

  #if os(Linux)
  /// The release cannot report that the disk is full.
  @Test(arguments: formats) func filesOnAFullDiskAreClosed(format: String) throws {
    for _ in 0..<5 {
      let encoder = try LibAVMedia.encoder()
      let muxer = try Muxer(format, to: .file, path: "/dev/full", interruption: Interruption())
      let track = try muxer.addTrack(from: encoder)
      try? muxer.writeHeader([])
      for packet in try LibAVMedia.packets(5, of: encoder) {
        try? Self.write(packet, to: muxer, track: track, timeBase: encoder.timeBase)
      }
    }
    #expect(OpenFiles.paths(withPrefix: "/dev/full").isEmpty)
  }
  #endif

  // MARK: Initialization segments

  @Test func initializationSegmentsHaveNoPackets() throws {
    let encoder = try LibAVMedia.encoder()
    let packet = try #require(try LibAVMedia.packets(1, of: encoder).first)
    let output = try OutputContainer(initializationSegment: Interruption())
    let track = try output.addTrack(from: encoder)
    let segment = try output.writeInitializationSegment()
    #expect(segment.dropFirst(4).starts(with: "ftyp".utf8) && segment == output.bytes)
    #expect(output.timeBase(ofTrack: track) != nil)
    #expect(throws: FFmpegError.self) { try output.writeInitializationSegment() }
    #expect(throws: FFmpegError.self) { try output.write(packet, track: track, timeBase: encoder.timeBase) }
    #expect(throws: FFmpegError.self) { try output.addTrack(from: encoder) }
    #expect(throws: FFmpegError.self) { try output.finish() }
    #expect(segment == output.bytes)
  }

  @Test func initializationSegmentsNeedTracks() throws {
    for _ in 0..<5 {
      let output = try OutputContainer(initializationSegment: Interruption())
      #expect(throws: FFmpegError.self) { try output.closeAfterHeader() }
      let error = #expect(throws: FFmpegError.self) { try output.writeInitializationSegment() }
      #expect(error?.call == "avformat_write_header")
      #expect(throws: FFmpegError.self) { try output.closeAfterHeader() }
      #expect(output.bytes.isEmpty)
    }
  }
}
