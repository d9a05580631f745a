import ClipModel
package import ISOMedia
import LocationFormats

/// The last look at what was written: are the positions that the source told still anywhere?
///
/// Picture and sound are left aside: they are the source's own bytes, and what is inside them was audited by itself.
struct LeftoverSearch {
  private static let windowSize = 1 << 20
  /// The longest form of a position: an Exif directory with its values.
  private static let overlap = 1 << 10

  let search: CoordinateSearch

  init(_ positions: [GeoPosition]) { search = CoordinateSearch(positions) }

  /// Where the first one is; `nil` when there is none.
  func firstPlace(in file: ISOFile, of source: any ByteSource) throws(ISOMediaError) -> String? {
    let media = Set(
      file.tracks.filter { ["vide", "soun", "auxv", "pict"].contains($0.handlerType ?? "") }.map(\.trackID))
    guard let samples = try file.sampleRanges(in: source, of: { media.contains($0) }) else { return "too many chunks" }
    for range in (0..<source.byteCount).subtracting(samples) {
      if let place = try firstPlace(in: range, of: source) { return place }
    }
    return nil
  }

  func firstPlace(in range: Range<Int64>, of source: any ByteSource) throws(ISOMediaError) -> String? {
    var position = range.lowerBound
    while position < range.upperBound {
      let bytes = try source.bytes(in: position..<range.upperBound, atMost: Self.windowSize)
      guard !bytes.isEmpty else { return nil }
      if let match = search.firstMatch(in: bytes) { return "byte \(position + Int64(match.offset)) (\(match.form))" }
      let isLast = position + Int64(bytes.count) >= range.upperBound || bytes.count <= Self.overlap
      position += Int64(isLast ? bytes.count : bytes.count - Self.overlap)
    }
    return nil
  }
}

/// The positions that a file tells, looked up once for everything that is made of it.
package struct SourcePositions: Sendable {
  let search: LeftoverSearch

  /// Looks at the structure of the file; on this thread.
  package init(of path: String) throws(ISOMediaError) {
    search = LeftoverSearch(try Auditor.audit(FileBytes(path: path), depth: .structure).positions)
  }
}
