import ClipModel
import ISOMedia
import LibAV

/// Adds up the NAL units of samples: each has its length in front, and the last one ends where the sample does
/// (ISO/IEC 14496-15, 5.3.4.2 and 8.3.4.2).
enum UnitLengths {
  /// - Returns: the samples where that is not so; `nil` for files and codecs without such lengths.
  static func broken(in path: String, interruption: Interruption) throws -> [DecodingCheck.Result.Damage]? {
    let source = try FileBytes(path: path)
    guard let file = try ISOFile.read(from: source) else { return nil }
    var damage: [DecodingCheck.Result.Damage]?
    for track in file.tracks where track.handlerType == "vide" {
      guard track.sampleEntries.count == 1, let setup = try track.sampleEntries[0].decoderSetup(in: source) else {
        continue
      }
      var broken = damage ?? []
      let times = try track.table?.samples(in: source)
      var number = 0
      try file.forEachSample(of: track, in: source) { range throws(ISOMediaError) in
        if let why = try problem(in: range, of: source, lengthSize: setup.lengthSize) {
          let ticks = times.flatMap { $0.indices.contains(number) ? $0[number].presentationTicks : nil }
          let seconds = Double(ticks ?? 0) / Double(max(track.timescale, 1))
          broken.append(.init(seconds: seconds, why: "sample \(number + 1) is damaged: \(why)", track: "video"))
        }
        number += 1
        return broken.count < DecodingCheck.damageLimit && !interruption.isInterrupted
      }
      damage = broken
    }
    try interruption.check()
    return damage
  }

  private static func problem(
    in range: Range<Int64>, of source: FileBytes, lengthSize: Int
  ) throws(ISOMediaError) -> String? {
    var position = range.lowerBound
    // What is behind the end of the file is missing, which another rule tells.
    guard range.upperBound <= source.byteCount else { return nil }
    while position < range.upperBound {
      let head = try source.bytes(at: position, count: lengthSize)
      guard head.count == lengthSize else { return "a unit has no room for its length" }
      let length = head.reduce(Int64(0)) { $0 << 8 | Int64($1) }
      position += Int64(lengthSize) + length
      if length == 0 { return "a unit is empty" }
      if position > range.upperBound {
        return "a unit claims \(position - range.upperBound) bytes more than there are"
      }
    }
    return nil
  }
}
