/// Skips the hypothetical reference decoder (HRD) parameters, to reach the syntax elements after them.
extension BitReader {
  /// Skips `hrd_parameters` of H.264 (E.1.2).
  mutating func skipBufferingModelH264() throws(Damage) {
    let count = try unsigned(atMost: 31) + 1
    // bit_rate_scale, cpb_size_scale
    try skip(8)
    for _ in 0..<count { try skipBufferH264() }
    // Four lengths of 5 bits each.
    try skip(20)
  }

  /// Skips bit_rate_value_minus1, cpb_size_value_minus1 and cbr_flag.
  private mutating func skipBufferH264() throws(Damage) {
    _ = try unsigned()
    _ = try unsigned()
    try skip(1)
  }

  /// Skips `hrd_parameters` of HEVC, including the part that all layers share (E.2.2).
  mutating func skipBufferingModelHEVC(layerCount: Int) throws(Damage) {
    let (hasNAL, hasVCL) = (try flag(), try flag())
    var hasSubPictures = false
    if hasNAL || hasVCL {
      hasSubPictures = try flag()
      // tick_divisor_minus2, a length, a flag, a length.
      if hasSubPictures { try skip(8 + 5 + 1 + 5) }
      // bit_rate_scale, cpb_size_scale, cpb_size_du_scale; three lengths.
      try skip(4 + 4 + (hasSubPictures ? 4 : 0) + 5 + 5 + 5)
    }
    for _ in 0..<layerCount {
      let count = try bufferCount()
      for _ in 0..<((hasNAL ? count : 0) + (hasVCL ? count : 0)) {
        // Rate and size, also for sub-pictures; cbr_flag.
        for _ in 0..<(hasSubPictures ? 4 : 2) { _ = try unsigned() }
        try skip(1)
      }
    }
  }

  /// Reads the CpbCnt of a layer.
  private mutating func bufferCount() throws(Damage) -> Int {
    // fixed_pic_rate_general_flag implies fixed_pic_rate_within_cvs_flag.
    var isFixed = try flag()
    if !isFixed { isFixed = try flag() }
    var hasLowDelay = false
    if isFixed {
      // elemental_duration_in_tc_minus1
      _ = try unsigned(atMost: 2047)
    } else {
      hasLowDelay = try flag()
    }
    return hasLowDelay ? 1 : try unsigned(atMost: 31) + 1
  }
}
