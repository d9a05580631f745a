public import ClipModel
package import DurableFiles
import Foundation
import LibAV

/// Carries out a plan: the clip without location, small, verified, in its place, with its pictures. Decides nothing.
public enum ClipProcessor {
  /// Writes the processed clip to `destination`, and the pictures of it.
  ///
  /// The clip appears complete or not at all: it is written to a hidden sibling, probed again, then renamed.
  /// - Parameters:
  ///   - source: path of the clip that the plan is for.
  ///   - probe: its facts, as the plan was made of them.
  ///   - plan: what is done.
  ///   - destination: absolute path of the output, `.mp4`.
  ///   - pictures: where each is stored; what cannot be drawn is told in the notes.
  ///   - policy: what happens when the destination exists.
  ///   - keepsAttributes: permissions and times of the source.
  ///   - coreCount: threads of each codec: what else runs at the same time wants some, too. `nil` for all of the
  ///     machine.
  ///   - progress: fraction done, 0 to 1, called from another thread.
  /// - Throws: `ClipMediaError`, another `ExplainedError` of a codec or the disk, `CancellationError`.
  public static func process(
    _ source: String, probe: ClipProbe, plan: ProcessingPlan, destination: String, pictures: [PictureOrder] = [],
    policy: ReplacePolicy = .replace, keepsAttributes: Bool = false, coreCount: Int? = nil,
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws -> ProcessedClip {
    try await process(
      source, probe: probe, plan: plan, destination: destination, pictures: pictures, policy: policy,
      keepsAttributes: keepsAttributes, coreCount: coreCount, isComplete: { _ in }, progress: progress)
  }

  /// - Parameter isComplete: the clip is whole and verified under a hidden name, as told; next it gets its own.
  package static func process(
    _ source: String, probe: ClipProbe, plan: ProcessingPlan, destination: String, pictures: [PictureOrder] = [],
    policy: ReplacePolicy = .replace, keepsAttributes: Bool = false, coreCount: Int? = nil,
    isComplete: @escaping @Sendable (FileIdentity) throws -> Void, progress: @escaping @Sendable (Double) -> Void
  ) async throws -> ProcessedClip {
    let (result, drawn) = try await MediaThread.run(named: "bsc process") { interruption in
      // What a killed run left. A folder that cannot be read is found out below.
      _ = try? StagedFile.removeAbandoned(of: destination)
      let staged = try StagedFile(for: destination)
      let run = ProcessingRun(
        source: source, probe: probe, plan: plan, path: staged.path, interruption: interruption, pictures: pictures,
        coreCount: coreCount ?? ProcessInfo.processInfo.activeProcessorCount, progress: progress)
      let (result, drawn) = try run.write()
      if keepsAttributes { try staged.takeAttributes(of: CopySource(source), keepsTimes: true) }
      try isComplete(try FileIdentity.of(staged.path))
      try staged.commit(replacing: policy)
      return (result, try drawn.store(policy))
    }
    return ProcessedClip(
      path: destination, byteCount: result.probe.byteCount, sha256: try await FileDigest.sha256(path: destination),
      probe: result.probe, pictures: drawn, removed: plan.dropped.map(\.what), notes: result.notes)
  }
}
