import Foundation

/// Generates names for the clips that are cut from a match, such as `match-rally-07`. Sorted by name, the clips are in
/// rally order.
struct CutNames: Sendable {
  private let base: String
  private let digitCount: Int

  /// - Parameters:
  ///   - match: the path or name of the match.
  ///   - folder: the folder for the clips. An empty string stands for the current folder.
  ///   - rallyCount: the number of rallies in the entire match, so that a rally's name doesn't depend on the selected
  ///     rallies.
  init(match: String, folder: String, rallyCount: Int) {
    let stem = ((match as NSString).lastPathComponent as NSString).deletingPathExtension
    base = (folder.isEmpty ? "" : joinPath(folder, "")) + stem + "-rally-"
    digitCount = max(String(max(rallyCount - 1, 0)).count, 2)
  }

  /// Returns a clip's name without a file extension.
  func baseName(of index: Int) -> String { base + String(format: "%0\(digitCount)d", index) }
}
