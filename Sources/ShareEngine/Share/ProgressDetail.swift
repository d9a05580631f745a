import ClipModel

/// What a person wants to see beside a percentage.
public enum ProgressDetail: Equatable, Sendable {
  /// Sent, of all.
  case bytes(Int64, of: Int64)
  /// How far in a clip.
  case clip(seconds: Double, of: Double)
  /// Nothing goes on until then.
  case pause(reason: String, Duration)
  /// In words.
  case text(String)

  /// Exactly; `nil` where it says nothing of it.
  public var fraction: Double? {
    switch self {
    case .bytes(let done, let total): total > 0 ? min(Double(done) / Double(total), 1) : nil
    case .clip, .pause, .text: nil
    }
  }

  /// `12.4 of 80 MB`, `0:12 of 0:45`.
  public var text: String {
    switch self {
    case .bytes(let done, let total): ByteCount.text(min(done, total), of: total)
    case .clip(let seconds, let total): "\(Self.minutes(seconds)) of \(Self.minutes(total))"
    case .pause(let reason, let duration): "\(reason); trying again in \(duration.components.seconds + 1) s"
    case .text(let text): text
    }
  }

  private static func minutes(_ seconds: Double) -> String {
    let whole = Int(max(seconds, 0))
    let text = (whole >= 3600 ? "\(whole / 3600):" : "") + (whole >= 3600 && whole % 3600 < 600 ? "0" : "")
    return text + "\(whole % 3600 / 60):" + (whole % 60 < 10 ? "0" : "") + "\(whole % 60)"
  }
}
