import ClipModel
import Foundation

/// Parses and formats the values of a setting.
struct SettingSyntax<Value: Sendable>: Sendable {
  /// A description of the valid values for error messages, for example `a number from 0 to 51`.
  let expectation: String
  /// Whether the setting is a secret, so that error messages must not repeat its value.
  var isSecret = false
  /// All valid values as strings, or an empty array if they cannot be listed.
  var words: [String] = []
  /// Parses a string. Returns `nil` if the string is invalid.
  let parse: @Sendable (String) -> Value?
  /// Formats a value. Returns `nil` if the value is not set.
  let print: @Sendable (Value) -> String?
}

extension SettingSyntax where Value == Int {
  static func wholeNumber(_ range: ClosedRange<Int>) -> SettingSyntax {
    SettingSyntax(
      expectation: "a whole number from \(range.lowerBound) to \(range.upperBound)",
      parse: { Int($0).flatMap { range.contains($0) ? $0 : nil } }, print: { String($0) })
  }
}

extension SettingSyntax where Value == Double {
  static func decimalNumber(_ range: ClosedRange<Double>) -> SettingSyntax {
    SettingSyntax(
      expectation: "a number from \(decimal(range.lowerBound)) to \(decimal(range.upperBound))",
      // `contains` returns false for NaN, so NaN is rejected.
      parse: { Double($0).flatMap { range.contains($0) ? $0 : nil } },
      print: { Int(exactly: $0).map(String.init) ?? $0.description })
  }
}

extension SettingSyntax where Value == Int64 {
  /// The syntax for a size in bytes, with an optional unit such as `KiB`, `MiB`, `kB` or `MB`.
  static func byteCount(_ range: ClosedRange<Int64>, multipleOf unit: Int64) -> SettingSyntax {
    SettingSyntax(
      expectation: "a multiple of \(ByteCount.exactText(unit)) from \(ByteCount.exactText(range.lowerBound)) to "
        + ByteCount.exactText(range.upperBound),
      parse: { ByteCount.parse($0).flatMap { range.contains($0) && $0 % unit == 0 ? $0 : nil } },
      print: { ByteCount.exactText($0) })
  }

  /// The syntax for a rate in bytes per second, where 0 means no limit. Small numbers are rejected, because a user who
  /// enters 250 most likely means 250 kB.
  static func byteRate(from lowest: Int64) -> SettingSyntax {
    SettingSyntax(
      expectation: "0, or a size of at least \(ByteCount.exactText(lowest)) with a unit, for example 500kB or 5MB",
      parse: { $0 == "0" ? 0 : ByteCount.parse($0).flatMap { $0 >= lowest ? $0 : nil } },
      print: { ByteCount.exactText($0) })
  }
}

extension SettingSyntax where Value: RawRepresentable<String> & CaseIterable {
  static func choice() -> SettingSyntax {
    let words = Value.allCases.map(\.rawValue)
    return SettingSyntax(
      expectation: "one of: " + words.joined(separator: ", "), words: words, parse: { Value(rawValue: $0) },
      print: { $0.rawValue })
  }
}

extension SettingSyntax where Value == String? {
  /// The syntax for a file path. Relative paths are rejected, because settings apply in all folders.
  static var path: SettingSyntax {
    SettingSyntax(
      expectation: "an absolute file path", parse: { $0.hasPrefix("/") ? .some($0) : nil }, print: { $0 })
  }
}

extension SettingSyntax where Value == Secret? {
  static var secret: SettingSyntax {
    SettingSyntax(
      expectation: "a single line of text without spaces", isSecret: true,
      parse: { text in
        // The inner `nil` means "not set", and the outer `nil` means "invalid".
        let isToken = !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isToken ? .some(.some(Secret(text))) : nil
      },
      print: { $0?.description })
  }
}

/// The syntax for the URL of a server that receives tokens. The connection must be encrypted, or the server must run on
/// this machine.
private enum ServerURLSyntax {
  static let expectation = "an https:// URL without a user, password or query (http:// only for this machine)"

  static func parse(_ text: String) -> URL? {
    guard let url = URLComponents(string: text), let host = url.host, !host.isEmpty, url.user == nil,
      url.password == nil, url.query == nil, url.fragment == nil
    else { return nil }
    let isLoopback = ["localhost", "127.0.0.1", "[::1]", "::1"].contains(host.lowercased())
    guard url.scheme == "https" || (url.scheme == "http" && isLoopback) else { return nil }
    return url.url
  }
}

extension SettingSyntax where Value == URL? {
  static var backendURL: SettingSyntax {
    SettingSyntax(
      expectation: ServerURLSyntax.expectation, parse: { ServerURLSyntax.parse($0).map { .some($0) } },
      print: { $0?.absoluteString })
  }
}

extension SettingSyntax where Value == String {
  /// The syntax for the URL of a service that has a default.
  static var address: SettingSyntax {
    SettingSyntax(
      expectation: ServerURLSyntax.expectation, parse: { ServerURLSyntax.parse($0)?.absoluteString }, print: { $0 })
  }
}
