import ClipModel
import Foundation
import TestSupport
import Testing

@testable import LibAV

/// `Decoder`: order of calls, damage, and what happens to memory when it goes.
@Suite struct DecodingTests {
  private static func opened(_ kind: SourceStream.Kind = .video) throws -> (InputContainer, SourceStream) {
    let container = try InputContainer(path: try LibAVMedia.clip("mp4"))
    let stream = try #require(container.streams.first { $0.kind == kind })
    container.select([stream.index])
    return (container, stream)
  }

  @Test(arguments: [1, 2, 8]) func allFramesComeAndThenTheEnd(threadCount: Int) throws {
    let (container, stream) = try Self.opened()
    let decoder = try Decoder(stream, threadCount: threadCount)
    #expect(try decoder.receive(into: Frame()) == .needsInput)
    let frames = try LibAVMedia.frames(of: decoder, in: container)
    #expect(frames.count == 25 && Set(frames.map(\.presentationTicks)).count == 25)
    // After the end: what is sent is left out, and nothing comes.
    let packet = try Packet()
    try container.seek(stream: stream, ticks: 0)
    #expect(try container.read(into: packet))
    #expect(try decoder.send(packet))
    #expect(try decoder.send(nil))
    #expect(try decoder.receive(into: Frame()) == .finished)
    // A flush begins again.
    decoder.flush()
    try container.seek(stream: stream, ticks: 0)
    #expect(try LibAVMedia.frames(of: decoder, in: container).count == 25)
    #expect(decoder.takeConcealedError() == nil)
  }

  @Test func aFullDecoderAsksForItsFrames() throws {
    let (container, stream) = try Self.opened()
    let decoder = try Decoder(stream, threadCount: 1)
    let packet = try Packet()
    var sent = 0
    while try container.read(into: packet), try decoder.send(packet) { sent += 1 }
    #expect((1..<25).contains(sent))
    // The packet that was refused is not lost: it is taken once there is room.
    let refused = packet.bytes
    repeat { #expect(try decoder.receive(into: Frame()) == .produced) } while try !decoder.send(packet)
    #expect(packet.bytes == refused)
  }

  @Test func aCodecThatNobodyKnowsIsRefused() throws {
    let folder = try ScratchFolder()
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: try LibAVMedia.clip("mp4"))))
    for place in 0..<bytes.count - 4 where bytes[place..<place + 4].elementsEqual("avc1".utf8) {
      bytes.replaceSubrange(place..<place + 4, with: "zzzz".utf8)
    }
    let path = folder.path("unknown.mp4")
    try Data(bytes).write(to: URL(filePath: path))
    let stream = try #require(try InputContainer(path: path).streams.first { $0.kind == .video })
    #expect(!stream.isDecodable)
    let error = #expect(throws: FFmpegError.self) { try Decoder(stream) }
    #expect(error?.isOfAnUnusableDecoder == true && error?.call == "avcodec_find_decoder")
  }

  /// Bytes that are no picture: an error of the decoder, or a frame and a note of what it concealed. Never a crash, and
  /// the decoder can be used again.
  @Test(arguments: 1...12 as ClosedRange<UInt64>) func noiseIsDamage(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (container, stream) = try Self.opened()
    let decoder = try Decoder(stream, threadCount: Int(seed % 4))
    let packet = try Packet()
    var damageCount = 0
    while try container.read(into: packet) {
      var bytes = packet.bytes
      for _ in 0..<bytes.count / 20 + 1 {
        bytes[Int.random(in: 4..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      try packet.replaceBytes(with: bytes.dropLast(Int.random(in: 0...bytes.count / 2, using: &random)))
      do {
        _ = try decoder.send(packet)
        while try decoder.receive(into: Frame()) == .produced {}
      } catch {
        #expect(error.isOfTheDecoder, "seed \(seed): \(error)")
        damageCount += 1
      }
      if decoder.takeConcealedError() != nil { damageCount += 1 }
    }
    #expect(damageCount > 0, "seed \(seed)")
    decoder.flush()
    try container.seek(stream: stream, ticks: 0)
    #expect(try LibAVMedia.frames(of: decoder, in: container).count == 25, "seed \(seed)")
  }

  @Test func packetsOfAnotherTrackAreDamage() throws {
    let (container, _) = try Self.opened(.audio)
    let (_, video) = try Self.opened()
    let decoder = try Decoder(video, threadCount: 1)
    let packet = try Packet()
    var failureCount = 0
    while try container.read(into: packet) {
      do { _ = try decoder.send(packet) } catch {
        #expect(error.isOfTheDecoder)
        failureCount += 1
      }
      #expect(try decoder.receive(into: Frame()) == .needsInput)
    }
    #expect(failureCount > 0)
  }

  /// A frame holds its own buffers; a decoder, its threads and its container may go first.
  @Test(arguments: [1, 4]) func framesOutliveTheirDecoder(threadCount: Int) throws {
    var frames: [Frame] = []
    do {
      let (container, stream) = try Self.opened()
      frames = try LibAVMedia.frames(of: Decoder(stream, threadCount: threadCount), in: container)
    }
    for frame in frames {
      var sum = 0
      frame.withRows(ofPlane: 0) { _, bytes in sum += bytes.reduce(0) { $0 + Int($1) } }
      #expect(sum > 0)
    }
  }

  /// With packets under way on all threads.
  @Test(arguments: [0, 1, 3, 30]) func aDecoderMayGoAtAnyTime(packetCount: Int) throws {
    for _ in 0..<10 {
      let (container, stream) = try Self.opened()
      let decoder = try Decoder(stream, threadCount: 4)
      let (packet, frame) = (try Packet(), try Frame())
      for _ in 0..<packetCount {
        guard try container.read(into: packet) else { break }
        _ = try decoder.send(packet)
        _ = try decoder.receive(into: frame)
      }
    }
  }

  @Test func whatIsLoggedIsTakenOnce() {
    let errors = DecoderErrors(toleratesGaps: true)
    errors.note("Frame num gap 3 1")
    #expect(errors.take() == nil)
    errors.note(" ")
    #expect(errors.take() == "")
    errors.note(" ")
    errors.note("error while decoding MB 1 2")
    errors.note("another")
    #expect(errors.take() == "error while decoding MB 1 2")
    #expect(errors.take() == nil)
    let strict = DecoderErrors(toleratesGaps: false)
    strict.note("Frame num gap 3 1")
    #expect(strict.take() == "Frame num gap 3 1")
  }

  /// A stream that starts with a recovery point has the frame numbers of what was before it.
  @Test func gapsAtTheStartAreIgnoredOnce() {
    let errors = DecoderErrors(toleratesGaps: false)
    errors.ignoreStartGap()
    errors.note("Frame num gap 5 0")
    errors.note("Frame num gap 5 1")
    #expect(errors.take() == nil)
    errors.note("Frame num gap 9 6")
    errors.note("Frame num gap 5 1")
    #expect(errors.take() == "Frame num gap 9 6")
  }
}
