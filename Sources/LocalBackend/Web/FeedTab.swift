/// The tabs of the start page.
enum FeedTab: String, CaseIterable, Sendable {
  case following
  case discover
  case forYou = "for-you"
  case latest

  var path: String { "/\(rawValue)" }

  /// Whether the tab needs an account.
  var requiresAccount: Bool { self == .following || self == .forYou }

  /// The tab at `/`. Following is the default for people who follow someone; for others it would be empty.
  static func standard(for visitor: PageVisitor) -> FeedTab {
    (visitor.person?.followingCount ?? 0) > 0 ? .following : .latest
  }

  var label: String {
    switch self {
    case .following: "Following"
    case .discover: "Discover"
    case .forYou: "For You"
    case .latest: "Latest"
    }
  }

  /// Returns the template values of all tabs.
  static func values(current: FeedTab) -> [[String: Any]] {
    allCases.map { ["path": $0.path, "label": $0.label, "isCurrent": $0 == current] }
  }
}
