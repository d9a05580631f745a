extension VideoUsability {
  /// Reads the VUI of H.264 (E.1.1).
  init(h264 reader: inout BitReader) throws(BitReader.Damage) {
    try readCommon(&reader)
    // Like libav, this stops if the flag declares data that is missing. Some cameras truncate the VUI.
    if reader.remaining < 10, try reader.peek(1) == 1 { return }
    if try reader.flag() {
      timing = try Self.timing(&reader)
      // fixed_frame_rate_flag
      try reader.skip(1)
    }
    try readBufferingModels(&reader)
    // pic_struct_present_flag
    try reader.skip(1)
    // Old writers end the VUI here.
    guard reader.remaining > 0, try reader.flag() else { return }
    // motion_vectors_over_pic_boundaries_flag, max_bytes_per_pic_denom, max_bits_per_mb_denom, two motion vector
    // lengths.
    try reader.skip(1)
    for _ in 0..<4 { _ = try reader.unsigned(atMost: 16) }
    reorderDepth = try reader.unsigned(atMost: 16)
    // max_dec_frame_buffering
    _ = try reader.unsigned(atMost: 16)
  }

  private mutating func readBufferingModels(_ reader: inout BitReader) throws(BitReader.Damage) {
    // NAL HRD parameters, then VCL HRD parameters.
    for _ in 0..<2 where try reader.flag() {
      try reader.skipBufferingModelH264()
      hasBufferingModel = true
    }
    // low_delay_hrd_flag
    if hasBufferingModel { try reader.skip(1) }
  }
}
