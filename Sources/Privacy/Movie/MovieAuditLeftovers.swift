import ClipModel
import ISOMedia
import LocationFormats

/// Bytes that nothing accounts for.
extension MovieAudit {
  /// Fewer bytes between samples are padding of a writer.
  private static let gapLimit = 32

  static let unreferencedPlace = "mdat, bytes that no sample refers to"

  mutating func examineTrailer() throws(ISOMediaError) {
    guard let trailer = file.trailer else { return }
    let place = "behind the last box (\(trailer.kind.rawValue))"
    for finding in try CameraBlocks.examineTrailer(trailer.range, in: source) {
      add(FoundCarrier(finding, place: place, byteRange: trailer.range), remedy: .removeTrailer)
    }
  }

  /// Bytes of `mdat` that no sample refers to: dash cams keep their records there, editors what was cut away.
  /// - Returns: the ranges with content that is not private as far as it is recognized.
  mutating func examineUnreferenced() throws(ISOMediaError) -> [Range<Int64>] {
    guard let referenced = try file.sampleRanges(in: source) else {
      cannotJudge("there are too many chunks: the bytes between them were not looked at")
      return []
    }
    var rest: [Range<Int64>] = []
    let data = file.topLevelBoxes.filter { $0.type == "mdat" }
    for range in data.flatMap({ $0.payload.subtracting(referenced) }) {
      let content = try UnreferencedBytes(range, of: source)
      if content.isBlank { continue }
      if let finding = try CameraBlocks.examineUnreferenced(range, in: source) ?? content.finding {
        addUnreferenced(finding, range)
      } else if !content.isText, range.count >= Self.gapLimit {
        addUnreferenced(PayloadFinding(kind: "unreferenced-bytes", disclosure: .opaque), range)
      } else {
        rest.append(range)
      }
    }
    return rest
  }

  private mutating func addUnreferenced(_ finding: PayloadFinding, _ range: Range<Int64>) {
    add(FoundCarrier(finding, place: Self.unreferencedPlace, byteRange: range), remedy: .rewrite)
  }
}
