import ClipModel
import Foundation
import TestSupport
import Testing

@testable import LibAV

/// `OutputContainer`: the order of its calls, disk errors, and early release.
@Suite struct OutputTests {
  enum Kind: String, CaseIterable, Sendable {
    case mp4, hls

    func container(in folder: ScratchFolder, _ interruption: Interruption = Interruption()) throws -> OutputContainer {
      switch self {
      case .mp4: try OutputContainer(mp4At: folder.path("out.mp4"), interruption: interruption)
      case .hls: try OutputContainer(hlsIn: folder.path, segmentSeconds: 1, interruption: interruption)
      }
    }

  }

  @Test(arguments: Kind.allCases) func correctCallsWriteACompleteFile(kind: Kind) throws {
    let folder = try ScratchFolder()
    let encoder = try LibAVMedia.encoder()
    let output = try kind.container(in: folder)
    #expect(output.timeBase(ofTrack: 0) == nil)
    let track = try output.addTrack(from: encoder, orientation: Orientation.all[1])
    try output.writeHeader()
    for packet in try LibAVMedia.packets(60, of: encoder) {
      try output.write(packet, track: track, timeBase: encoder.timeBase)
    }
    try output.finish()
    #expect(OpenFiles.paths(withPrefix: folder.path).isEmpty)
    guard kind == .mp4 else { return #expect(try folder.names().contains("segment1.m4s")) }
    #expect(try LibAVMedia.frames(folder.path("out.mp4")).count == 60)
    #expect(try InputContainer(path: folder.path("out.mp4")).streams.first?.orientation == Orientation.all[1])
  }

  /// A call out of order.
  enum Misstep: String, CaseIterable, Sendable {
    case packetFirst, endFirst, headerTwice, trackLate, endTwice, packetLate, otherTrack, headerLate
  }

  @Test(arguments: Kind.allCases, Misstep.allCases) func callsOutOfOrderThrow(kind: Kind, misstep: Misstep) throws {
    let folder = try ScratchFolder()
    let encoder = try LibAVMedia.encoder()
    let packets = try LibAVMedia.packets(3, of: encoder)
    let output = try kind.container(in: folder)
    let track = try output.addTrack(from: encoder)
    let write = { try output.write(packets[2], track: track, timeBase: encoder.timeBase) }
    if ![.packetFirst, .endFirst].contains(misstep) {
      try output.writeHeader()
      for packet in packets.prefix(2) { try output.write(packet, track: track, timeBase: encoder.timeBase) }
    }
    if [.endTwice, .packetLate, .headerLate].contains(misstep) { try output.finish() }
    let error = #expect(throws: FFmpegError.self) {
      switch misstep {
      case .packetFirst, .packetLate: try write()
      case .endFirst, .endTwice: try output.finish()
      case .headerTwice, .headerLate: try output.writeHeader()
      case .trackLate: _ = try output.addTrack(from: encoder)
      case .otherTrack:
        for index in [-1, 1, 99] { try output.write(packets[2], track: index, timeBase: encoder.timeBase) }
      }
    }
    #expect(error?.explanation.category == .unjudged)
    // Correct calls still work after the error.
    guard ![.endTwice, .packetLate, .headerLate].contains(misstep) else { return }
    if [.packetFirst, .endFirst].contains(misstep) { try output.writeHeader() }
    try write()
    try output.finish()
  }

  @Test(arguments: Kind.allCases, [0, 1, 2, 12]) func outputsCanBeReleasedAtAnyTime(kind: Kind, steps: Int) throws {
    let folder = try ScratchFolder()
    for _ in 0..<5 {
      let encoder = try LibAVMedia.encoder()
      let output = try kind.container(in: folder)
      guard steps > 0 else { continue }
      let track = try output.addTrack(from: encoder)
      guard steps > 1 else { continue }
      try output.writeHeader()
      for packet in try LibAVMedia.packets((steps - 2) * 5, of: encoder) {
        try output.write(packet, track: track, timeBase: encoder.timeBase)
      }
    }
    #expect(OpenFiles.paths(withPrefix: folder.path).isEmpty)
  }

  @Test func missingFoldersHaveTheCategoryNoInput() throws {
    let path = try ScratchFolder().path("none/out.mp4")
    let error = #expect(throws: FFmpegError.self) { try OutputContainer(mp4At: path) }
    #expect(error?.explanation.category == .noInput && error?.subject == "out.mp4")
  }

  @Test func failedHeadersEndTheOutput() throws {
    let output = try OutputContainer(mp4At: try ScratchFolder().path("out.mp4"))
    let path = try ClipFactory.clip("a.mkv", ["-f", "lavfi", "-i", "testsrc2=s=64x64:d=1", "-c:v", "huffyuv"])
    let stream = try #require(try InputContainer(path: path).streams.first)
    _ = try output.addTrack(copying: stream)
    #expect(throws: FFmpegError.self) { try output.writeHeader() }
    #expect(throws: FFmpegError.self) { try output.writeHeader() }
    #expect(throws: FFmpegError.self) { try output.write(Packet(), track: 0, timeBase: Rational(1, 25)) }
    #expect(throws: FFmpegError.self) { try output.finish() }
  }

  #if os(Linux)
  @Test func fullDisksAreReported() throws {
    let output = try OutputContainer(mp4At: "/dev/full")
    let encoder = try LibAVMedia.encoder()
    let error = #expect(throws: FFmpegError.self) {
      let track = try output.addTrack(from: encoder)
      try output.writeHeader()
      for packet in try LibAVMedia.packets(50, of: encoder) {
        try output.write(packet, track: track, timeBase: encoder.timeBase)
      }
      try output.finish()
    }
    #expect(error?.isDiskFull == true && error?.explanation.category == .inputOutput)
  }
  #endif

  @Test(arguments: Kind.allCases) func interruptedOutputsStop(kind: Kind) throws {
    let folder = try ScratchFolder()
    let interruption = Interruption()
    let encoder = try LibAVMedia.encoder()
    let output = try kind.container(in: folder, interruption)
    let track = try output.addTrack(from: encoder)
    try output.writeHeader()
    interruption.interrupt()
    let error = #expect(throws: FFmpegError.self) {
      for packet in try LibAVMedia.packets(60, of: encoder) {
        try output.write(packet, track: track, timeBase: encoder.timeBase)
      }
      try output.finish()
    }
    #expect(error?.isInterruption == true)
  }
}
