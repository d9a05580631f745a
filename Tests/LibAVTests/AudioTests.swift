import ClipModel
import Foundation
import TestSupport
import Testing

@testable import LibAV

/// Decoded audio: `AudioConverter` and the samples of a `Frame`.
@Suite struct AudioTests {
  static func encoder() throws -> Encoder {
    try Encoder(aacChannelCount: 2, sampleRate: 44_100, bitsPerSecond: 64_000)
  }

  /// One second of a tone.
  static func tone(_ codec: String, channels: Int, rate: Int) throws -> [Frame] {
    let path = try ClipFactory.clip(
      "tone.mkv",
      ["-f", "lavfi", "-i", "sine=d=1:r=\(rate)", "-ac", "\(channels)", "-ar", "\(rate)", "-c:a", codec])
    return try LibAVMedia.frames(path, .audio)
  }

  static func pulled(_ converter: AudioConverter, isLast: Bool) throws -> [Frame] {
    var frames: [Frame] = []
    while let frame = try converter.pull(isLast: isLast) { frames.append(frame) }
    return frames
  }

  private static let sources: [(String, Int, Int)] = [
    ("pcm_u8", 1, 8000), ("pcm_s16le", 2, 44_100), ("pcm_s32le", 6, 96_000), ("pcm_f32le", 1, 48_000),
    ("pcm_f64le", 2, 22_050), ("aac", 1, 48_000),
  ]

  @Test(arguments: sources) func convertingKeepsTheDuration(codec: String, channels: Int, rate: Int) throws {
    let frames = try Self.tone(codec, channels: channels, rate: rate)
    let encoder = try Self.encoder()
    let converter = try AudioConverter(first: #require(frames.first), encoder: encoder)
    var sampleCount = 0
    for frame in frames {
      try converter.push(frame)
      for pulled in try Self.pulled(converter, isLast: false) {
        #expect(pulled.sampleCount == 1024)
        sampleCount += pulled.sampleCount
        #expect(try encoder.send(pulled))
        while try encoder.receive(into: Packet()) == .produced {}
      }
    }
    try converter.push(nil)
    sampleCount += try Self.pulled(converter, isLast: true).reduce(0) { $0 + $1.sampleCount }
    #expect(abs(sampleCount - 44_100) < 2048 && converter.queuedSampleCount == 0)
    #expect(try converter.pull(isLast: true) == nil)
  }

  /// A broadcast may change its channels, its rate and its format in the middle.
  @Test func formatsMayChangeInTheMiddle() throws {
    let kinds = try Self.sources.map { try Self.tone($0.0, channels: $0.1, rate: $0.2) }
    let converter = try AudioConverter(first: #require(kinds.first?.first), encoder: Self.encoder())
    for _ in 0..<3 { for frames in kinds { try converter.push(frames[1]) } }
    try converter.push(nil)
    #expect(try !Self.pulled(converter, isLast: true).isEmpty)
  }

  @Test func framesWithoutAudioAreRejected() throws {
    let encoder = try Self.encoder()
    let tone = try #require(try Self.tone("pcm_s16le", channels: 2, rate: 44_100).first)
    for _ in 0..<5 {
      #expect(throws: FFmpegError.self) { try AudioConverter(first: Frame(), encoder: encoder) }
      #expect(throws: FFmpegError.self) { try AudioConverter(first: LibAVMedia.frame(0), encoder: encoder) }
      #expect(throws: FFmpegError.self) { try AudioConverter(first: tone, encoder: LibAVMedia.encoder()) }
    }
    let converter = try AudioConverter(first: tone, encoder: encoder)
    #expect(throws: FFmpegError.self) { try converter.push(LibAVMedia.frame(0)) }
    #expect(throws: FFmpegError.self) { try converter.push(Frame()) }
    // The converter still accepts audio.
    try converter.push(tone)
    #expect(converter.queuedSampleCount > 0)
  }

  @Test(arguments: [-1, 0, 1, 1023, 200_000]) func silenceHasTheRequestedLength(count: Int) throws {
    let tone = try #require(try Self.tone("pcm_s16le", channels: 2, rate: 44_100).first)
    let converter = try AudioConverter(first: tone, encoder: Self.encoder())
    try converter.pushSilence(sampleCount: count)
    #expect(converter.queuedSampleCount == max(count, 0))
    let frames = try Self.pulled(converter, isLast: true)
    #expect(frames.reduce(0) { $0 + $1.sampleCount } == max(count, 0))
    #expect(
      frames.allSatisfy { frame in (0..<2).allSatisfy { frame.samples(ofChannel: $0)?.allSatisfy { $0 == 0 } == true } }
    )
  }

  @Test(arguments: sources) func samplesExistForExistingChannels(codec: String, channels: Int, rate: Int) throws {
    let frame = try #require(try Self.tone(codec, channels: channels, rate: rate).first)
    for channel in 0..<channels {
      let samples = try #require(frame.samples(ofChannel: channel))
      #expect(samples.count == frame.sampleCount && samples.allSatisfy { abs($0) <= 1 })
    }
    for channel in [-1, channels, 99] { #expect(frame.samples(ofChannel: channel) == nil) }
  }

  /// While the resampler and the queue have samples.
  @Test func convertersCanBeReleasedAtAnyTime() throws {
    let frames = try Self.tone("pcm_s32le", channels: 6, rate: 96_000)
    for count in 0..<10 {
      let converter = try AudioConverter(first: #require(frames.first), encoder: Self.encoder())
      for frame in frames.prefix(count) { try converter.push(frame) }
      _ = try converter.pull(isLast: false)
    }
  }
}
