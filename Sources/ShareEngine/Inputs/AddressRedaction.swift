import ClipModel
import DurableFiles
import Foundation

/// Detects URLs in place of file names. They may be upload URLs, which are secret, so messages never repeat them.
package enum AddressRedaction {
  /// The replacement for a URL.
  private static let placeholder = "(a URL)"

  /// The pattern of a URL. It also matches a single slash, because converting a path to an absolute path removes the
  /// second one.
  private static var pattern: Regex<Substring> { /[A-Za-z][A-Za-z0-9+.\-]+:\/\/?[^\s\/]/ }

  /// Whether a path is a URL, and not the name of an existing file.
  package static func isAddress(_ path: String) -> Bool {
    path.prefixMatch(of: pattern) != nil && !FileManager.default.fileExists(atPath: path)
  }

  /// Whether a text contains a URL.
  package static func containsAddress(_ text: String) -> Bool { text.contains(pattern) }

  /// The path for display.
  package static func redacted(_ path: String) -> String { isAddress(path) ? placeholder : path }

  /// Removes the URLs in a command line's arguments, or parts of them, from a text. URLs passed to `config` are not
  /// secret.
  package static func redacted(_ text: String, _ arguments: [String]) -> String {
    guard arguments.first != "config" else { return text }
    let addresses = arguments.compactMap { argument in
      FileManager.default.fileExists(atPath: argument)
        ? nil : argument.firstRange(of: pattern).map { String(argument[$0.lowerBound...]) }
    }
    let forms = addresses.flatMap { [$0, absolutePath($0), ($0 as NSString).standardizingPath] }
    return forms.sorted { $0.count > $1.count }.reduce(text) { text, form in
      text.replacing("'\(form)'", with: placeholder).replacing(form, with: placeholder)
    }
  }

  package static let error = ShareEngineError(.address)
}
