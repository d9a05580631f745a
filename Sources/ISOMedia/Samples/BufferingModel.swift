/// Skips the hypothetical reference decoder (HRD) parameters to reach the syntax elements that follow them.
extension BitReader {
  /// Skips the H.264 `hrd_parameters` (E.1.2).
  mutating func skipBufferingModelH264() throws(InvalidData) {
    let count = try readUnsigned(atMost: 31) + 1
    // bit_rate_scale, cpb_size_scale
    try skipBits(8)
    for _ in 0..<count { try skipBufferH264() }
    // Skips four length fields of 5 bits each.
    try skipBits(20)
  }

  /// Skips bit_rate_value_minus1, cpb_size_value_minus1 and cbr_flag.
  private mutating func skipBufferH264() throws(InvalidData) {
    _ = try readUnsigned()
    _ = try readUnsigned()
    try skipBits(1)
  }

  /// Skips the HEVC `hrd_parameters`, including the part that all layers share (E.2.2).
  mutating func skipBufferingModelHEVC(layerCount: Int) throws(InvalidData) {
    let (hasNAL, hasVCL) = (try readFlag(), try readFlag())
    var hasSubPictures = false
    if hasNAL || hasVCL {
      hasSubPictures = try readFlag()
      // Skips tick_divisor_minus2, a length, a flag and a second length.
      if hasSubPictures { try skipBits(8 + 5 + 1 + 5) }
      // Skips bit_rate_scale, cpb_size_scale, cpb_size_du_scale and three lengths.
      try skipBits(4 + 4 + (hasSubPictures ? 4 : 0) + 5 + 5 + 5)
    }
    for _ in 0..<layerCount {
      let count = try readBufferCount()
      for _ in 0..<((hasNAL ? count : 0) + (hasVCL ? count : 0)) {
        // Skips the bit rate and size, the same values for sub-pictures if present, and cbr_flag.
        for _ in 0..<(hasSubPictures ? 4 : 2) { _ = try readUnsigned() }
        try skipBits(1)
      }
    }
  }

  /// Reads a layer's buffer count (CpbCnt).
  private mutating func readBufferCount() throws(InvalidData) -> Int {
    // fixed_pic_rate_general_flag implies fixed_pic_rate_within_cvs_flag.
    var isFixed = try readFlag()
    if !isFixed { isFixed = try readFlag() }
    var hasLowDelay = false
    if isFixed {
      // elemental_duration_in_tc_minus1
      _ = try readUnsigned(atMost: 2047)
    } else {
      hasLowDelay = try readFlag()
    }
    return hasLowDelay ? 1 : try readUnsigned(atMost: 31) + 1
  }
}
