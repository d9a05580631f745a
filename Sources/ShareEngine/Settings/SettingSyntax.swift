import ClipModel
import Foundation

/// Parses and prints the values of a setting.
struct SettingSyntax<Value: Sendable>: Sendable {
  /// The valid values, for error messages: `a number from 0 to 51`.
  let expectation: String
  /// Whether error messages must not repeat the text.
  var isSecret = false
  /// All valid texts if they can be listed.
  var words: [String] = []
  /// Returns `nil` for an invalid text.
  let parse: @Sendable (String) -> Value?
  /// Returns `nil` for a value that is not set.
  let print: @Sendable (Value) -> String?
}

extension SettingSyntax where Value == Int {
  static func whole(_ range: ClosedRange<Int>) -> SettingSyntax {
    SettingSyntax(
      expectation: "a whole number from \(range.lowerBound) to \(range.upperBound)",
      parse: { Int($0).flatMap { range.contains($0) ? $0 : nil } }, print: { String($0) })
  }
}

extension SettingSyntax where Value == Double {
  static func number(_ range: ClosedRange<Double>) -> SettingSyntax {
    SettingSyntax(
      expectation: "a number from \(decimal(range.lowerBound)) to \(decimal(range.upperBound))",
      // `contains` is false for NaN.
      parse: { Double($0).flatMap { range.contains($0) ? $0 : nil } },
      print: { Int(exactly: $0).map(String.init) ?? $0.description })
  }
}

extension SettingSyntax where Value == Int64 {
  /// A number of bytes, optionally with the unit `KiB`, `MiB`, `kB` or `MB`.
  static func bytes(_ range: ClosedRange<Int64>, multipleOf unit: Int64) -> SettingSyntax {
    SettingSyntax(
      expectation: "a multiple of \(ByteCount.exactText(unit)) from \(ByteCount.exactText(range.lowerBound)) to "
        + ByteCount.exactText(range.upperBound),
      parse: { ByteCount.parse($0).flatMap { range.contains($0) && $0 % unit == 0 ? $0 : nil } },
      print: { ByteCount.exactText($0) })
  }

  /// Bytes per second, or 0 for no limit. Small numbers are rejected, because a user who enters 250 most likely means
  /// 250 kB.
  static func byteRate(from lowest: Int64) -> SettingSyntax {
    SettingSyntax(
      expectation: "0, or a size of at least \(ByteCount.exactText(lowest)) with its unit, for example 500kB or 5MB",
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
  /// The absolute path of a file. Relative paths are not allowed, because settings apply in any folder.
  static var path: SettingSyntax {
    SettingSyntax(
      expectation: "the absolute path of a file", parse: { $0.hasPrefix("/") ? .some($0) : nil }, print: { $0 })
  }
}

extension SettingSyntax where Value == Secret? {
  static var secret: SettingSyntax {
    SettingSyntax(
      expectation: "one line of text without spaces", isSecret: true,
      parse: { text in
        // The inner nil means "not set", the outer one "invalid".
        let isToken = !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isToken ? .some(.some(Secret(text))) : nil
      },
      print: { $0?.description })
  }
}

/// The URL of a server that receives tokens: it must use an encrypted connection or be on this machine.
private enum ServerAddress {
  static let expectation = "an https:// URL without user, password or query (http:// on this machine only)"

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
      expectation: ServerAddress.expectation, parse: { ServerAddress.parse($0).map { .some($0) } },
      print: { $0?.absoluteString })
  }
}

extension SettingSyntax where Value == String {
  /// The URL of a service, which has a default.
  static var address: SettingSyntax {
    SettingSyntax(
      expectation: ServerAddress.expectation, parse: { ServerAddress.parse($0)?.absoluteString }, print: { $0 })
  }
}
