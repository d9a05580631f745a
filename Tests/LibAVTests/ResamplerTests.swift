import CFFmpeg
import ClipModel
import Foundation
import TestSupport
import Testing

@testable import LibAV

/// The resampler of an `AudioConverter`: input that it doesn't support, and its replacement by another one.
@Suite struct ResamplerTests {
  /// Damage to the description of an audio frame.
  enum Damage: String, CaseIterable, Sendable {
    case noRate, negativeRate, noChannels, manyChannels, unknownFormat

    /// Returns a copy of a frame with the same samples.
    func apply(to frame: Frame) throws -> Frame {
      let copy = try frame.copy()
      var channels = AVChannelLayout()
      channels.order = AV_CHANNEL_ORDER_UNSPEC
      switch self {
      case .noRate: copy.pointer.pointee.sample_rate = 0
      case .negativeRate: copy.pointer.pointee.sample_rate = -1
      case .noChannels: copy.pointer.pointee.ch_layout = channels
      case .manyChannels:
        channels.nb_channels = 65
        copy.pointer.pointee.ch_layout = channels
      case .unknownFormat: copy.pointer.pointee.format = 99
      }
      return copy
    }
  }

  private static func firstFrame(_ codec: String, channels: Int, rate: Int) throws -> Frame {
    try #require(try AudioTests.tone(codec, channels: channels, rate: rate).first)
  }

  @Test(arguments: Damage.allCases) func unsupportedInputIsRejected(damage: Damage) throws {
    let encoder = try AudioTests.encoder()
    let tone = try Self.firstFrame("pcm_s16le", channels: 2, rate: 44_100)
    let damaged = try damage.apply(to: tone)
    for _ in 0..<5 {
      let error = #expect(throws: FFmpegError.self) { try AudioConverter(first: damaged, encoder: encoder) }
      #expect(error?.call == "swr_alloc_set_opts2" || error?.call == "swr_init")
    }
    // The samples before and after the damage are kept.
    let converter = try AudioConverter(first: tone, encoder: encoder)
    for number in 1...3 {
      try converter.push(tone)
      #expect(converter.queuedSampleCount == number * tone.sampleCount)
      #expect(throws: FFmpegError.self) { try converter.push(damaged) }
    }
    #expect(converter.queuedSampleCount == 3 * tone.sampleCount)
  }

  /// A resampler holds back samples for its filter. When another one replaces it, it returns them.
  @Test func changesOfTheFormatKeepAllSamples() throws {
    let kinds = [("pcm_u8", 1, 8000), ("pcm_f64le", 2, 22_050), ("pcm_s32le", 6, 96_000)]
    let frames = try kinds.map { try Self.firstFrame($0.0, channels: $0.1, rate: $0.2) }
    let converter = try AudioConverter(first: #require(frames.first), encoder: AudioTests.encoder())
    var expected = 0.0
    for _ in 0..<20 {
      for frame in frames {
        try converter.push(frame)
        expected += Double(frame.sampleCount) * 44_100 / Double(frame.sampleRate)
      }
    }
    try converter.push(nil)
    // Each of the 60 parts is rounded up to a whole sample.
    #expect(abs(Double(converter.queuedSampleCount) - expected) <= 60)
  }

  @Test func framesOutliveTheirConverter() throws {
    let tone = try Self.firstFrame("pcm_u8", channels: 1, rate: 8000)
    func converted() throws -> (frames: [Frame], count: Int) {
      let converter = try AudioConverter(first: tone, encoder: AudioTests.encoder())
      for _ in 0..<4 { try converter.push(tone) }
      try converter.push(nil)
      let count = converter.queuedSampleCount
      return (try AudioTests.pulled(converter, isLast: true), count)
    }
    let (frames, count) = try converted()
    let samples = try frames.flatMap { try #require($0.samples(ofChannel: 1)) }
    #expect(samples.count == count && samples.contains { $0 != 0 })
  }
}
