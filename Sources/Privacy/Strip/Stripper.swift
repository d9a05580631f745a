public import ClipModel
import DurableFiles
import ISOMedia
import LibAV
import LocationFormats

/// What a strip did.
public struct StripResult: Equatable, Sendable {
  /// `MP4`, `QuickTime`, `Matroska`, `AVI`, `MPEG-TS`.
  public var container: String
  /// Bytes of the source.
  public var sourceByteCount: Int64
  /// Bytes of what was written.
  public var byteCount: Int64
  /// What went, in the order of the file.
  public var removed: [FoundCarrier]
  /// Private, and still there, because its removal was not requested.
  public var kept: [FoundCarrier]
  /// Access units from which a message was cut, by place.
  public var cutPictures: [String: Int]
  /// Things worth telling, in words.
  public var notes: [String]
  /// That all packets are the same; `nil` when it was not requested.
  public var proof: PacketProof?
  /// How long it took.
  public var seconds = Seconds()

  /// Wall clock of each phase.
  public struct Seconds: Codable, Equatable, Sendable {
    /// The look at the source.
    public var audit = 0.0
    /// Writing.
    public var copy = 0.0
    /// The audit of what was written, and the search for the positions.
    public var verify = 0.0
    /// Reading both files again, when that was asked for.
    public var proof = 0.0
    /// Bytes and name to the disk.
    public var sync = 0.0
  }
}

/// Tells how long each of several phases took.
struct PhaseClock {
  private var last = ContinuousClock.now

  /// Seconds since it was made, or since the last lap.
  mutating func lap() -> Double {
    let now = ContinuousClock.now
    defer { last = now }
    return (now - last) / .seconds(1)
  }
}

/// Removes location without touching picture and sound, and looks again before anything appears.
public enum Stripper {
  /// Writes `source` without what discloses a place to `destination`, on a thread of its own.
  ///
  /// The result appears complete or not at all, with the permissions and times of the source; it is audited again
  /// before, and searched for every position in the source.
  /// - Parameters:
  ///   - path: of the source, which is not touched.
  ///   - destination: may be the source itself (`policy` `.replace`).
  ///   - options: what goes beside location.
  ///   - policy: what happens when the destination exists.
  ///   - proves: also compares every packet of both files.
  ///   - progress: fraction written, 0 to 1, called from another thread.
  /// - Throws: `StripError`, `MovieRewriteError`, `ISOMediaError`, `DurableFileError`, `FFmpegError`,
  ///   `CancellationError`.
  public static func strip(
    source path: String, destination: String, options: StripOptions = StripOptions(),
    policy: ReplacePolicy = .keepExisting,
    proves: Bool = false, progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws -> StripResult {
    try await MediaThread.run(named: "bsc strip") { interruption in
      let name = fileName(path)
      let identity = try FileIdentity.of(path)
      let isInPlace = (try? FileIdentity.of(destination))?.isSameFile(as: identity) == true
      // What a killed run left. A folder that cannot be read is found out below.
      _ = try? StagedFile.removeAbandoned(in: FilePathParts.folder(of: destination))
      try StagedFile.check(destination, replacing: policy)
      let original = try CopySource(path)
      // Never wider than the source; its owner's process has to read and write it in any case.
      let staged = try StagedFile(for: destination, permissions: original.permissions | 0o600)
      if isInPlace { try staged.copyOwner(of: original) }
      let source = try FileBytes(path: path)
      var result: StripResult
      if let file = try movie(in: source, name: name) {
        result = try MovieStrip(source: source, file: file, options: options, name: name)
          .write(
            to: staged, from: original, at: path, proves: proves, interruption: interruption, progress: progress)
      } else {
        result = try RemuxStrip(source: source, path: path, options: options, name: name)
          .write(to: staged, proves: proves, interruption: interruption)
      }
      guard try FileIdentity.of(path) == identity else {
        throw StripError.unjudged(name: name, why: "it was changed while it was read")
      }
      if isInPlace, original.nameCount > 1 {
        let others = original.nameCount - 1
        result.notes.append("\(others) other \(others == 1 ? "name still has" : "names still have") the old content")
      }
      try staged.copyAttributes(of: original, keepsTimes: !options.removesDates)
      try interruption.check()
      var clock = PhaseClock()
      try staged.commit(replacing: policy)
      result.seconds.sync = clock.lap()
      return result
    }
  }

  /// A movie, or `nil` for a kind that is copied by its packets.
  /// - Throws: `StripError.incomplete` for what no camera finished.
  static func movie(in source: any ByteSource, name: String) throws -> ISOFile? {
    guard source.byteCount > 0 else { throw StripError.incomplete(name: name, why: "it is empty") }
    guard let file = try ISOFile.read(from: source) else { return nil }
    guard file.topLevelBoxes.contains(where: { $0.type == "moov" }) else {
      throw StripError.incomplete(name: name, why: "its index (moov) is missing: it was not finished, or cut off")
    }
    return file
  }

  static func fileName(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

  /// The same for a movie in memory; verified, like a file.
  public static func strip(_ bytes: [UInt8], options: StripOptions = StripOptions()) throws -> [UInt8] {
    let source = MemoryBytes(bytes)
    guard let file = try ISOFile.read(from: source) else { throw StripError.unknownContainer(name: "the movie") }
    let strip = MovieStrip(source: source, file: file, options: options, name: "the movie")
    let plan = try strip.plan()
    let written = PlannedBytes(plan.pieces, of: source)
    try strip.verify(written, against: plan)
    return try written.bytes(at: 0, count: Int(written.byteCount))
  }
}
