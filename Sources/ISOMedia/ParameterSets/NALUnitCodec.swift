/// The codecs whose frames and parameter sets are stored as NAL units.
package enum NALUnitCodec: Equatable, Sendable {
  case h264, hevc

  /// The size of a NAL unit header in bytes (ITU-T H.264, 7.3.1; H.265, 7.3.1.2).
  package var headerSize: Int { self == .h264 ? 1 : 2 }

  /// Returns the `nal_unit_type` (H.264, table 7-1; H.265, table 7-1).
  /// - Parameter header: the first byte of the NAL unit.
  package func unitType(_ header: UInt8) -> UInt8 {
    switch self {
    case .h264: header & 0x1F
    case .hevc: header >> 1 & 0x3F
    }
  }

  /// The `nal_unit_type` of a sequence parameter set.
  var sequenceSetType: UInt8 { self == .h264 ? 7 : 33 }

  /// The `nal_unit_type` of a picture parameter set.
  var pictureSetType: UInt8 { self == .h264 ? 8 : 34 }

  /// Returns a reader for the bits after the header of a base layer's sequence parameter set; `nil` for other units and
  /// for oversized ones.
  func sequenceSetBits(_ unit: [UInt8]) -> BitReader? {
    guard unit.count > headerSize, unit.count <= Self.sequenceSetLimit, unit[0] & 0x80 == 0,
      unitType(unit[0]) == sequenceSetType
    else { return nil }
    // Other layers' parameter sets (see `nuh_layer_id`) have a different syntax (H.265, F.7.3.2.2.1).
    if self == .hevc, unit[0] & 1 != 0 || unit[1] >> 3 != 0 { return nil }
    return BitReader(rbsp: RBSP.unescaped(Array(unit[headerSize...])))
  }

  /// The maximum size in bytes of a sequence parameter set. In HEVC, a set with 64 reference picture sets of 32
  /// pictures each has about 8 KiB.
  private static let sequenceSetLimit = 16 << 10
}
