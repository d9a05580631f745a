/// Identifies the trailer that some cameras append after a file's last box.
enum TrailerReader {
  /// The signature at the end of an Insta360 file. The trailer length is stored 40 bytes before the end of the
  /// signature.
  private static let insta360Mark = Array("8db42d694ccc418790edff439fe026bf".utf8)

  /// Returns the trailer; `nil` if all bytes belong to boxes, or if only zeros follow the last box.
  static func read(source: any ByteSource, rest: Range<Int64>) throws(ISOMediaError) -> Trailer? {
    let end = source.byteCount
    let tail = try source.bytes(at: max(0, end - 78), count: 78)
    if tail.count == 78, tail.suffix(32).elementsEqual(insta360Mark) {
      let length = tail[38..<42].reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
      let start = length > 0 && length <= end ? end - length : rest.lowerBound
      return Trailer(kind: .insta360, range: min(start, end - 78)..<end)
    }
    guard !rest.isEmpty else { return nil }
    if tail.suffix(4).elementsEqual("SEFT".utf8) { return Trailer(kind: .samsung, range: rest) }
    let start = try source.bytes(in: rest, atMost: 4096)
    if start.count == rest.count, start.allSatisfy({ $0 == 0 }) { return nil }
    return Trailer(kind: .unknown, range: rest)
  }
}
