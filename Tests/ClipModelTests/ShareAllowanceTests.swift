import ClipModel
import Foundation
import Testing

@Suite struct ShareAllowanceTests {
  private let now = Date(timeIntervalSince1970: 1_795_000_000)

  private func allowance(remaining: Int, nextIn seconds: Double?) -> ShareAllowance {
    ShareAllowance(
      maxCount: 20, windowSeconds: 3600, used: 20 - remaining, pending: 0, remaining: remaining,
      nextAt: seconds.map {
        (now + $0).formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
      })
  }

  @Test(
    arguments: [
      (1, 50, 0), (0, 50, 50), (-3, 50, 50), (0, nil, 5), (0, -5, 1), (5, nil, 0),
    ] as [(Int, Double?, Double)])
  func secondsToWaitUntilTheNextShare(_ remaining: Int, _ next: Double?, _ expected: Double) {
    let seconds = allowance(remaining: remaining, nextIn: next).secondsToWait(at: now)
    #expect(abs(seconds - expected) < 0.01)
  }

  @Test(arguments: [(5, 5, 0), (5, 6, 3600), (5, 25, 3600), (5, 26, 7200), (0, 40, 7200)] as [(Int, Int, Double)])
  func secondsToShareSeveralHighlights(_ remaining: Int, _ count: Int, _ expected: Double) {
    #expect(allowance(remaining: remaining, nextIn: nil).secondsToShare(count) == expected)
  }

  /// In the format of PostgreSQL.
  @Test func backendResponseIsDecoded() throws {
    let text = """
      {"max_count":20,"window_seconds":3600,"used":20,"pending":1,"remaining":0,"next_at":"2026-11-22T16:00:00.5+00:00"}
      """
    let allowance = try JSONDecoder().decode(ShareAllowance.self, from: Data(text.utf8))
    let at = try Date("2026-11-22T15:59:00Z", strategy: .iso8601)
    #expect(abs(allowance.secondsToWait(at: at) - 60.5) < 0.01)
  }
}
