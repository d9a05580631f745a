/// The distances, in picture order, to the pictures that are kept for a picture: those before it, the nearest first,
/// then those after it (`st_ref_pic_set`; H.265, 7.4.8).
private struct ReferenceSet {
  var before: [Int] = []
  var after: [Int] = []

  /// NumDeltaPocs.
  var count: Int { before.count + after.count }
  /// DeltaPocS0 and DeltaPocS1.
  var distances: [Int] { before + after }

  /// A set that is written out.
  init(_ reader: inout BitReader) throws(BitReader.Damage) {
    // Neither number is above sps_max_dec_pic_buffering_minus1, and that not above 15.
    let counts = (try reader.unsigned(atMost: 15), try reader.unsigned(atMost: 15))
    before = try Self.steps(counts.0, &reader).map { -$0 }
    after = try Self.steps(counts.1, &reader)
  }

  private static func steps(_ count: Int, _ reader: inout BitReader) throws(BitReader.Damage) -> [Int] {
    var distances: [Int] = []
    for _ in 0..<count {
      // delta_poc_s0_minus1 or delta_poc_s1_minus1, and whether the picture itself uses it.
      distances.append((distances.last ?? 0) + (try reader.unsigned(atMost: 0x7FFF)) + 1)
      try reader.skip(1)
    }
    return distances
  }

  /// A set that is made from the one in front of it: each distance moved, and the step itself (7-61, 7-62).
  init(from former: ReferenceSet, _ reader: inout BitReader) throws(BitReader.Damage) {
    let isNegative = try reader.flag()
    let size = try reader.unsigned(atMost: 0x7FFF) + 1
    let step = isNegative ? -size : size
    var kept: [Int] = []
    for distance in former.distances + [0] {
      // used_by_curr_pic_flag; without it, use_delta_flag.
      var isKept = try reader.flag()
      if !isKept { isKept = try reader.flag() }
      if isKept { kept.append(distance + step) }
    }
    // Both lists go away from the picture.
    before = kept.filter { $0 < 0 }.sorted(by: >)
    after = kept.filter { $0 > 0 }.sorted()
    guard before.count <= 16, after.count <= 16 else { throw BitReader.Damage() }
  }
}

extension BitReader {
  /// Goes behind the sets of short-term reference pictures. How long one is can depend on the one in front of it.
  mutating func skipShortTermReferenceSets() throws(Damage) {
    var former: ReferenceSet?
    for _ in 0..<(try unsigned(atMost: 64)) {
      // inter_ref_pic_set_prediction_flag, which the first one does not have.
      if let set = former, try flag() {
        former = try ReferenceSet(from: set, &self)
      } else {
        former = try ReferenceSet(&self)
      }
    }
  }
}
