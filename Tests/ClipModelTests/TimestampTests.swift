import ClipModel
import Testing

@Suite struct TimestampTests {
  @Test(arguments: [
    // 29.97 fps to a 90 kHz clock and back: exact.
    (1001, Rational(1, 30000), Rational(1, 90000), 3003),
    (3003, Rational(1, 90000), Rational(1, 30000), 1001),
    // Halves are rounded away from zero.
    (1, Rational(1, 2), Rational(1, 1), 1), (-1, Rational(1, 2), Rational(1, 1), -1),
    (1, Rational(1, 3), Rational(1, 1), 0), (2, Rational(1, 3), Rational(1, 1), 1),
    // Four hours in nanoseconds overflow 64 bits during the conversion.
    (14_400_000_000_000, Rational(1, 1_000_000_000), Rational(1, 90000), 1_296_000_000),
  ])
  func rescalingRoundsToTheNearestTick(ticks: Int64, from: Rational, to: Rational, expected: Int64) {
    #expect(Timestamp(ticks: ticks, timeBase: from).rescaled(to: to).ticks == expected)
  }

  @Test func rescalingSaturatesInsteadOfTrapping() {
    let huge = Timestamp(ticks: .max, timeBase: Rational(1000, 1))
    #expect(huge.rescaled(to: Rational(1, 90000)).ticks == .max)
    #expect(Timestamp(ticks: 5, timeBase: Rational(1, 0)).rescaled(to: Rational(1, 25)).ticks == 0)
  }

  /// Converting to a finer time base and back is lossless.
  @Test func roundTripThroughAFinerTimeBase() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<1000 {
      let ticks = Int64.random(in: -1_000_000_000...1_000_000_000, using: &generator)
      let coarse = Timestamp(ticks: ticks, timeBase: Rational(1001, 30000))
      #expect(coarse.rescaled(to: Rational(1, 30000)).rescaled(to: coarse.timeBase) == coarse, "\(ticks)")
    }
  }
}
