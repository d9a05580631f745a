public import Foundation

/// How many highlights an account may still share before it is flagged, as the backend counts (`share_allowance`).
/// Nothing is refused: whoever reads it can pace itself.
public struct ShareAllowance: Codable, Equatable, Sendable {
  /// So many in a window.
  public var maxCount: Int
  /// Length of the window.
  public var windowSeconds: Int
  /// Of the window that ends now: shared, and on their way.
  public var used: Int
  /// Uploads on their way that count already.
  public var pending: Int
  /// How many may still be shared now; 0 when there are none.
  public var remaining: Int
  /// When the oldest leaves the window, ISO 8601; `nil` while nothing was shared.
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

  /// Without a time the key is there, too, as PostgreSQL writes it.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(maxCount, forKey: .maxCount)
    try container.encode(windowSeconds, forKey: .windowSeconds)
    try container.encode(used, forKey: .used)
    try container.encode(pending, forKey: .pending)
    try container.encode(remaining, forKey: .remaining)
    try container.encode(nextAt, forKey: .nextAt)
  }

  /// Seconds until one more may be shared; 0 when one may be now.
  public func secondsToWait(at now: Date) -> Double {
    guard remaining <= 0 else { return 0 }
    let formats = [false, true].map { Date.ISO8601FormatStyle(includingFractionalSeconds: $0) }
    let next = nextAt.flatMap { text in formats.lazy.compactMap { try? Date(text, strategy: $0) }.first }
    // Without a time all of it is on its way: those have to arrive first.
    return max(next.map { $0.timeIntervalSince(now) } ?? 5, 1)
  }

  /// Seconds that sharing so many takes at least, when each waits for its turn.
  public func secondsToShare(_ count: Int) -> Double {
    guard count > remaining, maxCount > 0 else { return 0 }
    return (Double(count - remaining) / Double(maxCount)).rounded(.up) * Double(windowSeconds)
  }
}
