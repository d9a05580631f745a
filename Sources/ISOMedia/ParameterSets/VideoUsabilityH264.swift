extension VideoUsability {
  /// E.1.1 of H.264.
  init(h264 reader: inout BitReader) throws(BitReader.Damage) {
    try readCommon(&reader)
    // As libav does: what announces more than is there, ends here. Some cameras have cut it.
    if reader.remaining < 10, try reader.peek(1) == 1 { return }
    if try reader.flag() {
      timing = try Self.timing(&reader)
      let isFixedRate = try reader.flag()
      timing?.isFixedRate = isFixedRate
    }
    try readBufferingModels(&reader)
    hasPictureStructure = try reader.flag()
    // Old writers end here.
    guard reader.remaining > 0, try reader.flag() else { return }
    // motion_vectors_over_pic_boundaries_flag, max_bytes_per_pic_denom, max_bits_per_mb_denom, two lengths of vectors.
    try reader.skip(1)
    for _ in 0..<4 { _ = try reader.unsigned(atMost: 16) }
    bufferLimits = BufferLimits(
      reorderDepth: try reader.unsigned(atMost: 16), frameCount: try reader.unsigned(atMost: 16))
  }

  private mutating func readBufferingModels(_ reader: inout BitReader) throws(BitReader.Damage) {
    // For the stream with its headers, and for the slices alone.
    for _ in 0..<2 where try reader.flag() {
      try reader.skipBufferingModelH264()
      hasBufferingModel = true
    }
    // low_delay_hrd_flag
    if hasBufferingModel { try reader.skip(1) }
  }
}
