/// Shares as pages show them.
enum Percentage {
  /// The rounded percentage of a part; halves are rounded up. The share of nothing is 0.
  static func of(_ part: Int, in whole: Int) -> Int {
    whole == 0 ? 0 : (part * 200 + whole) / (whole * 2)
  }
}
