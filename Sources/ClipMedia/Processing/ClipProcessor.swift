public import ClipModel
package import DurableFiles
public import Foundation
import LibAV

/// Executes a processing plan: writes the compressed clip without location data, verifies it, and renders its pictures.
public enum ClipProcessor {
  /// The options for executing a plan.
  public struct Options: Sendable {
    /// The pictures to render. If they cannot be rendered, the notes of the processed clip contain the reason.
    public var pictures: [PictureRequest] = []
    /// What to do if the destination already exists.
    public var policy = ReplacePolicy.keepExisting
    /// Whether the source's permissions and times are copied to the output.
    public var keepsAttributes = false
    /// The number of threads that each codec uses, at least 1. `nil` uses all of the machine's cores.
    public var coreCount: Int?
    /// The final path of the output, if the caller moves or records the output after it is written. The stored GOPs belong to
    /// this path. The caller removes them (`StoredEncode.remove()`) when the output is durable at this path, because until
    /// then an interruption can discard the output.
    package var finalDestination: String?
    /// Called on another thread when an interrupted encode continues.
    package var reportContinuation: @Sendable (EncodingProgress) -> Void = { _ in }
    /// Called with the parts of the output that can be sent while it's encoded, on any thread. The plan decides whether
    /// there are any.
    package var reportStream: @Sendable (StreamedOutputEvent) -> Void = { _ in }

    /// Creates the default options: no pictures, and existing files are kept.
    public init() {}
  }

  /// Opens a clip, plans its processing, and writes the processed clip, all in one call.
  /// - Parameters:
  ///   - source: a video file.
  ///   - destination: the output file, with the extension `.mp4`.
  ///   - settings: the settings for the output.
  ///   - rules: the rules for accepting clips. By default, clips of any length are accepted.
  ///   - options: the pictures to render, and how existing files are handled.
  ///   - progress: called on another thread with the fraction that is complete, from 0 to 1.
  /// - Throws: `ClipMediaError.refused` with the findings if the rules reject the clip, and the errors thrown by
  ///   `process(_:plan:to:options:progress:)`.
  public static func process(
    _ source: URL, to destination: URL, settings: ProcessingSettings = ProcessingSettings(),
    rules: ClipRules = ClipRules().ofAnyLength, options: Options = Options(),
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws -> ProcessedClip {
    let clip = try await OpenedClip(path: source.path)
    switch rules.plan(clip.probe, settings: settings) {
    case .rejection(let findings): throw ClipMediaError.refused(name: clip.name, findings)
    case .plan(let plan):
      return try await process(clip, plan: plan, to: destination.path, options: options, progress: progress)
    }
  }

  /// Writes the processed clip and its pictures.
  ///
  /// The clip is written to a hidden file in the same folder, probed, and then renamed, so that an incomplete clip
  /// never appears under the final name.
  /// - Parameters:
  ///   - source: the clip for which the plan was made.
  ///   - plan: how the clip is processed.
  ///   - destination: the path of the output file, with the extension `.mp4`.
  ///   - options: the pictures to render, and how existing files are handled.
  ///   - progress: called on another thread with the fraction that is complete, from 0 to 1.
  /// - Throws: `ClipMediaError`, any other `ExplainedError` from a codec or the disk, or `CancellationError`.
  public static func process(
    _ source: OpenedClip, plan: ProcessingPlan, to destination: String,
    options: Options = Options(),
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws -> ProcessedClip {
    try await process(
      source, plan: plan, to: destination, options: options, evaluateDecoding: nil, progress: progress)
  }

  /// - Parameters:
  ///   - evaluateDecoding: called with the decoding results of a transcoded clip, before the clip and its pictures are
  ///     renamed to their final names. If it throws an error, the clip and its pictures are discarded.
  ///   - isComplete: called when the clip is complete and verified, before it is renamed to its final name.
  package static func process(
    _ source: OpenedClip, plan: ProcessingPlan, to destination: String, options: Options,
    evaluateDecoding: (@Sendable (DecodingCheck.Result) throws -> Void)?,
    isComplete: @escaping @Sendable (FileIdentity) throws -> Void = { _ in },
    progress: @escaping @Sendable (Double) -> Void
  ) async throws -> ProcessedClip {
    let (result, drawn) = try await MediaThread.run(named: "bsc process") { interruption in
      // Remove files left over from a killed process. If the folder is unreadable, creating the staged file fails.
      _ = try? StagedFile.removeAbandoned(of: destination)
      let staged = try StagedFile(for: destination)
      var run = ProcessingRun(
        source: source, plan: plan, path: staged.path, interruption: interruption,
        coreCount: options.coreCount ?? ProcessInfo.processInfo.activeProcessorCount, progress: progress)
      // An encode that cannot continue later is better than none.
      run.checkpoint = try? EncodingCheckpoint(
        for: options.finalDestination ?? destination, source: source.identity, fingerprint: try source.fingerprint(),
        plan: plan)
      defer { run.checkpoint?.close() }
      run.reportContinuation = options.reportContinuation
      run.reportStream = options.reportStream
      run.pictures = options.pictures
      run.evaluateDecoding = evaluateDecoding
      let (result, drawn) = try run.write()
      if options.keepsAttributes { try staged.copyAttributes(of: CopySource(source.path), keepsTimes: true) }
      try isComplete(try FileIdentity.of(staged.path))
      try staged.commit(replacing: options.policy)
      if options.finalDestination == nil { run.checkpoint?.remove() }
      return (result, try drawn.store(options.policy))
    }
    return ProcessedClip(
      path: destination, byteCount: result.probe.byteCount, sha256: try await FileDigest.sha256(path: destination),
      probe: result.probe, pictures: drawn, removed: plan.dropped.map(\.what), removedData: plan.removedData,
      notes: result.report.notes)
  }
}
