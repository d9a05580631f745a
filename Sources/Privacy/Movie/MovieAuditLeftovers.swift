import ClipModel
import ISOMedia
import LocationFormats

/// Unreferenced bytes.
extension MovieAudit {
  /// The minimum size of a gap in bytes. A smaller number of bytes between samples is padding.
  private static let gapLimit = 32

  static let unreferencedPlace = "mdat, bytes that no sample refers to"
  static func describeTrailerPlace(_ kind: String) -> String { "after the last box (\(kind))" }

  mutating func examineTrailer() throws(ISOMediaError) {
    guard let trailer = file.trailer else { return }
    let place = Self.describeTrailerPlace(trailer.kind.rawValue)
    for finding in try CameraBlocks.examineTrailer(trailer.range, in: source) {
      add(FoundCarrier(finding, place: place, byteRange: trailer.range), removal: .removeTrailer)
    }
  }

  /// Checks the bytes of `mdat` that don't belong to any sample. They can contain dash cam records, or parts that were cut
  /// from an edited video.
  /// - Returns: the ranges whose content isn't recognized as private.
  mutating func examineUnreferencedBytes() throws(ISOMediaError) -> [Range<Int64>] {
    guard let referenced = try file.sampleRanges(in: source) else {
      addUnreadPart("too many chunks to check the bytes between them")
      return []
    }
    var rest: [Range<Int64>] = []
    let data = file.topLevelBoxes.filter { $0.type == "mdat" }
    for range in data.flatMap({ $0.payload.subtracting(referenced) }) {
      let content = try ExaminedBytes(range, of: source)
      if content.isBlank { continue }
      var finding = try CameraBlocks.examineUnreferencedBytes(range, in: source) ?? content.finding
      if finding == nil, !content.isText, range.count >= Self.gapLimit {
        finding = PayloadFinding(kind: "unreferenced-bytes", disclosure: .opaque)
      }
      guard let finding else {
        rest.append(range)
        continue
      }
      add(FoundCarrier(finding, place: Self.unreferencedPlace, byteRange: range), removal: .rewrite)
    }
    return rest
  }
}
