/// Mux's video quality level, which determines its price. The raw values are Mux's, except the first.
public enum MuxVideoQuality: String, Sendable, CaseIterable {
  /// The default of the account.
  case account
  /// The cheapest level, without encoding costs.
  case basic
  /// Higher bit rates where they improve the picture.
  case plus
  /// The highest level.
  case premium
}
