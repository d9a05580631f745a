internal import ClipModel
internal import ISOMedia
internal import LocationFormats

/// Audits the video samples of an MP4 file before the file is complete.
package struct SampleAuditor: Sendable {
  private let coding: VideoCoding
  private let search: PositionSearch

  /// - Parameters:
  ///   - codec: the libav name of the codec. Samples are NAL units with 4-byte length prefixes.
  ///   - origin: the positions in the file from which the samples were created.
  /// - Returns: `nil` for codecs without NAL units.
  package init?(codec: String, madeFrom origin: SourcePositions) {
    switch codec {
    case "h264": coding = .units(.h264(lengthSize: 4))
    case "hevc": coding = .units(.hevc(lengthSize: 4))
    default: return nil
    }
    search = PositionSearch(known: origin.positions)
  }

  /// Returns the first location data or unknown data in a sample, or `nil` if the sample is clean. The criteria are those
  /// of an audit of the complete file.
  package func leftoverPlace(in sample: [UInt8]) throws -> String? {
    let bytes = MemoryBytes(sample)
    for message in try coding.messages(in: 0..<bytes.byteCount, of: bytes, search: search) {
      guard let found = FoundCarrier(message.finding, place: "a video frame"), found.carrier.mustBeRemoved else {
        continue
      }
      return "\(found.carrier.place) (\(found.carrier.kind))"
    }
    return nil
  }
}
