import ISOMedia

/// Adds up the NAL units of all samples: the last one of each ends where the sample does. Of other codecs, samples that
/// are filled with zeros are found.
enum UnitLengths {
  /// - Returns: the samples where that is not so; `nil` for files and codecs without such lengths, and for more samples
  ///   than are listed.
  static func broken(in source: SourceBytes) throws(ISOMediaError) -> [DecodingCheck.Result.Damage]? {
    guard let file = source.file else { return nil }
    var damage: [DecodingCheck.Result.Damage]?
    for track in file.tracks where track.handlerType == "vide" {
      guard track.sampleEntries.count == 1, let entry = track.sampleEntries.first else { continue }
      let setup = try entry.decoderSetup(in: source.bytes)
      guard let samples = try file.samples(of: track, in: source.bytes) else { continue }
      let start = track.edits.first { $0.mediaTime != nil }?.mediaTime ?? 0
      var broken = damage ?? []
      for (number, sample) in samples.enumerated() where broken.count < DecodingCheck.damageLimit {
        // What is behind the end of the file is missing, which another rule tells.
        guard sample.range.upperBound <= source.bytes.byteCount else { continue }
        let problem =
          if let setup {
            try walk(sample.range, in: source.bytes, lengthSize: setup.lengthSize)
          } else {
            try BlankPicture.isOne(sample.range, of: entry.format, in: source.bytes) ? "it holds zeros" : nil
          }
        guard let problem else { continue }
        let seconds = Double(sample.presentationTicks - start) / Double(max(track.timescale, 1))
        broken.append(
          .init(seconds: max(seconds, 0), why: "sample \(number + 1) is damaged: \(problem)", track: "video"))
      }
      if setup != nil || !broken.isEmpty { damage = broken }
    }
    return damage
  }

  private static func walk(
    _ sample: Range<Int64>, in source: any ByteSource, lengthSize: Int
  ) throws(ISOMediaError) -> String? {
    var walk = UnitWalk(sample, in: source, lengthSize: lengthSize)
    while try walk.next() != nil {}
    return walk.problem
  }
}
