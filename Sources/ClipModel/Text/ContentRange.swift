/// The `Content-Range` header of an upload request: which bytes it carries, or that it only asks.
package enum ContentRange: Equatable, Sendable, CustomStringConvertible {
  /// Bytes of the file, half-open and not empty; `total` is `nil` while the size is not known yet.
  case bytes(Range<Int64>, total: Int64?)
  /// No bytes. Without a total it asks how far the server is; with one it also ends the upload if all is there.
  case query(total: Int64?)

  /// Bytes of the request's body.
  package var byteCount: Int64 {
    switch self {
    case .bytes(let range, _): Int64(range.count)
    case .query: 0
    }
  }

  /// `bytes 0-262143/*`, `bytes */1048576`: ends are inclusive on the wire only.
  package var description: String {
    let size = { (total: Int64?) in total.map(String.init) ?? "*" }
    return switch self {
    case .bytes(let range, let total): "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size(total))"
    case .query(let total): "bytes */\(size(total))"
    }
  }

  /// `nil` for anything that RFC 9110 or the chunk protocol does not allow.
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

  /// Bytes the server holds according to its `Range` header, `bytes=0-N`; `nil` when it is not of this form: a range
  /// that does not start at zero is a protocol error.
  package static func storedByteCount(rangeHeader text: String) -> Int64? {
    let text = text.lowercased()
    guard text.hasPrefix("bytes="), let range = Range(inclusiveText: text.dropFirst("bytes=".count)),
      range.lowerBound == 0
    else { return nil }
    return range.upperBound
  }
}

extension Range<Int64> {
  /// `0-262143`, ends inclusive.
  fileprivate init?(inclusiveText text: Substring) {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int64(digits: $0) }
    guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last, last < .max else { return nil }
    self = first..<last + 1
  }
}

extension Int64 {
  /// Decimal digits and nothing else: no sign, no space.
  package init?(digits text: some StringProtocol) {
    guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    self.init(text)
  }
}
