/// The display-order distances from a frame to its reference pictures: first the earlier pictures, nearest first, then
/// the later ones (`st_ref_pic_set`; H.265, 7.4.8).
private struct ReferenceSet {
  var before: [Int] = []
  var after: [Int] = []

  /// NumDeltaPocs.
  var count: Int { before.count + after.count }
  /// DeltaPocS0 and DeltaPocS1.
  var distances: [Int] { before + after }

  /// Reads an explicitly coded set.
  init(_ reader: inout BitReader) throws(BitReader.Damage) {
    // Neither number exceeds sps_max_dec_pic_buffering_minus1, which is at most 15.
    let counts = (try reader.unsigned(atMost: 15), try reader.unsigned(atMost: 15))
    before = try Self.steps(counts.0, &reader).map { -$0 }
    after = try Self.steps(counts.1, &reader)
  }

  private static func steps(_ count: Int, _ reader: inout BitReader) throws(BitReader.Damage) -> [Int] {
    var distances: [Int] = []
    for _ in 0..<count {
      // delta_poc_s0_minus1 or delta_poc_s1_minus1, and whether the current picture uses it.
      distances.append((distances.last ?? 0) + (try reader.unsigned(atMost: 0x7FFF)) + 1)
      try reader.skip(1)
    }
    return distances
  }

  /// Derives a set from the previous one: each distance is shifted, and the shift itself is added (7-61, 7-62).
  init(from former: ReferenceSet, _ reader: inout BitReader) throws(BitReader.Damage) {
    let isNegative = try reader.flag()
    let size = try reader.unsigned(atMost: 0x7FFF) + 1
    let step = isNegative ? -size : size
    var kept: [Int] = []
    for distance in former.distances + [0] {
      // used_by_curr_pic_flag; if it is 0, use_delta_flag.
      var isKept = try reader.flag()
      if !isKept { isKept = try reader.flag() }
      if isKept { kept.append(distance + step) }
    }
    // Both lists start with the nearest picture.
    before = kept.filter { $0 < 0 }.sorted(by: >)
    after = kept.filter { $0 > 0 }.sorted()
    guard before.count <= 16, after.count <= 16 else { throw BitReader.Damage() }
  }
}

extension BitReader {
  /// Skips the short-term reference picture sets. The length of a set can depend on the previous one.
  mutating func skipShortTermReferenceSets() throws(Damage) {
    var former: ReferenceSet?
    for _ in 0..<(try unsigned(atMost: 64)) {
      // inter_ref_pic_set_prediction_flag, which is absent in the first set.
      if let set = former, try flag() {
        former = try ReferenceSet(from: set, &self)
      } else {
        former = try ReferenceSet(&self)
      }
    }
  }
}
