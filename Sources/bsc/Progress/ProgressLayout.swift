/// The columns of progress lines. All lines have the same columns, so that they are aligned.
///
/// On narrow terminals, details are omitted first, then bars, then names. Stages, percentages and the remaining time
/// are kept longest.
struct ProgressLayout: Equatable, Sendable {
  /// The width of a stage in columns.
  static let stage = 10
  /// The width of `100 %` in columns.
  private static let percent = 5
  /// The width of `, 12 min left` in columns.
  private static let left = 13
  private static let longestName = 60

  /// One column is left free, because some terminals wrap when the last column is written.
  let width: Int
  let indent: Int
  /// The width of names in columns; 0 if there are no names or no space for them.
  let name: Int
  /// The width of bars in columns.
  let bar: Int
  /// The column where details start, unless the preceding text is longer.
  let detail: Int
  /// Whether the columns are not aligned. In that case, the line contains single spaces, and `12 s` instead of `, 12 s
  /// left`.
  let isCompact: Bool

  /// - Parameter longestName: the width of the longest name in columns; `nil` if no names are shown.
  init(columns: Int, longestName: Int?, hasStage: Bool) {
    width = max(columns - 1, 1)
    indent = width >= 60 ? 2 : 0
    let rest = width - indent - (hasStage ? Self.stage : 0) - Self.percent - Self.left
    let wanted = min(longestName ?? 0, Self.longestName)
    isCompact = rest < (wanted > 0 && !hasStage ? 7 : 0)
    guard !isCompact, wanted > 0 || rest > 0 else {
      // The line is "process 40 % 12 s" or "name 40 % 12 s".
      let room = width - 12 - (hasStage ? 8 : 0)
      name = isCompact && room >= 5 ? min(wanted, room) : 0
      (bar, detail) = (0, 0)
      return
    }
    // There is space for a bar and details such as "12.4 of 80 MB", for a bar only, or for neither.
    let room = rest >= 44 ? rest - 26 : rest >= 20 ? rest - 11 : rest - 2
    name = wanted > 0 && room >= 5 ? min(wanted, room) : 0
    let open = rest - (name > 0 ? name + 2 : 0)
    bar = open >= 9 ? min(28, max(8, open - 27)) : 0
    detail =
      indent + (name > 0 ? name + 2 : 0) + (hasStage ? Self.stage : 0) + (bar > 0 ? bar + 1 : 0) + Self.percent
      + Self.left + 2
  }
}
