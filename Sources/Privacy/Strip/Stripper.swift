public import ClipModel
import DurableFiles
import ISOMedia
import LibAV
import LocationFormats

/// The result of stripping a file.
public struct StripResult: Equatable, Sendable {
  /// The container format: `MP4`, `QuickTime`, `Matroska`, `WebM`, `AVI` or `MPEG-TS`.
  public var container: String
  /// The size of the source in bytes.
  public var sourceByteCount: Int64
  /// The size of the copy in bytes.
  public var byteCount: Int64
  /// The private metadata that was removed, in file order.
  public var removed: [FoundCarrier]
  /// The private metadata that was kept because the options don't remove it.
  public var kept: [FoundCarrier]
  /// The number of access units from which a message was removed, keyed by track.
  public var cutPictures: [String: Int]
  /// Notes about the result that `bsc` prints for the user.
  public var notes: [String]
  /// The proof that all packets are unchanged; `nil` if it wasn't requested.
  public var proof: PacketProof?
  /// The duration of each phase.
  public var seconds = Seconds()

  /// The wall-clock time of each phase, in seconds.
  public struct Seconds: Codable, Equatable, Sendable {
    /// The duration of the source's audit, in seconds.
    public var audit = 0.0
    /// Writing the copy.
    public var copy = 0.0
    /// The duration of the copy's audit, including the search for the source's positions, in seconds.
    public var verify = 0.0
    /// The duration of the packet comparison in seconds, if it was requested.
    public var proof = 0.0
    /// The time that flushing the file and its name to disk took, in seconds.
    public var sync = 0.0
  }
}

/// Measures the durations of consecutive phases.
struct PhaseClock {
  private var last = ContinuousClock.now

  /// Returns the seconds since the last lap, or since the start if there is none.
  mutating func lap() -> Double {
    let now = ContinuousClock.now
    defer { last = now }
    return (now - last) / .seconds(1)
  }
}

/// Removes location data from files without changing video and audio, and audits each copy before publishing it.
public enum Stripper {
  /// Writes a copy of `source` without location data to `destination`, on a separate thread.
  ///
  /// The destination appears only when the copy is complete, and has the permissions and times of the source. Before
  /// that, the copy is audited and searched for every GPS position that the source contains.
  /// - Parameters:
  ///   - path: the path of the source, which is not changed.
  ///   - destination: the path of the copy. It may be the path of the source (if `policy` is `.replace`).
  ///   - options: the metadata to remove in addition to location data.
  ///   - policy: whether to replace an existing destination.
  ///   - proves: whether to also compare every packet of both files.
  ///   - progress: called on a different thread with the written fraction, from 0 to 1.
  /// - Throws: `StripError`, `RemuxError`, `MovieRewriteError`, `ISOMediaError`, `DurableFileError`, `FFmpegError`,
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
      // Remove the temporary files of killed runs. If the folder is unreadable, the code below throws an error.
      _ = try? StagedFile.removeAbandoned(in: FilePathParts.folder(of: destination))
      try StagedFile.checkDestination(destination, replacing: policy)
      let original = try CopySource(path)
      // The copy gets the permissions of the source, but this process can always read and write it.
      let staged = try StagedFile(for: destination, permissions: original.permissions | 0o600)
      if isInPlace { try staged.copyOwner(of: original) }
      let source = try FileBytes(path: path)
      var result: StripResult
      if let file = try readMovie(in: source, name: name) {
        result = try MovieStripper(source: source, file: file, options: options, name: name)
          .write(
            to: staged, from: original, at: path, proves: proves, interruption: interruption, progress: progress)
      } else {
        result = try RemuxStripper(source: source, path: path, options: options, name: name)
          .write(to: staged, proves: proves, interruption: interruption)
      }
      guard try FileIdentity.of(path) == identity else {
        throw StripError.unjudged(name: name, why: "the file changed while it was being read")
      }
      if isInPlace, original.nameCount > 1 {
        let others = original.nameCount - 1
        let links = others == 1 ? "1 other hard link still contains" : "\(others) other hard links still contain"
        result.notes.append("\(links) the old content")
      }
      try staged.copyAttributes(of: original, keepsTimes: !options.removesDates)
      try interruption.check()
      var clock = PhaseClock()
      try staged.commit(replacing: policy)
      result.seconds.sync = clock.lap()
      return result
    }
  }

  /// Reads the boxes of a movie; returns `nil` for a container whose packets are copied.
  /// - Throws: `StripError.incomplete` for an unfinished recording.
  static func readMovie(in source: any ByteSource, name: String) throws -> ISOFile? {
    guard source.byteCount > 0 else { throw StripError.incomplete(name: name, why: "the file is empty") }
    guard let file = try ISOFile.read(from: source) else { return nil }
    guard file.topLevelBoxes.contains(where: { $0.type == "moov" }) else {
      throw StripError.incomplete(
        name: name, why: "the index (moov) is missing: the recording is unfinished, or the file is truncated")
    }
    return file
  }

  static func fileName(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

  /// Strips a movie in memory, and verifies the copy in the same way as a file.
  public static func strip(_ bytes: [UInt8], options: StripOptions = StripOptions()) throws -> [UInt8] {
    let source = MemoryBytes(bytes)
    guard let file = try ISOFile.read(from: source) else { throw StripError.unknownContainer(name: "the movie") }
    let stripper = MovieStripper(source: source, file: file, options: options, name: "the movie")
    let plan = try stripper.plan()
    let written = PlannedBytes(plan.pieces, of: source)
    try stripper.verify(written, against: plan)
    return try written.bytes(at: 0, count: Int(written.byteCount))
  }
}
