import ISOMedia
import LibAV

/// Pictures whose bytes are zeros: a hole that a copy or a disk left. No compressed picture starts like this.
enum BlankFrame {
  /// Start codes have up to three zeros; sixteen are none.
  private static let headCount = 16

  static func isOne(_ packet: Packet, codec: String) -> Bool {
    !rawCodecs.contains(codec) && (unsafe packet.withBytes { unsafe isBlank(Array($0.prefix(headCount))) })
  }

  /// - Parameter sample: of a video track with this sample entry, inside of the file.
  static func isOne(_ sample: Range<Int64>, of format: FourCC, in source: any ByteSource) throws(ISOMediaError) -> Bool
  {
    guard !rawFormats.contains(format) else { return false }
    return isBlank(try source.bytes(at: sample.lowerBound, count: min(headCount, Int(sample.count))))
  }

  private static func isBlank(_ head: some Collection<UInt8>) -> Bool {
    head.count == headCount && head.allSatisfy { $0 == 0 }
  }

  /// Uncompressed pictures may be black: names of libav, and sample entries of QuickTime.
  private static let rawCodecs: Set<String> = ["rawvideo", "v210", "v308", "v408", "v410", "yuv4", "r210"]
  private static let rawFormats: Set<FourCC> = [
    "raw ", "2vuy", "yuv2", "yuvs", "v210", "v308", "v408", "v410", "r210", "b16g", "b48r", "b64a",
  ]
}
