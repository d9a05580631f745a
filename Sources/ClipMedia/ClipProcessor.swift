public import ClipModel
import DurableFiles
import Foundation
import LibAV
import Privacy

/// Carries out a plan: the clip without location, small, verified, in its place, with its poster. Decides nothing.
public enum ClipProcessor {
  /// Writes the processed clip to `destination` and its poster beside it (`poster.jpg` in the same folder).
  ///
  /// The clip appears complete or not at all: it is written to a hidden sibling, probed again, then renamed.
  /// - Parameter progress: fraction done, 0 to 1, called from another thread.
  /// - Throws: `ClipMediaError`, `FFmpegError`, `ZimgError`, `DurableFileError`, `CancellationError`.
  public static func process(
    _ source: SourceFile, probe: ClipProbe, plan: ProcessingPlan, destination: String, posterPath: String,
    progress: @escaping @Sendable (Double) -> Void
  ) async throws -> ProcessedClip {
    let run = try await MediaThread.run(named: "bsc process") { interruption in
      try write(
        source, probe: probe, plan: plan, destination: destination, posterPath: posterPath, interruption: interruption,
        progress: progress)
    }
    return ProcessedClip(
      path: destination, byteCount: run.probe.byteCount, sha256: try await FileDigest.sha256(path: destination),
      probe: run.probe, posterPath: run.posterPath, removed: plan.dropped.map(\.what), notes: run.notes)
  }

  private struct Run: Sendable {
    var probe: ClipProbe
    var posterPath: String?
    var notes: [String]
  }

  private static func write(
    _ source: SourceFile, probe: ClipProbe, plan: ProcessingPlan, destination: String, posterPath: String,
    interruption: Interruption, progress: @escaping (Double) -> Void
  ) throws -> Run {
    let staged = try StagedFile(for: destination)
    let path = staged.path
    func encode(_ encoding: VideoEncoding?) throws -> Run {
      let pipeline = try ClipPipeline(
        source: source.path, destination: path, plan: plan, encoding: encoding, captureDate: probe.captureDate,
        interruption: interruption, progress: progress)
      try pipeline.run()
      return Run(probe: try Prober.probe(path: path, interruption: interruption), notes: pipeline.notes)
    }
    var run = try encode(nil)
    switch secondTry(run.probe, plan: plan) {
    case .notNeeded: break
    case .wouldLookBad: run.notes.append("bigger than the source: at the source's size the picture would suffer")
    case .encodeAgain(let encoding):
      run = try encode(encoding)
      run.notes.append("encoded twice, because the first try was bigger than the source")
      if run.probe.byteCount > probe.byteCount, plan.trim == nil {
        run.notes.append("still bigger than the source by \(ByteCount.text(run.probe.byteCount - probe.byteCount))")
      }
    }
    if case .copy = plan.video, plan.trim == nil, run.probe.byteCount > probe.byteCount {
      run.notes.append(
        "bigger than the source by \(ByteCount.text(run.probe.byteCount - probe.byteCount)): MP4's index is larger")
    }
    try OutputCheck(source: source, plan: plan, probe: probe).verify(run.probe)
    // Looked at as if somebody else had made it, and searched for every place that the source tells.
    if let place = try Auditor.leftover(in: path, madeFrom: source.path) {
      throw ClipMediaError.leftover(name: source.name, place: place)
    }
    do {
      let at = try ThumbnailExtractor.draw(of: path, to: posterPath, plan: plan.poster, interruption: interruption)
      run.posterPath = posterPath
      if abs(at - plan.poster.atSeconds) > 0.5 { run.notes.append("the poster is the frame at \(secondsText(at)) s") }
    } catch let error as any ExplainedError where error.explanation.category != .inputOutput {
      // A clip without a picture is worth more than none.
      if interruption.isInterrupted { throw error }
      run.notes.append("no poster: \(error.explanation.why)")
    }
    try staged.commit(replacing: .replace)
    return run
  }

  private enum SecondTry {
    case notNeeded
    case wouldLookBad
    case encodeAgain(VideoEncoding)
  }

  /// "Never bigger than the source", unless the picture would suffer.
  private static func secondTry(_ result: ClipProbe, plan: ProcessingPlan) -> SecondTry {
    guard case .transcode(_, _, var encoding) = plan.video, let cap = encoding.sizeCap,
      result.byteCount > cap.sourceByteCount
    else { return .notNeeded }
    guard cap.bitsPerSecond >= cap.floorBitsPerSecond else { return .wouldLookBad }
    encoding.maximumBitsPerSecond = cap.bitsPerSecond
    encoding.bufferBits = cap.bitsPerSecond
    return .encodeAgain(encoding)
  }
}
