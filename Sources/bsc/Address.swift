import ClipModel
import Foundation

/// An address where a file's name is wanted. It may be an upload URL, which is a secret: nobody repeats it.
enum Address {
  /// What stands in its place.
  static let shown = "(an address)"

  /// Absolute paths have one slash of two.
  private static var pattern: Regex<Substring> { /[A-Za-z][A-Za-z0-9+.\-]+:\/\/?[^\s\/]/ }

  /// Whether a name that leads to no file is an address.
  static func isOne(_ path: String) -> Bool {
    path.prefixMatch(of: pattern) != nil && !FileManager.default.fileExists(atPath: path)
  }

  /// Whether a text names one.
  static func isIn(_ text: String) -> Bool { text.contains(pattern) }

  /// The path for people.
  static func shown(_ path: String) -> String { isOne(path) ? shown : path }

  static let failure = UsageFailure(
    what: "cannot read (an address)", why: "bsc works on files of this machine",
    next: "download it, then name the file",
    category: .noInput)
}
