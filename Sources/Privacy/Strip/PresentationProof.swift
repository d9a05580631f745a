import ISOMedia
import LibAV

/// Verifies that a copy is presented like its source: rotation, aspect ratio, color, HDR metadata, stereo and
/// projection, flags, language, track order, and edit lists.
enum PresentationProof {
  /// Compares the properties of all kept tracks.
  /// - Parameters:
  ///   - before: the properties of the kept tracks in the source, in the order of the copy.
  ///   - after: the properties of the tracks in the copy.
  static func compare(_ before: [[String: String]], _ after: [[String: String]], name: String) throws {
    guard before.count == after.count else {
      throw StripError.notIdentical(name: name, why: "expected \(before.count) tracks, got \(after.count)")
    }
    for (index, (old, new)) in zip(before, after).enumerated() {
      guard let fact = old.keys.sorted().first(where: { old[$0] != new[$0] }) else { continue }
      let (expected, found) = (old[fact] ?? "none", new[fact] ?? "none")
      throw StripError.notIdentical(
        name: name,
        why: "the \(fact) of track \(index + 1) changed from \(expected.prefix(40)) to \(found.prefix(40))")
    }
  }

  /// Compares tracks by the contents of their boxes.
  static func compare(_ before: [ISOTrack], _ after: [ISOTrack], name: String) throws {
    try compare(before.map(trackProperties), after.map(trackProperties), name: name)
  }

  /// Compares movies as libav reads them.
  /// - Parameter trackIDs: the IDs of the kept tracks.
  static func compare(source: String, copy: String, trackIDs: Set<UInt32>, name: String) throws {
    func readTracks(_ path: String) throws -> [[String: String]] {
      try InputContainer(path: path, analysis: .never).streams
        .filter { !$0.isAttachedPicture && trackIDs.contains(UInt32(truncatingIfNeeded: $0.trackID)) }
        .map(\.presentation)
    }
    try compare(try readTracks(source), try readTracks(copy), name: name)
  }

  private static func trackProperties(of track: ISOTrack) -> [String: String] {
    [
      "number": "\(track.trackID)", "visibility": "\(track.isEnabled)", "rotation": "\(track.displayMatrix)",
      "display size": "\(String(describing: track.displaySize))", "language": track.language ?? "und",
      "kind": "\(String(describing: track.handlerType))", "time scale": "\(track.timescale)",
      "duration": "\(track.mediaDurationTicks) \(String(describing: track.presentationSeconds))",
      "edit list": "\(track.edits)", "sample count": "\(track.sampleCount)",
      "key frame count": "\(track.syncSampleCount)",
      "description": track.sampleEntries.map(describeEntry).joined(separator: ", "),
    ]
  }

  private static func describeEntry(_ entry: SampleEntry) -> String {
    "\(entry.format) \(String(describing: entry.pictureSize)) \(String(describing: entry.pixelAspectRatio))"
      + " \(String(describing: entry.color)) \(String(describing: entry.dolbyVision))"
      + " \(entry.extensions.map(\.type))"
  }
}
