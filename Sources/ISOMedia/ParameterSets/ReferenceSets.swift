/// The display-order distances from a frame to its reference pictures: the earlier pictures, then the later ones, each
/// starting with the nearest (`st_ref_pic_set`; H.265, 7.4.8).
private struct ReferenceSet {
  var before: [Int] = []
  var after: [Int] = []

  /// NumDeltaPocs.
  var count: Int { before.count + after.count }
  /// DeltaPocS0 and DeltaPocS1.
  var distances: [Int] { before + after }

  /// Reads an explicitly coded reference picture set.
  init(_ reader: inout BitReader) throws(BitReader.InvalidData) {
    // Neither count exceeds sps_max_dec_pic_buffering_minus1, which is at most 15.
    let counts = (try reader.readUnsigned(atMost: 15), try reader.readUnsigned(atMost: 15))
    before = try Self.readDistances(counts.0, &reader).map { -$0 }
    after = try Self.readDistances(counts.1, &reader)
  }

  private static func readDistances(_ count: Int, _ reader: inout BitReader) throws(BitReader.InvalidData) -> [Int] {
    var distances: [Int] = []
    for _ in 0..<count {
      // Each entry has delta_poc_s0_minus1 or delta_poc_s1_minus1, and a flag for whether the current picture uses it.
      distances.append((distances.last ?? 0) + (try reader.readUnsigned(atMost: 0x7FFF)) + 1)
      try reader.skipBits(1)
    }
    return distances
  }

  /// Derives a reference picture set from the previous set by shifting each distance and adding the shift itself (7-61,
  /// 7-62).
  init(from former: ReferenceSet, _ reader: inout BitReader) throws(BitReader.InvalidData) {
    let isNegative = try reader.readFlag()
    let size = try reader.readUnsigned(atMost: 0x7FFF) + 1
    let step = isNegative ? -size : size
    var kept: [Int] = []
    for distance in former.distances + [0] {
      // If used_by_curr_pic_flag is 0, use_delta_flag follows.
      var isKept = try reader.readFlag()
      if !isKept { isKept = try reader.readFlag() }
      if isKept { kept.append(distance + step) }
    }
    // Both lists start with the nearest picture.
    before = kept.filter { $0 < 0 }.sorted(by: >)
    after = kept.filter { $0 > 0 }.sorted()
    guard before.count <= 16, after.count <= 16 else { throw BitReader.InvalidData() }
  }
}

extension BitReader {
  /// Skips the short-term reference picture sets. A set's length can depend on the previous set.
  mutating func skipShortTermReferenceSets() throws(InvalidData) {
    var former: ReferenceSet?
    for _ in 0..<(try readUnsigned(atMost: 64)) {
      // The inter_ref_pic_set_prediction_flag is absent in the first set.
      if let set = former, try readFlag() {
        former = try ReferenceSet(from: set, &self)
      } else {
        former = try ReferenceSet(&self)
      }
    }
  }
}
