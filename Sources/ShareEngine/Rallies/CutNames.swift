import Foundation

/// Names of the clips of a match: `match-rally-07`, so that a list of names is in the order of the rallies.
package struct CutNames: Sendable {
  private let base: String
  private let digitCount: Int

  /// - Parameters:
  ///   - match: its path, or its name.
  ///   - folder: of the clips; empty for where the program runs.
  ///   - rallyCount: of the whole match, so that any choice of rallies gets the same names.
  package init(match: String, folder: String, rallyCount: Int) {
    let stem = ((match as NSString).lastPathComponent as NSString).deletingPathExtension
    base = (folder.isEmpty || folder.hasSuffix("/") ? folder : folder + "/") + stem + "-rally-"
    digitCount = max(String(max(rallyCount - 1, 0)).count, 2)
  }

  /// Without extension.
  package func name(of index: Int) -> String {
    let number = String(index)
    return base + String(repeating: "0", count: max(digitCount - number.count, 0)) + number
  }
}
