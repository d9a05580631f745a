import ClipModel
import Foundation
import TestSupport
import Testing

@testable import LibAV

/// `Encoder` and `HardwareEncoders`: invalid settings, frames of another size, and early release.
@Suite struct EncodingTests {
  private static func layout(
    _ width: Int, _ height: Int, _ format: PixelFormat = .yuv420p
  ) -> FrameLayout {
    var layout = LibAVMedia.layout
    (layout.width, layout.height, layout.pixelFormat) = (width, height, format)
    return layout
  }

  @Test func eachFrameBecomesAPacket() throws {
    let encoder = try LibAVMedia.encoder()
    #expect(try encoder.receive(into: Packet()) == .needsInput)
    let packets = try LibAVMedia.packets(25, of: encoder)
    #expect(packets.count == 25 && packets.first?.isKeyFrame == true)
    #expect(packets.compactMap(\.presentationTicks).sorted() == Array(0..<25).map(Int64.init))
    // After the end, frames are ignored and no packets are returned.
    #expect(try encoder.send(LibAVMedia.frame(26)))
    #expect(try encoder.send(nil))
    #expect(try encoder.receive(into: Packet()) == .finished)
  }

  /// Settings that only x264 rejects aren't tested, because libavcodec 59 then leaks their memory.
  @Test(arguments: [
    LibAVMedia.settings(layout(0, 120)), LibAVMedia.settings(layout(160, -2)),
    LibAVMedia.settings(layout(160, 120, .rgb24)), LibAVMedia.settings(layout(1 << 20, 1 << 20)),
  ]) func invalidH264SettingsAreRejected(settings: Encoder.VideoSettings) throws {
    for _ in 0..<5 {
      let error = #expect(throws: FFmpegError.self) { try Encoder(h264: settings) }
      #expect(error?.call == "avcodec_open2")
    }
  }

  @Test(arguments: [(0, 48_000), (2, 1_234_567), (300, 48_000), (2, 0)])
  func invalidAACSettingsAreRejected(channelCount: Int, sampleRate: Int) throws {
    #expect(throws: FFmpegError.self) {
      try Encoder(aacChannelCount: channelCount, sampleRate: sampleRate, bitsPerSecond: 64_000)
    }
  }

  /// x264 reads a frame of the configured size, even if the memory of the frame is smaller.
  @Test(arguments: [
    layout(80, 60), layout(320, 240), layout(160, 122), layout(160, 120, .yuv420p10), layout(160, 120, .rgb24),
  ]) func framesOfAnotherSizeOrFormatAreRejected(layout: FrameLayout) throws {
    let encoder = try LibAVMedia.encoder()
    let other = try Frame(width: layout.width, height: layout.height, pixelFormat: layout.pixelFormat)
    let error = #expect(throws: FFmpegError.self) { try encoder.send(other) }
    #expect(error?.call == "avcodec_send_frame")
    #expect(throws: FFmpegError.self) { try encoder.send(Frame()) }
    // The encoder still accepts matching frames.
    #expect(try LibAVMedia.packets(5, of: encoder).count == 5)
  }

  @Test func audioOfAnotherFormatIsRejected() throws {
    let encoder = try Encoder(aacChannelCount: 2, sampleRate: 44_100, bitsPerSecond: 64_000)
    #expect(encoder.frameSampleCount == 1024)
    let mono = try #require(try LibAVMedia.frames(LibAVMedia.clip("mp4"), .audio).first)
    #expect(mono.sampleRate == 48_000 && mono.channelCount == 1)
    #expect(throws: FFmpegError.self) { try encoder.send(mono) }
    #expect(throws: FFmpegError.self) { try encoder.send(LibAVMedia.frame(0)) }
    #expect(try encoder.send(nil))
    #expect(try encoder.receive(into: Packet()) == .finished)
  }

  @Test(arguments: [0, 1, 12]) func encodersCanBeReleasedAtAnyTime(frameCount: Int) throws {
    for ends in [false, true] {
      for _ in 0..<5 {
        let video = try LibAVMedia.packets(frameCount, of: LibAVMedia.encoder(), ends: ends)
        #expect(!ends || video.count == frameCount)
        // Packets own their bytes.
        #expect(video.allSatisfy { !$0.bytes.isEmpty })
      }
    }
  }

  @Test func missingHardwareIsReported() throws {
    let names = ["no-such-encoder", "h264_no_such_vaapi", "h264_no_such_qsv"]
    for _ in 0..<3 {
      let (name, failures) = HardwareEncoders.findWorking(for: LibAVMedia.settings(), among: names)
      #expect(name == nil && failures.count == 3)
      #expect(zip(names, failures).allSatisfy { $1.hasPrefix($0 + ": ") })
    }
    // A software encoder works the same way.
    #expect(HardwareEncoders.findWorking(for: LibAVMedia.settings(), among: names + ["libx264"]).name == "libx264")
  }
}
