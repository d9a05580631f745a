/// Skips the quantization scaling lists to reach the syntax elements that follow them.
extension BitReader {
  /// Skips the scaling lists: six with 16 weights, followed by lists with 64 weights (H.264, 7.3.2.1.1 and
  /// 7.3.2.1.1.1).
  mutating func skipScalingListsH264(count: Int) throws(InvalidData) {
    for index in 0..<count where try readFlag() {
      var (last, next) = (8, 8)
      for _ in 0..<(index < 6 ? 16 : 64) {
        // After a 0, no more weights are coded, and the last weight repeats.
        if next != 0 { next = (last + (try readSigned(in: -128...127))) & 0xFF }
        if next != 0 { last = next }
      }
    }
  }

  /// Skips six scaling lists for each block size, and two for the largest block size (H.265, 7.3.4).
  mutating func skipScalingListsHEVC() throws(InvalidData) {
    for size in 0..<4 {
      for _ in 0..<(size == 3 ? 2 : 6) {
        guard try readFlag() else {
          // scaling_list_pred_matrix_id_delta
          _ = try readUnsigned(atMost: 5)
          continue
        }
        // For block sizes of 16 x 16 and above, scaling_list_dc_coef_minus8 precedes the weights.
        if size > 1 { _ = try readSigned(in: -7...247) }
        for _ in 0..<min(64, 16 << (2 * size)) { _ = try readSigned(in: -128...127) }
      }
    }
  }
}
