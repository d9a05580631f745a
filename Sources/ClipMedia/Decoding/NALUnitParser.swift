import ISOMedia
import LibAV

/// Parses the NAL units in the packets of an H.264 or HEVC track (ISO/IEC 14496-15).
struct NALUnitParser {
  /// The decoder configuration from the container.
  let setup: DecoderSetup

  /// The maximum number of NAL units to read before a slice, such as delimiters, parameter sets and SEI messages.
  static let unitLimit = 32

  /// The size of a length field in bytes.
  var lengthSize: Int { setup.lengthSize }

  /// Whether no other frame refers to the packet's frame, so that the frame can be skipped unless it is shown.
  func isDisposable(_ packet: Packet) -> Bool {
    unsafe packet.withBytes { bytes in
      var position = 0
      for _ in 0..<Self.unitLimit where position + lengthSize + 2 <= bytes.count {
        let length = unsafe bytes[position..<position + lengthSize].reduce(0) { $0 << 8 | Int($1) }
        let head = unsafe (bytes[position + lengthSize], bytes[position + lengthSize + 1])
        if setup.codec == .hevc {
          let type = Int(head.0 >> 1 & 0x3F)
          let layer = Int(head.0 & 1) << 5 | Int(head.1 >> 3)
          // Frames in the same temporal layer don't refer to frames with even types below 16, so such a frame in the
          // highest layer is disposable.
          if type < 32, layer == 0 {
            return type < 16 && type.isMultiple(of: 2) && Int(head.1 & 7) == setup.temporalLayerCount
          }
        } else if (1...5).contains(head.0 & 0x1F) {
          // All slices of a frame have the same nal_ref_idc.
          return head.0 >> 5 & 3 == 0
        }
        guard length > 0 else { return false }
        position += lengthSize + length
      }
      return false
    }
  }

  /// Whether the first slice of an H.264 packet belongs to an IDR picture. Frames after an IDR picture don't refer to
  /// frames before it.
  /// - Parameter lengthSize: the size of a length field in bytes; `nil` for units with start codes.
  static func isIDR(_ packet: Packet, lengthSize: Int?) -> Bool {
    unsafe packet.withBytes { bytes in
      var position = 0
      for _ in 0..<unitLimit {
        let head: Int
        if let lengthSize {
          head = position + lengthSize
          guard head < bytes.count else { return false }
          position = unsafe head + bytes[position..<head].reduce(0) { $0 << 8 | Int($1) }
        } else {
          while position + 3 < bytes.count, unsafe !bytes[position..<position + 3].elementsEqual([0, 0, 1]) {
            position += 1
          }
          head = position + 3
          guard head < bytes.count else { return false }
          position = head
        }
        let type = unsafe bytes[head] & 0x1F
        if (1...5).contains(type) { return type == 5 }
      }
      return false
    }
  }
}

extension NALUnitParser {
  /// Creates a parser, or returns `nil` if the track isn't length-prefixed H.264 or HEVC.
  init?(_ stream: SourceStream) {
    guard let setup = stream.decoderSetup else { return nil }
    self.init(setup: setup)
  }
}

extension SourceStream {
  /// The decoder configuration of length-prefixed H.264 or HEVC; `nil` for other tracks.
  var decoderSetup: DecoderSetup? {
    switch codecName {
    case "h264": DecoderSetup(avcC: setup)
    case "hevc": DecoderSetup(hvcC: setup)
    default: nil
    }
  }
}
