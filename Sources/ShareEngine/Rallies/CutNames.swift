import Foundation

/// The names of the clips cut from a match: `match-rally-07`. Sorting the clips by name sorts them by rally.
struct CutNames: Sendable {
  private let base: String
  private let digitCount: Int

  /// - Parameters:
  ///   - match: the path or name of the match.
  ///   - folder: the folder of the clips; empty for the current folder.
  ///   - rallyCount: the number of rallies in the whole match, so that a rally gets the same name in every selection.
  init(match: String, folder: String, rallyCount: Int) {
    let stem = ((match as NSString).lastPathComponent as NSString).deletingPathExtension
    base = (folder.isEmpty ? "" : joinedPath(folder, "")) + stem + "-rally-"
    digitCount = max(String(max(rallyCount - 1, 0)).count, 2)
  }

  /// The name without an extension.
  func name(of index: Int) -> String { base + String(format: "%0\(digitCount)d", index) }
}
