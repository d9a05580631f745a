/// Skips the quantization scaling lists, to reach the syntax elements after them.
extension BitReader {
  /// Skips six lists of 16 weights, and further lists of 64 (H.264, 7.3.2.1.1 and 7.3.2.1.1.1).
  mutating func skipScalingListsH264(count: Int) throws(Damage) {
    for index in 0..<count where try flag() {
      var (last, next) = (8, 8)
      for _ in 0..<(index < 6 ? 16 : 64) {
        // After a 0, no more weights are coded, and the last weight repeats.
        if next != 0 { next = (last + (try signed(in: -128...127))) & 0xFF }
        if next != 0 { last = next }
      }
    }
  }

  /// Skips six lists for each block size, and two for the largest one (H.265, 7.3.4).
  mutating func skipScalingListsHEVC() throws(Damage) {
    for size in 0..<4 {
      for _ in 0..<(size == 3 ? 2 : 6) {
        guard try flag() else {
          // scaling_list_pred_matrix_id_delta
          _ = try unsigned(atMost: 5)
          continue
        }
        // Sizes from 16 x 16 have a scaling_list_dc_coef_minus8.
        if size > 1 { _ = try signed(in: -7...247) }
        for _ in 0..<min(64, 16 << (2 * size)) { _ = try signed(in: -128...127) }
      }
    }
  }
}
