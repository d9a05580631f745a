import ClipModel
import Foundation
import TestSupport
import Testing

@testable import LibAV

/// `RemuxContainer`: copies, the order of calls, and early release.
@Suite struct RemuxTests {
  static let formats: [(RemuxContainer.Format, String)] = [
    (.matroska, "mkv"), (.webM, "webm"), (.transportStream(withArrivalTimes: false), "ts"),
    (.transportStream(withArrivalTimes: true), "m2ts"), (.avi, "avi"),
  ]

  private static func source(_ kind: String) throws -> InputContainer {
    try InputContainer(path: try LibAVMedia.clip(kind))
  }

  private static func packets(_ container: InputContainer) throws -> [Packet] {
    var packets: [Packet] = []
    while true {
      let packet = try Packet()
      guard try container.read(into: packet) else { return packets }
      packets.append(packet)
    }
  }

  @Test(arguments: formats) func copiesHaveTheSamePackets(format: RemuxContainer.Format, kind: String) throws {
    let folder = try ScratchFolder()
    let source = try Self.source(kind)
    let copy = try RemuxContainer(format, at: folder.path("copy.\(kind)"))
    for stream in source.streams {
      #expect(copy.accepts(stream))
      _ = try copy.addTrack(copying: stream, metadata: ["language": "deu"])
    }
    #expect(try copy.setProgram(of: source))
    copy.setMetadata(["title": "a title"])
    try copy.writeHeader(startSeconds: source.startSeconds)
    let packets = try Self.packets(source)
    let bytes = packets.map(\.bytes)
    for packet in packets {
      try copy.write(packet, track: packet.streamIndex, timeBase: source.streams[packet.streamIndex].timeBase)
    }
    try copy.finish()
    #expect(OpenFiles.paths(withPrefix: folder.path("copy")).isEmpty)
    let copied = try Self.packets(InputContainer(path: folder.path("copy.\(kind)"))).map(\.bytes)
    #expect(Set(copied) == Set(bytes) && copied.count == bytes.count)
  }

  @Test(arguments: formats, OutputTests.Misstep.allCases)
  func callsOutOfOrderThrow(format: (RemuxContainer.Format, String), misstep: OutputTests.Misstep) throws {
    let folder = try ScratchFolder()
    let source = try Self.source(format.1)
    let stream = try #require(source.streams.first { $0.kind == .video })
    source.select([stream.index])
    let packets = try Self.packets(source)
    let copy = try RemuxContainer(format.0, at: folder.path("copy.\(format.1)"))
    let track = try copy.addTrack(copying: stream, metadata: [:])
    _ = try copy.setProgram(of: source)
    let isAtEnd = [.endTwice, .packetLate, .headerLate].contains(misstep)
    if ![.packetFirst, .endFirst].contains(misstep) {
      try copy.writeHeader(startSeconds: 0)
      for packet in packets.prefix(3) { try copy.write(packet, track: track, timeBase: stream.timeBase) }
    }
    if isAtEnd { try copy.finish() }
    #expect(throws: FFmpegError.self) {
      switch misstep {
      case .packetFirst, .packetLate: try copy.write(packets[3], track: track, timeBase: stream.timeBase)
      case .endFirst, .endTwice: try copy.finish()
      case .headerTwice, .headerLate: try copy.writeHeader(startSeconds: 0)
      case .trackLate: _ = try copy.addTrack(copying: stream, metadata: [:])
      case .otherTrack:
        for index in [-1, 1, 99] { try copy.write(packets[3], track: index, timeBase: stream.timeBase) }
      }
    }
    guard !isAtEnd else { return }
    if [.packetFirst, .endFirst].contains(misstep) { try copy.writeHeader(startSeconds: 0) }
    try copy.finish()
    #expect(throws: FFmpegError.self) {
      try copy.add(SourceChapter(id: 1, timeBase: Rational(1, 1000), start: 0, end: 1, title: nil))
    }
    #expect(throws: FFmpegError.self) { try copy.addAttachment(copying: stream, content: [1], metadata: [:]) }
  }

  @Test(arguments: formats, [0, 1, 2, 10])
  func copiesCanBeReleasedAtAnyTime(format: (RemuxContainer.Format, String), steps: Int) throws {
    let folder = try ScratchFolder()
    for _ in 0..<5 {
      let source = try Self.source(format.1)
      let copy = try RemuxContainer(format.0, at: folder.path("copy.\(format.1)"))
      guard steps > 0 else { continue }
      for stream in source.streams { _ = try copy.addTrack(copying: stream, metadata: [:], setup: stream.setup) }
      _ = try copy.setProgram(of: source)
      guard steps > 1 else { continue }
      try copy.writeHeader(startSeconds: 0)
      for packet in try Self.packets(source).prefix(steps - 2) {
        try copy.write(packet, track: packet.streamIndex, timeBase: source.streams[packet.streamIndex].timeBase)
      }
    }
    #expect(OpenFiles.paths(withPrefix: folder.path).isEmpty)
  }

  /// Codec configurations and attachments of any length, more than once.
  @Test(arguments: [0, 1, 5000]) func setupsAndAttachmentsAreCopied(count: Int) throws {
    let folder = try ScratchFolder()
    let source = try Self.source("mkv")
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    let copy = try RemuxContainer(.matroska, at: folder.path("copy.mkv"))
    let video = try #require(source.streams.first { $0.kind == .video })
    _ = try copy.addTrack(copying: video, metadata: [:], setup: video.setup)
    for _ in 0..<2 {
      try copy.addAttachment(
        copying: video, content: bytes, metadata: ["filename": "a.bin", "mimetype": "application/octet-stream"])
    }
    try copy.add(SourceChapter(id: 1, timeBase: Rational(1, 1000), start: 0, end: 500, title: "first"))
    do {
      try copy.writeHeader(startSeconds: 0)
      source.select([video.index])
      for packet in try Self.packets(source) { try copy.write(packet, track: 0, timeBase: video.timeBase) }
      try copy.finish()
    } catch {
      // libav's muxer rejects empty attachments.
      #expect(count == 0)
      return
    }
    let written = try InputContainer(path: folder.path("copy.mkv"))
    #expect(written.chapters.map(\.title) == ["first"])
    #expect(written.streams.filter { $0.kind == .attachment }.allSatisfy { $0.setup == bytes })
  }

  @Test func unsupportedCodecsAreKnownBeforeTheHeader() throws {
    let folder = try ScratchFolder()
    let source = try Self.source("mp4")
    let copy = try RemuxContainer(.webM, at: folder.path("copy.webm"))
    #expect(source.streams.allSatisfy { !copy.accepts($0) })
    for stream in source.streams { _ = try copy.addTrack(copying: stream, metadata: [:]) }
    #expect(throws: FFmpegError.self) { try copy.writeHeader(startSeconds: 0) }
    #expect(throws: FFmpegError.self) { try copy.finish() }
    #expect(throws: FFmpegError.self) { try RemuxContainer(.avi, at: folder.path("none/copy.avi")) }
  }
}
