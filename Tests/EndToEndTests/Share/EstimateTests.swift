import Testing

@testable import bsc

/// Speed and time left, from times that are made up.
@Suite struct EstimateTests {
  private static let start = ContinuousClock.now

  /// Work that has done `done(t)` after `t` seconds, looked at ten times a second: what people read at each look.
  private static func told(seconds: Double, _ done: (Double) -> Double) -> [(at: Double, left: Double?, speed: Double?)]
  {
    var estimate = Estimate()
    return (0...Int(seconds * 10)).map { tenth in
      let at = Double(tenth) / 10
      let now = start + .milliseconds(100 * tenth)
      estimate.add(done(at), at: now)
      return (at, estimate.secondsLeft(at: now), estimate.speed(at: now))
    }
  }

  @Test func evenWorkIsToldExactly() throws {
    let told = Self.told(seconds: 99) { $0 / 100 }
    for look in told where look.at >= 4 {
      let left = try #require(look.left)
      #expect(abs(left - max(100 - look.at, 1)) < 0.5, "at \(look.at)")
      #expect(abs(try #require(look.speed) - 0.01) < 0.0005)
    }
  }

  /// The first moments of a codec say nothing of the rest.
  @Test func nothingIsSaidOfTheFirstMoments() {
    let told = Self.told(seconds: 2) { $0 / 100 }
    #expect(told.allSatisfy { $0.left == nil })
  }

  /// Frames come in lumps, and some seconds are slower than others: the time left goes on counting down.
  @Test(arguments: [1, 2, 3] as [UInt64]) func lumpsDoNotMakeItJump(seed: UInt64) {
    var random = SystemRandomNumberGenerator.seeded(seed)
    var (done, jumps, last) = (0.0, 0, Double?.none)
    var estimate = Estimate()
    for tenth in 0..<600 {
      let now = Self.start + .milliseconds(100 * tenth)
      if tenth % 7 == 0 { done = min(done + Double.random(in: 0.2...1.8, using: &random) * 0.7 / 120, 0.999) }
      estimate.add(done, at: now)
      guard tenth >= 50, let left = estimate.secondsLeft(at: now) else { continue }
      // The first words are taken back quickly.
      if tenth >= 200, let last, abs(left - (last - 0.1)) > 0.01 * left + 0.2 { jumps += 1 }
      last = left
    }
    #expect(jumps == 0)
    #expect(last != nil)
  }

  /// Half way the link becomes half as fast: a few seconds later people know, and it is no jump.
  @Test func anotherSpeedIsApproached() throws {
    let told = Self.told(seconds: 70) { $0 < 40 ? $0 / 80 : 0.5 + ($0 - 40) / 160 }
    let before = try #require(told[399].left)
    let after = try #require(told[699].left)
    #expect(abs(before - 40) < 3)
    #expect(abs(after - 50) < 12)
    for (look, following) in zip(told, told.dropFirst()) where look.at > 10 {
      if let left = look.left, let next = following.left { #expect(abs(next - left) < 2, "at \(look.at)") }
    }
    #expect(abs(try #require(told[699].speed) - 1.0 / 160) < 0.0005)
  }

  @Test func onlyWhatThisRunDidTellsHowLongTheRestTakes() throws {
    let told = Self.told(seconds: 10) { 0.8 + $0 / 100 }
    #expect(abs(try #require(told[99].left) - 10) < 0.5)
  }

  /// Work that stops after 30 s: its speed falls to nothing, the time left grows until there is none, and at no moment
  /// is it less than when the work stopped.
  @Test func standingStillIsNotPromisedAnEnd() throws {
    let told = Self.told(seconds: 4000) { min($0 / 100, 0.3) }
    #expect(abs(try #require(told[300].left) - 70) < 0.5)
    #expect(abs(try #require(told[300].speed) - 0.01) < 0.0005)
    for look in told.dropFirst(300) {
      if let left = look.left { #expect(left > 68, "at \(look.at)") }
    }
    for (look, following) in zip(told[300...], told[301...]) {
      #expect((following.speed ?? 0) <= (look.speed ?? 0), "at \(look.at)")
    }
    #expect(try #require(told[600].left) > 300)
    #expect(told[4000...].allSatisfy { $0.left == nil && $0.speed == nil })
  }

  @Test func aPauseCountsForNothing() throws {
    var estimate = Estimate()
    for second in 0...20 { estimate.add(Double(second) / 100, at: Self.start + .seconds(second)) }
    for second in 20...80 { estimate.pause(at: Self.start + .seconds(second)) }
    for second in 81...84 { estimate.add(Double(second - 60) / 100, at: Self.start + .seconds(second)) }
    let told = estimate.secondsLeft(at: Self.start + .seconds(84))
    let left = try #require(told)
    #expect(abs(left - 76) < 8)
  }

  /// A clip that is encoded once more.
  @Test func beginningAnewForgetsWhatWas() {
    var estimate = Estimate()
    for second in 0...50 { estimate.add(Double(second) / 50, at: Self.start + .seconds(second)) }
    estimate.add(0, at: Self.start + .seconds(51))
    #expect(estimate.secondsLeft(at: Self.start + .seconds(51)) == nil)
    for second in 52...60 { estimate.add(Double(second - 51) / 20, at: Self.start + .seconds(second)) }
    #expect(estimate.secondsLeft(at: Self.start + .seconds(60)).map { abs($0 - 11) < 1 } ?? false)
  }

  @Test(arguments: [
    (0.2, "1 s"), (12.4, "13 s"), (60, "1:00"), (61, "1:05"), (75.2, "1:20"), (599, "10 min"), (601, "11 min"),
    (3540, "59 min"), (3541, "1 h 0 min"), (11_500, "3 h 12 min"),
  ]) func timesAreAsExactAsGuessesAre(seconds: Double, text: String) {
    #expect(TimeText.left(seconds) == text)
  }
}

extension SystemRandomNumberGenerator {
  /// A small generator of its own: the same numbers each time.
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
