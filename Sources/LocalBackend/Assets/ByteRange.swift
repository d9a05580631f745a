/// The part of a file that a `Range` header specifies (RFC 9110, 14.2).
enum ByteRange: Equatable, Sendable {
  /// The complete file. The RFC allows it as the response to other units, multiple ranges and invalid headers.
  case whole
  /// A half-open, nonempty range of bytes within the file.
  case part(Range<Int64>)
  /// A range outside the file. The response has status 416.
  case unsatisfiable

  init(header: String?, byteCount: Int64) {
    self = .whole
    guard let header, let equals = header.firstIndex(of: "="), header[..<equals].lowercased() == "bytes" else { return }
    let ends = header[header.index(after: equals)...].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2 else { return }
    let first = parseDecimal(ends[0])
    let last = parseDecimal(ends[1])
    switch (first, last) {
    case (nil, let suffix?) where ends[0].isEmpty:
      self = suffix == 0 || byteCount == 0 ? .unsatisfiable : .part(max(0, byteCount - suffix)..<byteCount)
    case (let first?, let last?) where first <= last:
      self = first < byteCount ? .part(first..<min(byteCount, last == .max ? last : last + 1)) : .unsatisfiable
    case (let first?, nil) where ends[1].isEmpty:
      self = first < byteCount ? .part(first..<byteCount) : .unsatisfiable
    default: return
    }
  }
}
