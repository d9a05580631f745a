import Testing

@testable import ClipModel

/// A clip is encoded again with a lower bit rate if the output exceeds a limit and another encode can help.
@Suite struct EncodingRetryTests {
  /// Settings with a size limit of 1 MB.
  /// - Parameter cap: the bit rate that fits into the size limit, or `nil` for settings without a size limit.
  private static func encoding(
    _ maximum: Int64 = 7_600_000, cap: Int64? = nil, floor: Int64 = 1, isPromise: Bool = false
  ) -> VideoEncoding {
    var encoding = VideoEncoding()
    (encoding.maximumBitsPerSecond, encoding.bufferBits) = (maximum, maximum)
    encoding.sizeCap = cap.map {
      VideoEncoding.SizeCap(byteCount: 1_000_000, bitsPerSecond: $0, floorBitsPerSecond: floor, isPromise: isPromise)
    }
    return encoding
  }

  private static func output(average: Int64? = nil, highest: Int64? = nil, byteCount: Int64 = 1_000_000) -> ClipProbe {
    var gop = GOPProperties(keyFrameCount: 1, longestSeconds: 1, averageSeconds: 1)
    gop.highestBitsPerSecond = highest
    var video = VideoTrack(index: 0, codec: "h264", width: 1920, height: 1080)
    (video.bitsPerSecond, video.gop) = (average, gop)
    var probe = ClipProbe(container: "mov", byteCount: byteCount)
    probe.videoTracks = [video]
    return probe
  }

  private static func retry(
    after encoding: VideoEncoding, _ output: ClipProbe, encodeCount: Int = 1
  ) -> EncodingRetry? {
    EncodingRetry(after: encoding, output: output, encodeCount: encodeCount)
  }

  /// The next bit rate is 80 % of the one that would have met the more exceeded limit. Nothing else changes.
  @Test(
    arguments: [(16_000_000, nil), (nil, 32_000_000), (16_000_000, 20_000_000), (10_000_000, 32_000_000)]
      as [(Int64?, Int64?)])
  func bitRateAboveLimitIsReduced(average: Int64?, highest: Int64?) {
    var expected = Self.encoding(cap: 2_000_000)
    (expected.maximumBitsPerSecond, expected.bufferBits) = (3_040_000, 1_520_000)
    // The size limit, which is also exceeded, doesn't matter.
    let output = Self.output(average: average, highest: highest, byteCount: 1_000_001)
    #expect(Self.retry(after: Self.encoding(cap: 2_000_000), output)?.encoding == expected)
  }

  /// The bit rate that fits into the size limit. If it wasn't low enough, 95 % of the one that would have fit.
  @Test(
    arguments: [
      (7_600_000, 2_000_000, 2_000_000), (2_000_001, 2_000_000, 2_000_000), (2_000_000, 2_000_000, 1_520_000),
      (1_000_000, 2_000_000, 760_000), (7_600_000, 50_001, 50_001), (7_600_000, 49_999, 50_000),
    ] as [(Int64, Int64, Int64)])
  func outputAboveSizeLimitHasLowerBitRate(maximum: Int64, cap: Int64, next: Int64) {
    var expected = Self.encoding(maximum, cap: cap, isPromise: true)
    (expected.maximumBitsPerSecond, expected.bufferBits) = (next, next)
    let output = Self.output(byteCount: 1_250_000)
    #expect(Self.retry(after: Self.encoding(maximum, cap: cap, isPromise: true), output)?.encoding == expected)
  }

  /// A clip may be larger than its source if it would look bad, or if its bit rate is already that of the source.
  @Test(
    arguments: [(7_600_000, 2_000_000, true), (7_600_000, 2_000_001, false), (2_000_000, 2_000_000, false)]
      as [(Int64, Int64, Bool)])
  func sourceSizeIsExceededForQuality(maximum: Int64, floor: Int64, isRepeated: Bool) {
    let output = Self.output(byteCount: 1_250_000)
    let source = Self.retry(after: Self.encoding(maximum, cap: 2_000_000, floor: floor), output)
    #expect((source != nil) == isRepeated)
    // A requested size is always enforced.
    #expect(Self.retry(after: Self.encoding(maximum, cap: 2_000_000, floor: floor, isPromise: true), output) != nil)
  }

  @Test(arguments: [true, false]) func outputWithinLimitsIsKept(isPromise: Bool) {
    let encoding = Self.encoding(cap: 2_000_000, isPromise: isPromise)
    #expect(Self.retry(after: encoding, Self.output(average: 8_000_000, highest: 16_000_000)) == nil)
    #expect(Self.retry(after: encoding, Self.output()) == nil)
    #expect(Self.retry(after: encoding, Self.output(byteCount: 1_000_001)) != nil)
    #expect(Self.retry(after: Self.encoding(), Self.output(byteCount: .max)) == nil)
    #expect(Self.retry(after: Self.encoding(), ClipProbe(container: "mov", byteCount: 0)) == nil)
  }

  /// The limit needs less than the lowest bit rate, which the last encode already had.
  @Test(arguments: [true, false]) func encodeWithSameSettingsIsNotRepeated(isPromise: Bool) throws {
    let output = Self.output(byteCount: 1_250_000)
    let first = try #require(Self.retry(after: Self.encoding(cap: 30_000, isPromise: isPromise), output))
    #expect(first.encoding.maximumBitsPerSecond == 50_000)
    #expect(Self.retry(after: first.encoding, output, encodeCount: 2) == nil)
  }

  @Test(arguments: [(1, true), (4, true), (5, false)]) func encodesAreLimited(count: Int, isRepeated: Bool) {
    let output = Self.output(average: 16_000_000)
    #expect((Self.retry(after: Self.encoding(), output, encodeCount: count) != nil) == isRepeated)
  }

  @Test func eachLimitHasItsReason() {
    let large = Self.output(byteCount: 1_250_000)
    let retries = [
      Self.retry(after: Self.encoding(), Self.output(average: 16_000_000)),
      Self.retry(after: Self.encoding(), Self.output(highest: 32_000_000)),
      Self.retry(after: Self.encoding(cap: 2_000_000), large),
      Self.retry(after: Self.encoding(cap: 2_000_000, isPromise: true), large),
    ]
    #expect(Set(retries.compactMap { $0?.why }).count == 4)
  }
}
