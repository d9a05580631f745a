import ISOMedia

/// Checks that the NAL units of each sample end exactly where the sample ends. For codecs without NAL units, finds
/// samples that contain only zeros.
enum NALUnitCheck {
  /// Finds the damaged samples of a file's video tracks.
  /// - Returns: the damaged samples, or `nil` if the samples cannot be checked, because the file isn't an ISO base
  ///   media file, its codec has no NAL units, or its sample table is incomplete.
  static func findBrokenSamples(in source: MediaFile) throws(ISOMediaError) -> [DecodingCheck.Result.Damage]? {
    guard let file = source.file else { return nil }
    var damage: [DecodingCheck.Result.Damage]?
    for track in file.tracks where track.handlerType == "vide" {
      guard track.sampleEntries.count == 1, let entry = track.sampleEntries.first else { continue }
      let setup = try entry.decoderSetup(in: source.bytes)
      guard let samples = try file.samples(of: track, in: source.bytes) else { continue }
      let start = track.mediaEdit?.mediaTime ?? 0
      var broken = damage ?? []
      for (number, sample) in samples.enumerated() where broken.count < DecodingCheck.damageLimit {
        // A separate rule reports samples after the end of the file.
        guard sample.range.upperBound <= source.bytes.byteCount else { continue }
        var problem: String?
        if let setup {
          var units = NALUnitIterator(sample.range, in: source.bytes, lengthSize: setup.lengthSize)
          while try units.next() != nil {}
          problem = units.problem
        } else if try BlankFrame.isBlank(sample.range, of: entry.format, in: source.bytes) {
          problem = "it contains only zeros"
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
}
