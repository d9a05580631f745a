/// The `Content-Range` of an upload request.
enum ContentRange: Equatable, Sendable {
  /// `bytes first-last/total`, or `/*` while the total is unknown. `range` is half-open.
  case bytes(range: Range<Int64>, total: Int64?)
  /// `bytes */total` or `bytes */*`: a question without a body.
  case query(total: Int64?)

  /// `nil` when the text is none of the four forms. The unit's case does not matter (RFC 9110, 14.1).
  init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: true)
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let halves = words[1].split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count == 2 else { return nil }
    var total: Int64?
    if halves[1] != "*" {
      guard let number = decimal(halves[1]) else { return nil }
      total = number
    }
    if halves[0] == "*" {
      self = .query(total: total)
      return
    }
    let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = decimal(ends[0]), let last = decimal(ends[1]), first <= last, last < .max,
      total.map({ last < $0 }) ?? true
    else { return nil }
    self = .bytes(range: first..<(last + 1), total: total)
  }
}

/// A number of ASCII digits only; `Int64.init` would take a sign as well.
func decimal(_ text: Substring) -> Int64? {
  guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
    return nil
  }
  return Int64(text)
}
