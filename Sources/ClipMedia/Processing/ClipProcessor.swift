public import ClipModel
package import DurableFiles
public import Foundation
import LibAV

/// Executes a plan: writes the compressed clip without location data, verifies it, and renders its pictures.
public enum ClipProcessor {
  /// The options for executing a plan.
  public struct Options: Sendable {
    /// The pictures to render. The result's notes list those that can't be rendered.
    public var pictures: [PictureRequest] = []
    /// The policy for an existing destination.
    public var policy = ReplacePolicy.keepExisting
    /// Whether the output gets the source's permissions and times.
    public var keepsAttributes = false
    /// The number of threads of each codec, at least 1; `nil` for all cores of the machine.
    public var coreCount: Int?

    /// Creates options without pictures that keep existing files.
    public init() {}
  }

  /// Opens a clip, plans, and writes the processed clip: everything in one call.
  /// - Parameters:
  ///   - source: a video file.
  ///   - destination: the output, `.mp4`.
  ///   - settings: the settings of the output.
  ///   - rules: the rules that decide which clips are accepted. By default, clips of any length are accepted.
  ///   - options: pictures, and the policy for existing files.
  ///   - progress: called on another thread with the fraction done, 0 to 1.
  /// - Throws: `ClipMediaError.refused` with the findings, and the errors of `process(_:plan:to:options:progress:)`.
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
  /// The clip appears complete or not at all: it is written to a hidden file in the same folder, probed, and renamed.
  /// - Parameters:
  ///   - source: the clip that the plan is for.
  ///   - plan: how the clip is processed.
  ///   - destination: the path of the output, `.mp4`.
  ///   - options: pictures, and the policy for existing files.
  ///   - progress: called on another thread with the fraction done, 0 to 1.
  /// - Throws: `ClipMediaError`, another `ExplainedError` of a codec or the disk, `CancellationError`.
  public static func process(
    _ source: OpenedClip, plan: ProcessingPlan, to destination: String,
    options: Options = Options(),
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws -> ProcessedClip {
    try await process(
      source, plan: plan, to: destination, options: options, judge: nil, progress: progress)
  }

  /// - Parameters:
  ///   - judge: called with the decoding results of a transcoded clip, before the clip and its pictures get their
  ///     names. If it throws, they are discarded.
  ///   - isComplete: called when the clip is complete and verified under a hidden name, before it gets its final name.
  package static func process(
    _ source: OpenedClip, plan: ProcessingPlan, to destination: String, options: Options,
    judge: (@Sendable (DecodingCheck.Result) throws -> Void)?,
    isComplete: @escaping @Sendable (FileIdentity) throws -> Void = { _ in },
    progress: @escaping @Sendable (Double) -> Void
  ) async throws -> ProcessedClip {
    let (result, drawn) = try await MediaThread.run(named: "bsc process") { interruption in
      // Remove the leftovers of a killed run. An unreadable folder fails below.
      _ = try? StagedFile.removeAbandoned(of: destination)
      let staged = try StagedFile(for: destination)
      var run = ProcessingRun(
        source: source, plan: plan, path: staged.path, interruption: interruption,
        coreCount: options.coreCount ?? ProcessInfo.processInfo.activeProcessorCount, progress: progress)
      run.pictures = options.pictures
      run.analyzes = judge != nil
      let (result, drawn) = try run.write()
      if let decoding = result.decoding { try judge?(decoding) }
      if options.keepsAttributes { try staged.copyAttributes(of: CopySource(source.path), keepsTimes: true) }
      try isComplete(try FileIdentity.of(staged.path))
      try staged.commit(replacing: options.policy)
      return (result, try drawn.store(options.policy))
    }
    return ProcessedClip(
      path: destination, byteCount: result.probe.byteCount, sha256: try await FileDigest.sha256(path: destination),
      probe: result.probe, pictures: drawn, removed: plan.dropped.map(\.what), notes: result.report.notes)
  }
}
