/// What `avcC` or `hvcC` tells a decoder before the first picture: the payload of the box, or Matroska's `CodecPrivate`
/// (ISO/IEC 14496-15, 5.3.3.1 and 8.3.3.1).
package struct DecoderSetup: Equatable, Sendable {
  package var codec: NALUnitCodec
  /// Bytes of the length in front of each unit of a sample: 1, 2 or 4; some files have 3.
  package var lengthSize = 4
  package var profileIDC = 0
  /// H.264: the byte with the constraint flags. HEVC: `general_constraint_indicator_flags`, 48 bits.
  package var constraints: UInt64 = 0
  /// `general_profile_compatibility_flags` of HEVC.
  package var compatibility: UInt32 = 0
  /// `general_tier_flag` of HEVC.
  package var isHighTier = false
  /// As in the parameter sets: H.264 41 for level 4.1, HEVC 123.
  package var level = 0
  /// Layers of pictures that are droppable from the top; `nil` when unknown (0), as always in H.264.
  package var temporalLayerCount: Int?
  /// NAL units, with their headers. Only HEVC has the first.
  package var videoParameterSets: [[UInt8]] = []
  package var sequenceParameterSets: [[UInt8]] = []
  package var pictureParameterSets: [[UInt8]] = []

  /// The payload of an `avcC` box; `nil` when it is none, or bytes are missing.
  package init?(avcC record: [UInt8]) {
    var cursor = ByteCursor(record)
    // configurationVersion is 1.
    guard cursor.u8() == 1, let profile = cursor.u8(), let flags = cursor.u8(), let level = cursor.u8(),
      let lengths = cursor.u8(), let sequenceCount = cursor.u8()
    else { return nil }
    codec = .h264
    (profileIDC, constraints, self.level) = (Int(profile), UInt64(flags), Int(level))
    lengthSize = Int(lengths & 3) + 1
    guard let sequences = Self.units(sequenceCount & 0x1F, &cursor), let pictureCount = cursor.u8(),
      let pictures = Self.units(pictureCount, &cursor)
    else { return nil }
    // What high profiles have behind is in the sets too, and many writers leave it out.
    (sequenceParameterSets, pictureParameterSets) = (sequences, pictures)
  }

  private static func units(_ count: UInt8, _ cursor: inout ByteCursor) -> [[UInt8]]? {
    var units: [[UInt8]] = []
    for _ in 0..<count {
      guard let length = cursor.u16(), let unit = cursor.take(Int(length)) else { return nil }
      units.append(Array(unit))
    }
    return units
  }

  /// The payload of an `hvcC` box; `nil` when it is none, or bytes are missing.
  package init?(hvcC record: [UInt8]) {
    guard let record = HEVCConfigurationRecord(record), !record.isCutOff else { return nil }
    var cursor = ByteCursor(record.head)
    // Behind the version: 2 bits of profile space, the tier, 5 bits of profile. Behind the level: what tells of tiles,
    // chroma and depths, which the sets have too, and the average rate.
    guard cursor.skip(1), let profile = cursor.u8(), let compatibility = cursor.u32(), let upper = cursor.u16(),
      let lower = cursor.u32(), let level = cursor.u8(), cursor.skip(8), let layers = cursor.u8()
    else { return nil }
    codec = .hevc
    (isHighTier, profileIDC, self.level) = (profile & 0x20 != 0, Int(profile & 0x1F), Int(level))
    (self.compatibility, constraints) = (compatibility, UInt64(upper) << 32 | UInt64(lower))
    // constantFrameRate (2 bits), numTemporalLayers (3), temporalIdNested, lengthSizeMinusOne (2).
    lengthSize = Int(layers & 3) + 1
    temporalLayerCount = layers >> 3 & 7 == 0 ? nil : Int(layers >> 3 & 7)
    videoParameterSets = Self.units(ofType: 32, in: record)
    sequenceParameterSets = Self.units(ofType: 33, in: record)
    pictureParameterSets = Self.units(ofType: 34, in: record)
  }

  private static func units(ofType type: UInt8, in record: HEVCConfigurationRecord) -> [[UInt8]] {
    record.arrays.filter { $0.type & 0x3F == type }.flatMap(\.units)
  }

  /// The sequence parameter set that can be read; `nil` without one, as with sets that are in the samples (`avc3`,
  /// `hev1`), and when several say different things of the pictures: which one counts is told by the pictures.
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
    sequenceParameterSets.compactMap { unit in
      switch codec {
      case .h264: SequenceParameters(h264: unit)
      case .hevc: SequenceParameters(hevc: unit)
      }
    }
  }

  /// Whether there is a picture parameter set that belongs to a sequence parameter set (7.3.2.2 and 7.4.2.2 of H.264;
  /// 7.3.2.3.1 of H.265), as far as its head tells.
  package var isComplete: Bool {
    let identifiers = Set(sequences.map(\.identifier))
    return pictureParameterSets.contains { unit in
      guard unit.count > codec.headerSize, codec.unitType(unit[0]) == codec.pictureSetType else { return false }
      var reader = BitReader(rbsp: RBSP.unescaped(Array(unit[codec.headerSize...].prefix(16)) + [0x80]))
      guard let own = try? reader.unsigned(), let sequence = try? reader.unsigned() else { return false }
      return own <= (codec == .h264 ? 255 : 63) && identifiers.contains(sequence)
    }
  }
}
