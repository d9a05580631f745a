import ISOMedia
import LibAV

/// Detects frames that contain only zeros, for example after a failed copy or a disk error. No compressed frame starts
/// with a run of zeros.
enum BlankFrame {
  /// The number of bytes to check. A start code has at most three zeros, so sixteen zeros cannot be a start code.
  private static let headCount = 16

  static func isBlank(_ packet: Packet, codec: String) -> Bool {
    !rawCodecs.contains(codec) && (unsafe packet.withBytes { unsafe isBlank(Array($0.prefix(headCount))) })
  }

  /// - Parameter sample: the byte range of a video sample, inside the file.
  static func isBlank(
    _ sample: Range<Int64>, of format: FourCC, in source: any ByteSource
  ) throws(ISOMediaError) -> Bool {
    guard !rawFormats.contains(format) else { return false }
    return isBlank(try source.bytes(at: sample.lowerBound, count: min(headCount, Int(sample.count))))
  }

  private static func isBlank(_ head: [UInt8]) -> Bool {
    head.count == headCount && head.allSatisfy { $0 == 0 }
  }

  /// The libav names of uncompressed codecs, whose black frames may contain only zeros.
  private static let rawCodecs: Set<String> = ["rawvideo", "v210", "v308", "v408", "v410", "yuv4", "r210"]
  private static let rawFormats: Set<FourCC> = [
    "raw ", "2vuy", "yuv2", "yuvs", "v210", "v308", "v408", "v410", "r210", "b16g", "b48r", "b64a",
  ]
}
