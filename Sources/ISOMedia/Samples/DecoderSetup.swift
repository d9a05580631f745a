/// The decoder configuration from `avcC`, `hvcC` or Matroska's `CodecPrivate` (ISO/IEC 14496-15, 5.3.3.1 and 8.3.3.1).
package struct DecoderSetup: Equatable, Sendable {
  package var codec: NALUnitCodec
  /// The size in bytes of each NAL unit's length prefix: 1, 2, 4 or, in some files, 3.
  package var lengthSize = 4
  /// The number of temporal layers; `nil` if unknown, which HEVC stores as 0. Always `nil` in H.264.
  package var temporalLayerCount: Int?
  /// The sequence parameter sets as complete NAL units, including headers.
  package var sequenceParameterSets: [[UInt8]] = []
  package var pictureParameterSets: [[UInt8]] = []
  /// Parses the payload of an `avcC` box; `nil` if it is invalid or truncated.
  package init?(avcC record: [UInt8]) {
    var cursor = ByteCursor(record)
    // The configurationVersion must be 1. Profile, constraints and level follow.
    guard cursor.u8() == 1, cursor.skip(3), let lengths = cursor.u8(), let sequenceCount = cursor.u8(),
      let sequences = Self.readUnits(sequenceCount & 0x1F, &cursor), let pictureCount = cursor.u8(),
      let pictures = Self.readUnits(pictureCount, &cursor)
    else { return nil }
    codec = .h264
    lengthSize = Int(lengths & 3) + 1
    // High profiles have more fields, which repeat values in the parameter sets and are often missing.
    (sequenceParameterSets, pictureParameterSets) = (sequences, pictures)
  }

  private static func readUnits(_ count: UInt8, _ cursor: inout ByteCursor) -> [[UInt8]]? {
    var units: [[UInt8]] = []
    for _ in 0..<count {
      guard let length = cursor.u16(), let unit = cursor.take(Int(length)) else { return nil }
      units.append(Array(unit))
    }
    return units
  }

  /// Parses the payload of an `hvcC` box; `nil` if it is invalid or truncated.
  package init?(hvcC record: [UInt8]) {
    guard let record = HEVCConfigurationRecord(record), !record.isCutOff, let layers = record.head.last else {
      return nil
    }
    codec = .hevc
    // This byte contains constantFrameRate (2 bits), numTemporalLayers (3), temporalIdNested (1) and lengthSizeMinusOne
    // (2).
    lengthSize = Int(layers & 3) + 1
    temporalLayerCount = layers >> 3 & 7 == 0 ? nil : Int(layers >> 3 & 7)
    sequenceParameterSets = Self.filterUnits(ofType: 33, in: record)
    pictureParameterSets = Self.filterUnits(ofType: 34, in: record)
  }

  private static func filterUnits(ofType type: UInt8, in record: HEVCConfigurationRecord) -> [[UInt8]] {
    record.arrays.filter { $0.type & 0x3F == type }.flatMap(\.units)
  }

  /// The sequence parameter set. `nil` if there is none, for example because only the samples contain parameter sets
  /// (`avc3`, `hev1`), or if there are several different ones, because only the frames determine which one applies.
  package var sequence: SequenceParameters? {
    let sets = sequences
    guard let first = sets.first else { return nil }
    let agree = sets.allSatisfy {
      $0.profileIDC == first.profileIDC && $0.chromaFormat == first.chromaFormat && $0.size == first.size
        && $0.lumaBitDepth == first.lumaBitDepth && $0.isFrameOnly == first.isFrameOnly
    }
    return agree ? first : nil
  }

  private var sequences: [SequenceParameters] {
    sequenceParameterSets.compactMap { SequenceParameters(codec, unit: $0) }
  }

  /// Whether any picture parameter set refers to one of the sequence parameter sets, according to its first fields
  /// (H.264, 7.3.2.2 and 7.4.2.2; H.265, 7.3.2.3.1).
  package var isComplete: Bool {
    let identifiers = Set(sequences.map(\.identifier))
    return pictureParameterSets.contains { unit in
      guard unit.count > codec.headerSize, codec.unitType(unit[0]) == codec.pictureSetType else { return false }
      var reader = BitReader(rbsp: RBSP.unescaped(Array(unit[codec.headerSize...].prefix(16)) + [0x80]))
      guard let own = try? reader.readUnsigned(), let sequence = try? reader.readUnsigned() else { return false }
      return own <= (codec == .h264 ? 255 : 63) && identifiers.contains(sequence)
    }
  }
}
