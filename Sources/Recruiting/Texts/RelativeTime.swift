public import Foundation

/// The age of a post, as cards show it.
public enum RelativeTime {
  /// `now`, `5m ago`, `2h ago`, `3d ago`, `2w ago`, `4mo ago`, `1y ago`. A time in the future is `now`, because clocks
  /// differ.
  public static func text(_ date: Date, now: Date) -> String {
    let seconds = Int(now.timeIntervalSince(date))
    switch seconds {
    case ..<60: return "now"
    case ..<3600: return "\(seconds / 60)m ago"
    case ..<86_400: return "\(seconds / 3600)h ago"
    case ..<(7 * 86_400): return "\(seconds / 86_400)d ago"
    case ..<(30 * 86_400): return "\(seconds / (7 * 86_400))w ago"
    case ..<(365 * 86_400): return "\(seconds / (30 * 86_400))mo ago"
    default: return "\(seconds / (365 * 86_400))y ago"
    }
  }
}
