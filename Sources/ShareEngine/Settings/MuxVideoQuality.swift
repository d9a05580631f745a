/// How much Mux makes of a clip, and what it costs. The raw values are Mux's, but for the first.
public enum MuxVideoQuality: String, Sendable, CaseIterable {
  /// Whatever the account has as its default.
  case account
  /// The cheapest; no encoding is paid for.
  case basic
  /// More bits where they are seen.
  case plus
  /// The most of it.
  case premium
}
