internal import ClipModel
internal import ISOMedia

/// Reads Insta360's trailer from its end: each record is followed by its type and size. The last 78 bytes contain the
/// type and size of the last record, the total trailer length at 38, and a 32-character signature.
enum Insta360Trailer {
  private static let mark = "8db42d694ccc418790edff439fe026bf"
  private static let footerSize: Int64 = 78
  /// The maximum number of records. Real files have a dozen.
  private static let recordLimit = 1024

  /// - Returns: the findings, one for each kind, and the start of the trailer; `nil` if there is no trailer at the
  ///   end.
  static func examine(
    _ range: Range<Int64>, in source: any ByteSource
  ) throws(ISOMediaError) -> (findings: [PayloadFinding], start: Int64)? {
    guard range.upperBound - range.lowerBound >= footerSize else { return nil }
    let footer = try source.fields(in: range.upperBound - footerSize..<range.upperBound)
    guard footer.has(mark, at: 46), let length = footer.little(UInt32.self, at: 38).map(Int64.init) else { return nil }
    let start = max(range.lowerBound, range.upperBound - max(length, footerSize))
    var findings = FindingList()
    var end = range.upperBound - footerSize
    var header = footer
    for _ in 0..<recordLimit {
      guard let id = header.little(UInt16.self, at: 0), let size = header.little(UInt32.self, at: 2).map(Int64.init),
        size <= end - start
      else { break }
      findings.add(try finding(id, end - size..<end, in: source))
      end -= size
      guard end - start >= 6 else { break }
      header = try source.fields(in: end - 6..<end)
      end -= 6
    }
    // If a record cannot be skipped, the bytes before it are unknown.
    if end > start || findings.findings.isEmpty {
      findings.add(PayloadFinding(kind: "insta360-trailer", disclosure: .opaque))
    }
    return (findings.findings, start)
  }

  private static func finding(
    _ id: UInt16, _ range: Range<Int64>, in source: any ByteSource
  ) throws(ISOMediaError) -> PayloadFinding {
    switch id {
    // Serial number, model, firmware.
    case 0x101: PayloadFinding(kind: "insta360-identity", disclosure: .identity)
    case 0x200:
      TextPositions.examine(Array(try source.fields(in: range).bytes))
        ?? PayloadFinding(kind: "insta360-preview", disclosure: .harmless)
    case 0x300: PayloadFinding(kind: "insta360-gyro", disclosure: .motion)
    // The exposure and times of the frames.
    case 0x400, 0x600: PayloadFinding(kind: "insta360-frames", disclosure: .harmless)
    case 0x700:
      // `A` for a fix at 10, latitude with its hemisphere at 11, longitude with its hemisphere at 20.
      .location(
        "insta360-gps",
        try source.positions(in: range, recordSize: 53) { record in
          record.has("A", at: 10) ? record.position(.doubleDegrees, at: 11, 20, letters: (19, 28)) : nil
        })
    default: PayloadFinding(kind: "insta360-record", disclosure: .opaque)
    }
  }
}
