import ClipModel

/// A detail that a progress line shows next to the percentage.
public enum ProgressDetail: Equatable, Sendable {
  /// The number of sent bytes, and the total.
  case bytes(Int64, of: Int64)
  /// The position in a clip and its length, in seconds.
  case clip(seconds: Double, of: Double)
  /// The step is paused for this duration, for this reason.
  case pause(reason: String, Duration)
  /// Any other text.
  case text(String)

  /// The exact fraction, 0 to 1; `nil` for details other than bytes.
  public var fraction: Double? {
    guard case .bytes(let done, let total) = self, total > 0 else { return nil }
    return min(Double(done) / Double(total), 1)
  }

  /// The detail as text, for example `12.4 of 80 MB` or `0:12 of 0:45`.
  public var text: String {
    switch self {
    case .bytes(let done, let total): ByteCount.text(min(done, total), of: total)
    case .clip(let seconds, let total): "\(Self.minutes(seconds)) of \(Self.minutes(total))"
    case .pause(let reason, let duration): "\(reason); retrying in \(duration.components.seconds + 1) s"
    case .text(let text): text
    }
  }

  private static func minutes(_ seconds: Double) -> String {
    let whole = Int(max(seconds, 0))
    let parts = (whole < 3600 ? [] : [whole / 3600]) + [whole / 60 % 60, whole % 60]
    return parts.enumerated().map { $0 > 0 && $1 < 10 ? "0\($1)" : "\($1)" }.joined(separator: ":")
  }
}
