internal import ISOMedia
internal import LocationFormats

/// How to check the samples of a track.
enum SampleInspection: Equatable {
  /// Skips the samples: audio, video that contains no messages, and bitmap subtitles.
  case none
  case video(VideoCoding)
  case text
  /// Treats the entire track as opaque because its format is unknown, compressed or encrypted.
  case opaque(kind: String)

  /// The maximum size in bytes of a sample to check, except for video.
  private static let textLimit = 1 << 20

  /// Chooses the inspection for video samples.
  /// - Parameters:
  ///   - codec: the libav name of the codec; `nil` if it is unknown.
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

  /// Returns the findings in the decoder configuration.
  func findings(inSetup setup: [UInt8]) throws(ISOMediaError) -> [PayloadFinding] {
    if case .video(let coding) = self { try coding.findings(inSetup: setup) } else { [] }
  }
}
