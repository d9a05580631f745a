import ClipModel

/// A detail that a progress line shows next to the percentage.
public enum ProgressDetail: Equatable, Sendable {
  /// The number of bytes sent, and the total number of bytes.
  case bytes(Int64, of: Int64)
  /// The position in a clip and the clip's duration, in seconds. `uploaded` is the fraction of the clip that is uploaded, or
  /// `nil` if the upload hasn't started.
  case clip(seconds: Double, of: Double, uploaded: Double? = nil)
  /// The reason for a pause, and its duration.
  case pause(reason: String, Duration)
  /// Any other text.
  case text(String)

  /// The exact completed fraction, from 0 to 1, or `nil` if the detail is not a byte count.
  public var fraction: Double? {
    guard case .bytes(let done, let total) = self, total > 0 else { return nil }
    return min(Double(done) / Double(total), 1)
  }

  /// The uploaded fraction of a clip that is still being encoded, from 0 to 1; `nil` if there is none.
  public var uploadedFraction: Double? {
    if case .clip(_, _, let uploaded) = self { uploaded } else { nil }
  }

  /// The detail formatted for display, such as `12.4 of 80 MB` or `0:12 of 0:45`.
  public var text: String {
    switch self {
    case .bytes(let done, let total): ByteCount.text(min(done, total), of: total)
    case .clip(let seconds, let total, let uploaded):
      "\(Self.formatMinutes(seconds)) of \(Self.formatMinutes(total))"
        + (uploaded.map { ", upload \(Int($0 * 100)) %" } ?? "")
    case .pause(let reason, let duration): "\(reason); retrying in \(duration.components.seconds + 1) s"
    case .text(let text): text
    }
  }

  private static func formatMinutes(_ seconds: Double) -> String {
    let whole = Int(max(seconds, 0))
    let parts = (whole < 3600 ? [] : [whole / 3600]) + [whole / 60 % 60, whole % 60]
    return parts.enumerated().map { $0 > 0 && $1 < 10 ? "0\($1)" : "\($1)" }.joined(separator: ":")
  }
}
