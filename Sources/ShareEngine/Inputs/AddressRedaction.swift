import ClipModel
import DurableFiles
import Foundation

/// Detects URLs that the user entered instead of file names. Upload URLs are secret, so messages never repeat a URL.
package enum AddressRedaction {
  /// The text that replaces a URL.
  private static let placeholder = "(a URL)"

  /// The pattern that matches the start of a URL. The second slash is optional, because converting a path to an
  /// absolute path removes it.
  private static var pattern: Regex<Substring> { /[A-Za-z][A-Za-z0-9+.\-]+:\/\/?[^\s\/]/ }

  /// Whether a path is a URL and not the name of an existing file.
  package static func isURL(_ path: String) -> Bool {
    path.prefixMatch(of: pattern) != nil && !FileManager.default.fileExists(atPath: path)
  }

  /// Whether a string contains a URL.
  package static func containsAddress(_ text: String) -> Bool { text.contains(pattern) }

  /// Returns the path for display. If the path is a URL, returns a placeholder.
  package static func redactPath(_ path: String) -> String { isURL(path) ? placeholder : path }

  /// Replaces all URLs from a command line's arguments in a message. URLs passed to `config` are not secret.
  package static func redactURLs(_ text: String, _ arguments: [String]) -> String {
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
