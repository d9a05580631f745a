/// How much Mux makes of a clip, and what it costs. The raw values are Mux's, but for the first.
public enum MuxVideoQuality: String, Sendable, CaseIterable {
  /// Whatever the account has as its default.
  case account
  case basic, plus, premium
}
