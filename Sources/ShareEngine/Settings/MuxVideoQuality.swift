/// The Mux video quality level, which determines the price of encoding. Except for `account`, the raw values are
/// defined by Mux.
public enum MuxVideoQuality: String, Sendable, CaseIterable {
  /// The account's default.
  case account
  /// The lowest level, which has no encoding costs.
  case basic
  /// A higher level, which uses more bits where they improve the picture.
  case plus
  /// The highest level.
  case premium
}
