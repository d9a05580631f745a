internal import ClipModel
internal import ISOMedia

/// Reads Insta360's trailer backward from its end: each record is followed by its type and size. The last 78 bytes
/// contain the last record's type and size, the trailer length at offset 38, and a 32-character signature.
enum Insta360Trailer {
  private static let mark = "8db42d694ccc418790edff439fe026bf"
  private static let footerSize: Int64 = 78
  /// The maximum number of records to read. Real files have about a dozen.
  private static let recordLimit = 1024

  /// Reads the trailer at the end of a range.
  /// - Returns: one finding per kind, and the start of the trailer; `nil` if the range doesn't end with a trailer.
  static func examine(
    _ range: Range<Int64>, in source: any ByteSource
  ) throws(ISOMediaError) -> (findings: [PayloadFinding], start: Int64)? {
    guard range.upperBound - range.lowerBound >= footerSize else { return nil }
    let footer = try source.fields(in: range.upperBound - footerSize..<range.upperBound)
    guard footer.matches(mark, at: 46), let length = footer.littleEndian(UInt32.self, at: 38).map(Int64.init) else {
      return nil
    }
    let start = max(range.lowerBound, range.upperBound - max(length, footerSize))
    var findings = FindingList()
    var end = range.upperBound - footerSize
    var header = footer
    for _ in 0..<recordLimit {
      guard let id = header.littleEndian(UInt16.self, at: 0),
        let size = header.littleEndian(UInt32.self, at: 2).map(Int64.init),
        size <= end - start
      else { break }
      findings.add(try finding(id, end - size..<end, in: source))
      end -= size
      guard end - start >= 6 else { break }
      header = try source.fields(in: end - 6..<end)
      end -= 6
    }
    // If a record can't be skipped, the bytes before it are unknown.
    if end > start || findings.findings.isEmpty {
      findings.add(PayloadFinding(kind: "insta360-trailer", disclosure: .opaque))
    }
    return (findings.findings, start)
  }

  private static func finding(
    _ id: UInt16, _ range: Range<Int64>, in source: any ByteSource
  ) throws(ISOMediaError) -> PayloadFinding {
    switch id {
    // This record contains the serial number, model and firmware version.
    case 0x101: PayloadFinding(kind: "insta360-identity", disclosure: .identity)
    case 0x200:
      TextPositions.examine(Array(try source.fields(in: range).bytes))
        ?? PayloadFinding(kind: "insta360-preview", disclosure: .harmless)
    case 0x300: PayloadFinding(kind: "insta360-gyro", disclosure: .motion)
    // This record contains the exposure and timestamps of the frames.
    case 0x400, 0x600: PayloadFinding(kind: "insta360-frames", disclosure: .harmless)
    case 0x700:
      // A GPS record has an `A` for a fix at offset 10, the latitude and its hemisphere at 11, and the longitude and
      // its hemisphere at 20.
      .location(
        "insta360-gps",
        try source.positions(in: range, recordSize: 53) { record in
          record.matches("A", at: 10) ? record.position(.doubleDegrees, at: 11, 20, letters: (19, 28)) : nil
        })
    default: PayloadFinding(kind: "insta360-record", disclosure: .opaque)
    }
  }
}
