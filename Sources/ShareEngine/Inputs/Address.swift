import ClipModel
import DurableFiles
import Foundation

/// An address where a file's name is wanted. It may be an upload URL, which is a secret: nobody repeats it.
package enum Address {
  /// What stands in its place.
  package static let shown = "(an address)"

  /// Absolute paths have one slash of two.
  private static var pattern: Regex<Substring> { /[A-Za-z][A-Za-z0-9+.\-]+:\/\/?[^\s\/]/ }

  /// Whether a name that leads to no file is an address.
  package static func isOne(_ path: String) -> Bool {
    path.prefixMatch(of: pattern) != nil && !FileManager.default.fileExists(atPath: path)
  }

  /// Whether a text names one.
  package static func isIn(_ text: String) -> Bool { text.contains(pattern) }

  /// The path for people.
  package static func shown(_ path: String) -> String { isOne(path) ? shown : path }

  /// A text without the addresses of a command line, however much of them it repeats. What is set by `config` is no
  /// secret: those have other names.
  package static func without(_ text: String, _ arguments: [String]) -> String {
    guard arguments.first != "config" else { return text }
    let addresses = arguments.compactMap { argument in
      FileManager.default.fileExists(atPath: argument)
        ? nil : argument.firstRange(of: pattern).map { String(argument[$0.lowerBound...]) }
    }
    let forms = addresses.flatMap { [$0, absolutePath($0), ($0 as NSString).standardizingPath] }
    return forms.sorted { $0.count > $1.count }.reduce(text) { text, form in
      text.replacing("'\(form)'", with: shown).replacing(form, with: shown)
    }
  }

  package static let failure = ShareEngineError(.address)
}
