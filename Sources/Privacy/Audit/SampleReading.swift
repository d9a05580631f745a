internal import ISOMedia
internal import LocationFormats

/// How the samples of a track are looked at.
enum SampleReading: Equatable {
  /// Sound, pictures without room for messages, subtitles that are bitmaps.
  case none
  case pictures(PictureCoding)
  case text
  /// Of unknown form, compressed or encrypted: the whole track is opaque.
  case opaque(kind: String)

  /// Of one frame that is no picture.
  private static let textLimit = 1 << 20

  func findings(
    in range: Range<Int64>, of source: any ByteSource, search: PositionSearch
  ) throws(ISOMediaError) -> [PayloadFinding] {
    switch self {
    case .none: return []
    case .pictures(let coding): return try coding.messages(in: range, of: source, search: search).map(\.finding)
    case .text, .opaque:
      let bytes = try source.bytes(in: range, atMost: Self.textLimit)
      return (KLVPositions.examine(bytes) ?? search.examine(bytes)).map { [$0] } ?? []
    }
  }
}
