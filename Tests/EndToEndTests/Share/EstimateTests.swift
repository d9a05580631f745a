import Testing

@testable import bsc

/// Speed and remaining time, at simulated times.
@Suite struct EstimateTests {
  private static let start = ContinuousClock.now

  /// Estimates ten times per second for work whose completed fraction after `t` seconds is `done(t)`.
  private static func estimates(seconds: Double, _ done: (Double) -> Double) -> [(
    at: Double, left: Double?, speed: Double?
  )] {
    var estimate = ProgressEstimate()
    return (0...Int(seconds * 10)).map { tenth in
      let at = Double(tenth) / 10
      let now = start + .milliseconds(100 * tenth)
      estimate.add(done(at), at: now)
      return (at, estimate.secondsLeft(at: now), estimate.speed(at: now))
    }
  }

  @Test func constantSpeedIsEstimatedExactly() throws {
    let estimates = Self.estimates(seconds: 99) { $0 / 100 }
    for estimate in estimates where estimate.at >= 4 {
      let left = try #require(estimate.left)
      #expect(abs(left - max(100 - estimate.at, 1)) < 0.5, "at \(estimate.at)")
      #expect(abs(try #require(estimate.speed) - 0.01) < 0.0005)
    }
  }

  /// The start of an encoder does not predict the rest.
  @Test func startHasNoEstimate() {
    let estimates = Self.estimates(seconds: 2) { $0 / 100 }
    #expect(estimates.allSatisfy { $0.left == nil })
  }

  /// Frames complete in groups and at varying speed; the remaining time still decreases steadily.
  @Test(arguments: [1, 2, 3] as [UInt64]) func estimateIsSteadyForUnevenWork(seed: UInt64) {
    var random = SystemRandomNumberGenerator.seeded(seed)
    var (done, jumps, last) = (0.0, 0, Double?.none)
    var estimate = ProgressEstimate()
    for tenth in 0..<600 {
      let now = Self.start + .milliseconds(100 * tenth)
      if tenth % 7 == 0 { done = min(done + Double.random(in: 0.2...1.8, using: &random) * 0.7 / 120, 0.999) }
      estimate.add(done, at: now)
      guard tenth >= 50, let left = estimate.secondsLeft(at: now) else { continue }
      // The first estimates may change quickly.
      if tenth >= 200, let last, abs(left - (last - 0.1)) > 0.01 * left + 0.2 { jumps += 1 }
      last = left
    }
    #expect(jumps == 0)
    #expect(last != nil)
  }

  /// The speed halves in the middle; the estimate follows within seconds and without a jump.
  @Test func estimateFollowsNewSpeed() throws {
    let estimates = Self.estimates(seconds: 70) { $0 < 40 ? $0 / 80 : 0.5 + ($0 - 40) / 160 }
    let before = try #require(estimates[399].left)
    let after = try #require(estimates[699].left)
    #expect(abs(before - 40) < 3)
    #expect(abs(after - 50) < 12)
    for (estimate, following) in zip(estimates, estimates.dropFirst()) where estimate.at > 10 {
      if let left = estimate.left, let next = following.left { #expect(abs(next - left) < 2, "at \(estimate.at)") }
    }
    #expect(abs(try #require(estimates[699].speed) - 1.0 / 160) < 0.0005)
  }

  @Test func onlyProgressOfThisRunCounts() throws {
    let estimates = Self.estimates(seconds: 10) { 0.8 + $0 / 100 }
    #expect(abs(try #require(estimates[99].left) - 10) < 0.5)
  }

  /// Work that stalls after 30 s: its speed falls to zero, and the remaining time increases until there is no estimate.
  @Test func stalledWorkHasNoEstimate() throws {
    let estimates = Self.estimates(seconds: 4000) { min($0 / 100, 0.3) }
    #expect(abs(try #require(estimates[300].left) - 70) < 0.5)
    #expect(abs(try #require(estimates[300].speed) - 0.01) < 0.0005)
    for estimate in estimates.dropFirst(300) {
      if let left = estimate.left { #expect(left > 68, "at \(estimate.at)") }
    }
    for (estimate, following) in zip(estimates[300...], estimates[301...]) {
      #expect((following.speed ?? 0) <= (estimate.speed ?? 0), "at \(estimate.at)")
    }
    #expect(try #require(estimates[600].left) > 300)
    #expect(estimates[4000...].allSatisfy { $0.left == nil && $0.speed == nil })
  }

  @Test func pauseIsIgnored() throws {
    var estimate = ProgressEstimate()
    for second in 0...20 { estimate.add(Double(second) / 100, at: Self.start + .seconds(second)) }
    for second in 20...80 { estimate.pause(at: Self.start + .seconds(second)) }
    for second in 81...84 { estimate.add(Double(second - 60) / 100, at: Self.start + .seconds(second)) }
    let estimates = estimate.secondsLeft(at: Self.start + .seconds(84))
    let left = try #require(estimates)
    #expect(abs(left - 76) < 8)
  }

  /// A clip can be encoded twice.
  @Test func restartResetsEstimate() {
    var estimate = ProgressEstimate()
    for second in 0...50 { estimate.add(Double(second) / 50, at: Self.start + .seconds(second)) }
    estimate.add(0, at: Self.start + .seconds(51))
    #expect(estimate.secondsLeft(at: Self.start + .seconds(51)) == nil)
    for second in 52...60 { estimate.add(Double(second - 51) / 20, at: Self.start + .seconds(second)) }
    #expect(estimate.secondsLeft(at: Self.start + .seconds(60)).map { abs($0 - 11) < 1 } ?? false)
  }

  @Test(arguments: [
    (0.2, "1 s"), (12.4, "13 s"), (60, "1:00"), (61, "1:05"), (75.2, "1:20"), (599, "10 min"), (601, "11 min"),
    (3540, "59 min"), (3541, "1 h 0 min"), (11_500, "3 h 12 min"),
  ]) func timesAreRounded(seconds: Double, text: String) {
    #expect(TimeText.formatRemaining(seconds) == text)
  }
}

extension SystemRandomNumberGenerator {
  /// A generator that repeats the same numbers.
  fileprivate static func seeded(_ seed: UInt64) -> SplitMix { SplitMix(state: seed) }
}

private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
