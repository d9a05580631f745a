import Testing

@testable import ClipMedia
@testable import ClipModel

/// The limits of the encoder's rate control: the average bit rate, and the quality at the start of short clips.
@Suite struct RateLimitsTests {
  private static func makeEncoding(_ megabits: Double, bufferSeconds: Double) -> VideoEncoding {
    var encoding = VideoEncoding()
    encoding.maximumBitsPerSecond = Int64(megabits * 1e6)
    encoding.bufferBits = Int64(megabits * 1e6 * bufferSeconds)
    return encoding
  }

  @Test(arguments: [1.2, 3, 5.7, 8, 19.9, 20.1, 60, 7200], [0.5, 1, 2])
  func averageStaysBelowTheLimit(durationSeconds: Double, bufferSeconds: Double) {
    for megabits in [0.05, 1, 7.6] {
      let encoding = Self.makeEncoding(megabits, bufferSeconds: bufferSeconds)
      let limits = RateLimits(encoding, durationSeconds: durationSeconds)
      let most = limits.initialFill * Double(limits.bufferBits) + Double(limits.bitsPerSecond) * durationSeconds
      #expect(most <= 1.05 * megabits * 1e6 * durationSeconds + 1)
      #expect(limits.bufferBits <= encoding.bufferBits && limits.bitsPerSecond <= encoding.maximumBitsPerSecond)
      #expect((0.5...0.9).contains(limits.initialFill))
    }
  }

  @Test func longClipsUseTheWholeRate() {
    let encoding = Self.makeEncoding(7.6, bufferSeconds: 2)
    let limits = RateLimits(encoding, durationSeconds: 30)
    #expect(limits.bitsPerSecond == encoding.maximumBitsPerSecond && limits.bufferBits == encoding.bufferBits)
  }

  @Test(arguments: [0, 0.04, 1]) func veryShortClipsHaveABuffer(durationSeconds: Double) {
    let limits = RateLimits(Self.makeEncoding(7.6, bufferSeconds: 2), durationSeconds: durationSeconds)
    #expect(limits.bufferBits == 1_520_000 && limits.initialFill == 0.9)
  }
}
