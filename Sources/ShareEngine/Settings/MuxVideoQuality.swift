/// Mux's video quality level, which determines its price. The raw values are Mux's, except the first.
public enum MuxVideoQuality: String, Sendable, CaseIterable {
  /// The account's default.
  case account
  /// The cheapest level, which has no encoding costs.
  case basic
  /// Uses higher bit rates where they improve the picture.
  case plus
  /// The highest level.
  case premium
}
