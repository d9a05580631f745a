public import ClipModel
package import DurableFiles
public import Foundation
import LibAV

/// Carries out a plan: the clip without location data, compressed, verified, in its place, with its pictures.
public enum ClipProcessor {
  /// How a plan is carried out, besides what the plan says.
  public struct Options: Sendable {
    /// Where each picture is stored; the result's notes name those that can't be drawn.
    public var pictures: [PictureRequest] = []
    /// What happens when the destination exists.
    public var policy = ReplacePolicy.keepExisting
    /// The output gets the source's permissions and times.
    public var keepsAttributes = false
    /// Threads of each codec, at least 1; `nil` for all cores of the machine.
    public var coreCount: Int?

    /// Nothing is drawn, and nothing is overwritten.
    public init() {}
  }

  /// Opens a clip, plans, and writes the processed clip: everything in one call.
  /// - Parameters:
  ///   - source: a video file.
  ///   - destination: of the output, `.mp4`.
  ///   - settings: what is made of it.
  ///   - rules: which clips are accepted; any length without them.
  ///   - options: pictures, and what happens to existing files.
  ///   - progress: fraction done, 0 to 1, called from another thread.
  /// - Throws: `ClipMediaError.refused` with the findings, and as `process(_:plan:to:options:progress:)`.
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
  /// The clip appears complete or not at all: it is written to a hidden sibling, probed again, then renamed.
  /// - Parameters:
  ///   - source: the clip that the plan is for.
  ///   - plan: what is done.
  ///   - destination: path of the output, `.mp4`.
  ///   - options: pictures, and what happens to existing files.
  ///   - progress: fraction done, 0 to 1, called from another thread.
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
  ///   - judge: called with what decoding showed of a transcoded clip, before the clip and its pictures get their names:
  ///     what it throws refuses them.
  ///   - isComplete: called when the clip is whole and verified under a hidden name, before it gets its own.
  package static func process(
    _ source: OpenedClip, plan: ProcessingPlan, to destination: String, options: Options,
    judge: (@Sendable (DecodingCheck.Result) throws -> Void)?,
    isComplete: @escaping @Sendable (FileIdentity) throws -> Void = { _ in },
    progress: @escaping @Sendable (Double) -> Void
  ) async throws -> ProcessedClip {
    let (result, drawn) = try await MediaThread.run(named: "bsc process") { interruption in
      // What a killed run left. A folder that cannot be read is found out below.
      _ = try? StagedFile.removeAbandoned(of: destination)
      let staged = try StagedFile(for: destination)
      var run = ProcessingRun(
        source: source, plan: plan, path: staged.path, interruption: interruption,
        coreCount: options.coreCount ?? ProcessInfo.processInfo.activeProcessorCount, progress: progress)
      run.pictures = options.pictures
      run.examines = judge != nil
      let (result, drawn) = try run.write()
      if let decoding = result.decoding { try judge?(decoding) }
      if options.keepsAttributes { try staged.copyAttributes(of: CopySource(source.path), keepsTimes: true) }
      try isComplete(try FileIdentity.of(staged.path))
      try staged.commit(replacing: options.policy)
      return (result, try drawn.store(options.policy))
    }
    return ProcessedClip(
      path: destination, byteCount: result.probe.byteCount, sha256: try await FileDigest.sha256(path: destination),
      probe: result.probe, pictures: drawn, removed: plan.dropped.map(\.what), notes: result.notes)
  }
}
