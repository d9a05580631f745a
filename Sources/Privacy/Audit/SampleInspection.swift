internal import ISOMedia
internal import LocationFormats

/// How the samples of a track are examined.
enum SampleInspection: Equatable {
  /// Samples are skipped: audio, video without embedded messages, and bitmap subtitles.
  case none
  case video(VideoCoding)
  case text
  /// An unknown, compressed or encrypted format: the whole track is opaque.
  case opaque(kind: String)

  /// The maximum size of an examined sample, except for video.
  private static let textLimit = 1 << 20

  /// The inspection of video samples.
  /// - Parameters:
  ///   - codec: libav's name of the codec; `nil` if it is unknown.
  ///   - setup: the decoder configuration.
  init(codec: String?, setup: [UInt8] = []) {
    self = codec.flatMap { VideoCoding(codec: $0, setup: setup) }.map(Self.video) ?? .none
  }

  func findings(
    in range: Range<Int64>, of source: any ByteSource, search: PositionSearch
  ) throws(ISOMediaError) -> [PayloadFinding] {
    switch self {
    case .none: return []
    case .video(let coding): return try coding.messages(in: range, of: source, search: search).map(\.finding)
    case .text, .opaque:
      let bytes = try source.bytes(in: range, atMost: Self.textLimit)
      return (KLVPositions.examine(bytes) ?? search.examine(bytes)).map { [$0] } ?? []
    }
  }

  /// The findings in the decoder configuration.
  func findings(inSetup setup: [UInt8]) throws(ISOMediaError) -> [PayloadFinding] {
    if case .video(let coding) = self { try coding.findings(inSetup: setup) } else { [] }
  }
}
