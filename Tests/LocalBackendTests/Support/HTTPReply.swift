import Foundation

/// A parsed HTTP response.
struct HTTPReply: Sendable {
  var status = 0
  /// Names in lower case.
  var headers: [String: String] = [:]
  var body: [UInt8] = []

  var text: String { String(decoding: body, as: UTF8.self) }

  init(_ bytes: [UInt8]) {
    guard let split = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return }
    let lines = String(decoding: bytes[..<split.lowerBound], as: UTF8.self).split(separator: "\r\n")
    status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
    body = Array(bytes[split.upperBound...])
    if headers["transfer-encoding"] == "chunked" { body = Self.unchunked(body) }
  }

  func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    try JSONDecoder().decode(type, from: Data(body))
  }

  private static func unchunked(_ bytes: [UInt8]) -> [UInt8] {
    var rest = bytes[...]
    var all: [UInt8] = []
    while let line = rest.firstRange(of: Array("\r\n".utf8)),
      let size = Int(String(decoding: rest[..<line.lowerBound], as: UTF8.self), radix: 16), size > 0
    {
      let start = line.upperBound
      all += rest[start..<(start + size)]
      rest = rest[(start + size + 2)...]
    }
    return all
  }
}
