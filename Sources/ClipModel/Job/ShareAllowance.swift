public import Foundation

/// The number of highlights that an account may share before it's flagged (the backend's `share_allowance`). The
/// backend never rejects a share for exceeding the allowance, but clients can limit their rate.
public struct ShareAllowance: Codable, Equatable, Sendable {
  /// The maximum number of shares per time window.
  public var maxCount: Int
  /// The length of the time window in seconds.
  public var windowSeconds: Int
  /// The number of shares and uploads in the current time window.
  public var used: Int
  /// The number of unfinished uploads, which count toward `used`.
  public var pending: Int
  /// The number of highlights that can be shared now; 0 if the limit is reached.
  public var remaining: Int
  /// When the oldest share leaves the time window, in ISO 8601 format; `nil` if there are no shares.
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

  /// Encodes `next_at` even if it's `nil`, as PostgreSQL does.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(maxCount, forKey: .maxCount)
    try container.encode(windowSeconds, forKey: .windowSeconds)
    try container.encode(used, forKey: .used)
    try container.encode(pending, forKey: .pending)
    try container.encode(remaining, forKey: .remaining)
    try container.encode(nextAt, forKey: .nextAt)
  }

  /// Returns the number of seconds until the next highlight can be shared, or 0 if the limit isn't reached.
  public func secondsToWait(at now: Date) -> Double {
    guard remaining <= 0 else { return 0 }
    let formats = [false, true].map { Date.ISO8601FormatStyle(includingFractionalSeconds: $0) }
    let next = nextAt.flatMap { text in formats.lazy.compactMap { try? Date(text, strategy: $0) }.first }
    // If `nextAt` is missing, all shares in the time window are unfinished uploads, which must complete first.
    return max(next.map { $0.timeIntervalSince(now) } ?? 5, 1)
  }

  /// Returns the minimum time, in seconds, for sharing the given number of highlights within the limit.
  public func secondsToShare(_ count: Int) -> Double {
    guard count > remaining, maxCount > 0 else { return 0 }
    return (Double(count - remaining) / Double(maxCount)).rounded(.up) * Double(windowSeconds)
  }
}
