/// The `Content-Range` header of an upload request: either a byte range or an offset query.
package enum ContentRange: Equatable, Sendable, CustomStringConvertible {
  /// A nonempty, half-open byte range of the file. `total` is `nil` while the file size is unknown.
  case bytes(Range<Int64>, total: Int64?)
  /// An offset query without any bytes. If the query contains the total size, it also completes an upload whose bytes
  /// have all been received.
  case query(total: Int64?)

  /// The size of the request body in bytes.
  package var byteCount: Int64 {
    switch self {
    case .bytes(let range, _): Int64(range.count)
    case .query: 0
    }
  }

  /// The header value: `bytes 0-262143/*` or `bytes */1048576`. Only the header uses an inclusive end.
  package var description: String {
    let size = { (total: Int64?) in total.map(String.init) ?? "*" }
    return switch self {
    case .bytes(let range, let total): "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size(total))"
    case .query(let total): "bytes */\(size(total))"
    }
  }

  /// Parses a header value. Returns `nil` if it violates RFC 9110 or the chunk protocol.
  package init?(_ text: String) {
    let words = text.split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let total = Int64(digits: parts[1])
    guard total != nil || parts[1] == "*" else { return nil }
    if parts[0] == "*" {
      self = .query(total: total)
      return
    }
    guard let range = Range(inclusiveText: parts[0]), range.upperBound <= total ?? .max else { return nil }
    self = .bytes(range, total: total)
  }

  /// Returns the number of bytes that the server has stored, according to its `Range: bytes=0-N` header. Other formats
  /// return `nil` because a range that doesn't start at 0 violates the protocol.
  package static func storedByteCount(rangeHeader text: String) -> Int64? {
    let text = text.lowercased()
    guard text.hasPrefix("bytes="), let range = Range(inclusiveText: text.dropFirst("bytes=".count)),
      range.lowerBound == 0
    else { return nil }
    return range.upperBound
  }
}

extension Range<Int64> {
  /// Parses a range with an inclusive end, such as `0-262143`.
  fileprivate init?(inclusiveText text: Substring) {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int64(digits: $0) }
    guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last, last < .max else { return nil }
    self = first..<last + 1
  }
}

extension Int64 {
  /// Parses a string that contains only decimal digits.
  package init?(digits text: some StringProtocol) {
    guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    self.init(text)
  }
}
