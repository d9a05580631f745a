import LibAV

/// Detects frames that are decoded but never shown, such as VP8 and VP9 reference frames in separate packets.
enum HiddenFrame {
  /// - Parameter codec: the libav name of the codec.
  static func isHidden(_ packet: Packet, codec: String) -> Bool {
    guard let first = packet.firstByte, let last = packet.lastByte else { return false }
    return switch codec {
    case "vp8": isHiddenVP8(first: first)
    case "vp9": isHiddenVP9(first: first, last: last)
    default: false
    }
  }

  /// The fifth bit of a VP8 frame tag is `show_frame` (RFC 6386, section 9.1).
  static func isHiddenVP8(first: UInt8) -> Bool { first & 0x10 == 0 }

  /// See the VP9 bitstream specification 0.6, section 6.2 (`show_frame`) and annex B (superframes, whose last frame is
  /// shown).
  static func isHiddenVP9(first: UInt8, last: UInt8) -> Bool {
    guard last & 0xE0 != 0xC0, first >> 6 == 2 else { return false }
    // The bits, starting with the highest, are: marker (2), profile (2), a reserved bit in profile 3,
    // `show_existing_frame`, `frame_type` and `show_frame`.
    let showsExisting: UInt8 = first & 0x30 == 0x30 ? 2 : 3
    return first >> showsExisting & 1 == 0 && first >> (showsExisting - 2) & 1 == 0
  }
}
