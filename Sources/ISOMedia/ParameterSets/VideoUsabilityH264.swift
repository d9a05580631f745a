extension VideoUsability {
  /// Reads the H.264 VUI (E.1.1).
  init(h264 reader: inout BitReader) throws(BitReader.InvalidData) {
    try readCommonFields(&reader)
    // Like libav, this stops if the flag declares timing data that is missing. Some cameras truncate the VUI.
    if reader.remaining < 10, try reader.peekBits(1) == 1 { return }
    if try reader.readFlag() {
      timing = try Self.readTimingFields(&reader)
      // fixed_frame_rate_flag
      try reader.skipBits(1)
    }
    try readBufferingModels(&reader)
    // pic_struct_present_flag
    try reader.skipBits(1)
    // The VUI of older encoders ends here.
    guard reader.remaining > 0, try reader.readFlag() else { return }
    // Skips motion_vectors_over_pic_boundaries_flag, max_bytes_per_pic_denom, max_bits_per_mb_denom, and two maximum
    // motion vector lengths.
    try reader.skipBits(1)
    for _ in 0..<4 { _ = try reader.readUnsigned(atMost: 16) }
    reorderDepth = try reader.readUnsigned(atMost: 16)
    // max_dec_frame_buffering
    _ = try reader.readUnsigned(atMost: 16)
  }

  private mutating func readBufferingModels(_ reader: inout BitReader) throws(BitReader.InvalidData) {
    // The NAL HRD parameters precede the VCL HRD parameters.
    for _ in 0..<2 where try reader.readFlag() {
      try reader.skipBufferingModelH264()
      hasBufferingModel = true
    }
    // low_delay_hrd_flag
    if hasBufferingModel { try reader.skipBits(1) }
  }
}
