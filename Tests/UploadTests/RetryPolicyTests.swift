import ClipModel
import TestSupport
import Testing

@Suite struct RetryPolicyTests {
  @Test func delaysDoubleUpToLimit() throws {
    var state = RetryState()
    var generator = SeededGenerator(seed: 1)
    let policy = RetryPolicy()
    for base in [1, 2, 4, 8, 16, 32, 64, 64] {
      let delay = try #require(state.nextDelay(policy, using: &generator))
      #expect(delay >= .seconds(base))
      #expect(delay < .seconds(base + 1))
    }
  }

  @Test func budgetEndsRetries() {
    var state = RetryState()
    var generator = SeededGenerator(seed: 2)
    var total = Duration.zero
    while let delay = state.nextDelay(RetryPolicy(), using: &generator) { total += delay }
    #expect(total <= .seconds(600))
    #expect(total > .seconds(500))
  }

  @Test func resetRestartsDelays() {
    var state = RetryState()
    var generator = SeededGenerator(seed: 3)
    while state.nextDelay(RetryPolicy(), using: &generator) != nil {}
    state.reset()
    #expect(state.nextDelay(RetryPolicy(jitter: .zero), using: &generator) == .seconds(1))
  }

  @Test func longerRetryAfterReplacesDelay() {
    var state = RetryState()
    var generator = SeededGenerator(seed: 4)
    let policy = RetryPolicy(jitter: .zero)
    #expect(state.nextDelay(policy, retryAfter: .seconds(30), using: &generator) == .seconds(30))
    #expect(state.nextDelay(policy, retryAfter: .zero, using: &generator) == .seconds(2))
    #expect(state.nextDelay(policy, retryAfter: .seconds(601), using: &generator) == nil)
  }

  static let retryAfters: [(String, Int64?)] = [
    ("0", 0), (" 120 ", 120), ("-1", nil), ("soon", nil), ("1.5", nil),
    ("Thu, 01 Jan 1970 00:02:00 GMT", 20), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_500), ("Sat, 21 Nov 2026 02:47:25 GMT", 1_795_229_145),
    ("Thu, 01 Foo 1970 00:00:00 GMT", nil), ("Thu, 01 Jan 1970 00:00:00 PST", nil),
  ]

  @Test(arguments: retryAfters) func retryAfterIsSecondsOrADate(text: String, expected: Int64?) {
    #expect(RetryAfter.parseDelay(text, now: 100) == expected.map { .seconds($0) })
  }
}
