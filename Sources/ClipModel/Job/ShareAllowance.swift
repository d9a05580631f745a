public import Foundation

/// How many highlights an account may share before it is flagged (`share_allowance` of the backend). The backend
/// rejects nothing, but clients can limit their rate.
public struct ShareAllowance: Codable, Equatable, Sendable {
  /// The number of shares per window.
  public var maxCount: Int
  /// The length of the window in seconds.
  public var windowSeconds: Int
  /// The number of shares and uploads in the window that ends now.
  public var used: Int
  /// The number of unfinished uploads, which are included in `used`.
  public var pending: Int
  /// The number of highlights that may be shared now; 0 if the limit is reached.
  public var remaining: Int
  /// When the oldest share leaves the window, in ISO 8601; `nil` if nothing was shared.
  public var nextAt: String?

  public init(maxCount: Int, windowSeconds: Int, used: Int, pending: Int, remaining: Int, nextAt: String? = nil) {
    self.maxCount = maxCount
    self.windowSeconds = windowSeconds
    self.used = used
    self.pending = pending
    self.remaining = remaining
    self.nextAt = nextAt
  }

  enum CodingKeys: String, CodingKey {
    case used, pending, remaining
    case maxCount = "max_count"
    case windowSeconds = "window_seconds"
    case nextAt = "next_at"
  }

  /// Writes `next_at` even if it is `nil`, as PostgreSQL does.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(maxCount, forKey: .maxCount)
    try container.encode(windowSeconds, forKey: .windowSeconds)
    try container.encode(used, forKey: .used)
    try container.encode(pending, forKey: .pending)
    try container.encode(remaining, forKey: .remaining)
    try container.encode(nextAt, forKey: .nextAt)
  }

  /// The number of seconds until another highlight may be shared; 0 if it may be shared now.
  public func secondsToWait(at now: Date) -> Double {
    guard remaining <= 0 else { return 0 }
    let formats = [false, true].map { Date.ISO8601FormatStyle(includingFractionalSeconds: $0) }
    let next = nextAt.flatMap { text in formats.lazy.compactMap { try? Date(text, strategy: $0) }.first }
    // If there is no time, all shares are unfinished uploads, which have to complete first.
    return max(next.map { $0.timeIntervalSince(now) } ?? 5, 1)
  }

  /// The minimum number of seconds for sharing several highlights within the limit.
  public func secondsToShare(_ count: Int) -> Double {
    guard count > remaining, maxCount > 0 else { return 0 }
    return (Double(count - remaining) / Double(maxCount)).rounded(.up) * Double(windowSeconds)
  }
}
