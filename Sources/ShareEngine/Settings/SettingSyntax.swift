import ClipModel
import Foundation

/// How the text of a setting becomes a value, and back.
struct SettingSyntax<Value: Sendable>: Sendable {
  /// What a right text is, for the message about a wrong one: `a number from 0 to 51`.
  let expectation: String
  /// The text is not repeated in messages.
  var isSecret = false
  /// All texts that are right, where they can be listed.
  var words: [String] = []
  /// `nil` when the text is not one.
  let parse: @Sendable (String) -> Value?
  /// `nil` for a value that is not set.
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
      expectation: "a number from \(range.lowerBound.formatted) to \(range.upperBound.formatted)",
      // `contains` is false for NaN.
      parse: { Double($0).flatMap { range.contains($0) ? $0 : nil } }, print: { $0.formatted })
  }
}

extension SettingSyntax where Value == Int64 {
  /// Bytes, with `KiB`, `MiB`, `kB`, `MB` as people write them.
  static func bytes(_ range: ClosedRange<Int64>, multipleOf unit: Int64) -> SettingSyntax {
    SettingSyntax(
      expectation: "a multiple of \(ByteCount.exactText(unit)) from \(ByteCount.exactText(range.lowerBound)) to "
        + ByteCount.exactText(range.upperBound),
      parse: { ByteCount.parse($0).flatMap { range.contains($0) && $0 % unit == 0 ? $0 : nil } },
      print: { ByteCount.exactText($0) })
  }

  /// Bytes per second, or 0 for no limit. A small number alone is nobody's wish: 250 is 250 kB to whoever writes it.
  static func byteRate(from lowest: Int64) -> SettingSyntax {
    SettingSyntax(
      expectation: "0, or a size from \(ByteCount.exactText(lowest)) on with its unit, like 500kB or 5MB",
      parse: { $0 == "0" ? 0 : ByteCount.parse($0).flatMap { $0 >= lowest ? $0 : nil } },
      print: { ByteCount.exactText($0) })
  }
}

extension SettingSyntax where Value: RawRepresentable<String> & CaseIterable {
  static func choice() -> SettingSyntax {
    SettingSyntax(
      expectation: "one of: " + Value.allCases.map(\.rawValue).joined(separator: ", "),
      words: Value.allCases.map(\.rawValue),
      parse: { Value(rawValue: $0) }, print: { $0.rawValue })
  }
}

extension SettingSyntax where Value == String? {
  /// A file, by its absolute path: settings are read from any folder.
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
        // One inner nil is "not set", the outer one "not a value".
        let isToken = !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isToken ? .some(.some(Secret(text))) : nil
      },
      print: { $0.map { $0.description } })
  }
}

/// Where tokens go: encrypted, or to this very machine.
private enum ServerAddress {
  static let expectation = "an https:// address without user, password and query (http:// on this machine only)"

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
  /// One that has a default.
  static var address: SettingSyntax {
    SettingSyntax(
      expectation: ServerAddress.expectation, parse: { ServerAddress.parse($0)?.absoluteString }, print: { $0 })
  }
}

extension Double {
  /// `21` for 21.0, `2.5` for 2.5.
  fileprivate var formatted: String { Int(exactly: self).map(String.init) ?? description }
}
