import ISOMedia
import LibAV

/// How the packets of an H.264 or HEVC track are made of NAL units, as far as the decoder's setup tells
/// (ISO/IEC 14496-15).
struct PictureUnits {
  /// What the container keeps for the decoder.
  let setup: DecoderSetup

  /// Units looked at in front of a picture: delimiter, parameter sets, messages.
  static let unitLimit = 32

  init(setup: DecoderSetup) { self.setup = setup }

  /// - Returns: `nil` for other codecs and framings.
  init?(_ stream: SourceStream) {
    guard let setup = stream.decoderSetup else { return nil }
    self.setup = setup
  }

  var isHEVC: Bool { setup.codec == .hevc }
  /// Bytes of a unit's length.
  var lengthSize: Int { setup.lengthSize }

  /// No other picture refers to this one: whoever does not want to see it need not decode it.
  func isDisposable(_ packet: Packet) -> Bool {
    unsafe packet.withBytes { bytes in
      var position = 0
      for _ in 0..<Self.unitLimit where position + lengthSize + 2 <= bytes.count {
        let length = unsafe bytes[position..<position + lengthSize].reduce(0) { $0 << 8 | Int($1) }
        let head = unsafe (bytes[position + lengthSize], bytes[position + lengthSize + 1])
        if isHEVC {
          let type = Int(head.0 >> 1 & 0x3F)
          let layer = Int(head.0 & 1) << 5 | Int(head.1 >> 3)
          // Below 16 the even types are those that their own temporal layer does not refer to; the highest layer has
          // no other above it.
          if type < 32, layer == 0 {
            return type < 16 && type.isMultiple(of: 2) && Int(head.1 & 7) == setup.temporalLayerCount
          }
        } else if (1...5).contains(head.0 & 0x1F) {
          // nal_ref_idc, the same in all slices of a picture.
          return head.0 >> 5 & 3 == 0
        }
        guard length > 0 else { return false }
        position += lengthSize + length
      }
      return false
    }
  }

  /// Whether the first slice of an H.264 packet is of an IDR picture, which refers to nothing before it.
  /// - Parameter lengthSize: bytes of a unit's length; `nil` for units after start codes.
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

extension SourceStream {
  /// Of H.264 and HEVC whose units have lengths in front of them.
  var decoderSetup: DecoderSetup? {
    switch codecName {
    case "h264": DecoderSetup(avcC: setup)
    case "hevc": DecoderSetup(hvcC: setup)
    default: nil
    }
  }
}
