package import ClipModel
import DurableFiles
import Foundation
import LibAV
import Privacy
import Synchronization

/// Cuts multiple clips from one source. The source is probed once, and each worker reads the source's index once. Each
/// clip is verified in the same way as the output of `ClipProcessor`.
package struct ClipCutter: Sendable {
  /// A clip to cut from the source.
  package struct CutOrder: Sendable {
    package var plan: ProcessingPlan
    /// The absolute path of the clip.
    package var destination: String

    package init(_ plan: ProcessingPlan, destination: String) {
      self.plan = plan
      self.destination = destination
    }
  }

  /// The outcome of cutting one clip.
  package enum Outcome: Sendable {
    case made(ProcessedClip)
    case failed(any ExplainedError)
  }

  /// Callbacks for the progress of orders, which are called on the worker threads. Multiple orders run at the same
  /// time, but the calls for one order are sequential.
  package struct Observer: Sendable {
    /// Called before any output of an order is written. If it throws an error, the order fails.
    package var begins: @Sendable (_ order: Int) throws -> Void = { _ in }
    /// Called when an interrupted encode of an order continues.
    package var continued: @Sendable (_ order: Int, EncodingProgress) -> Void = { _, _ in }
    /// Called with the fraction of an order that is complete, from 0 to 1.
    package var progressed: @Sendable (_ order: Int, _ fraction: Double) -> Void = { _, _ in }
    /// Called when a clip is complete and verified, before it is renamed to its final name.
    package var isComplete: @Sendable (_ order: Int, ProcessedClip) throws -> Void = { _, _ in }
    /// Called when an order ends. If it throws an error, all orders stop.
    package var ended: @Sendable (_ order: Int, Outcome) throws -> Void = { _, _ in }

    package init() {}
  }

  private let source: OpenedClip
  /// The fingerprint that identifies the source recording (`FileDigest.fingerprint`).
  package let fingerprint: String

  package var probe: ClipProbe { source.probe }
  /// The absolute path of the source file.
  package var path: String { source.path }

  /// The maximum number of key frames whose times are read, which is two hours at four key frames per second.
  private static let keyFrameLimit = 30_000

  /// Probes the source.
  /// - Throws: the errors of `Prober.probe(path:)`.
  package init(path: String) async throws {
    (source, fingerprint) = try await MediaThread.run(named: "bsc probe") { interruption in
      let source = try OpenedClip(path: path, keyFrameLimit: Self.keyFrameLimit, interruption: interruption)
      return (source, try source.fingerprint())
    }
  }

  /// Returns the default number of workers. Up to four workers copy at the same time, because copying alternates
  /// between disk access and auditing. If a clip is re-encoded, one encoder per core is most efficient, but each one
  /// requires half a gigabyte of memory.
  package static func defaultWorkerCount(of orders: [CutOrder], cores: Int) -> Int {
    orders.contains { $0.plan.video.encoding != nil } ? max(cores, 1) : min(max(cores, 1), 4)
  }

  /// Cuts the clips in the given order. Cutting is fastest if the clips are sorted by time.
  ///
  /// A clip appears under its final name only when it is complete. If one clip fails, the other clips are still cut,
  /// but a disk error stops all of them.
  /// - Parameter width: the number of workers.
  /// - Throws: `DurableFileError` with the category `inputOutput`, `CancellationError`, and errors thrown by the
  ///   observer.
  package func cut(_ orders: [CutOrder], width: Int, policy: ReplacePolicy, observer: Observer) async throws {
    let startedCount = Counter()
    let count = min(max(width, 1), orders.count)
    let coreCount = max(ProcessInfo.processInfo.activeProcessorCount / max(count, 1), 1)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<count {
        group.addTask {
          try await MediaThread.run(named: "bsc cut") { interruption in
            var opened: InputContainer?
            while true {
              let index = startedCount.value.add(1, ordering: .relaxed).oldValue
              guard index < orders.count else { return }
              let order = orders[index]
              try interruption.check()
              do {
                try observer.begins(index)
                let container = try reuseOrOpenContainer(for: order.plan, opened: opened, interruption: interruption)
                opened = container
                let staged = try StagedFile(for: order.destination)
                var run = ProcessingRun(
                  source: source, opened: container, plan: order.plan, path: staged.path, interruption: interruption,
                  coreCount: coreCount
                ) { observer.progressed(index, $0) }
                run.checkpoint = try? EncodingCheckpoint(
                  for: order.destination, source: source.identity, fingerprint: fingerprint, plan: order.plan)
                defer { run.checkpoint?.close() }
                run.reportContinuation = { observer.continued(index, $0) }
                let clip = try writeClip(of: run, order: order, in: staged)
                try observer.isComplete(index, clip)
                try staged.commit(replacing: policy)
                run.checkpoint?.remove()
                try observer.ended(index, .made(clip))
              } catch let error as any ExplainedError
                where error.explanation.category != .inputOutput && !interruption.isInterrupted
              {
                try observer.ended(index, .failed(error))
              }
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private final class Counter: Sendable {
    let value = Atomic(0)
  }

  private func writeClip(of run: ProcessingRun, order: CutOrder, in staged: borrowing StagedFile) throws
    -> ProcessedClip
  {
    let (result, _) = try run.write()
    try source.requireUnchanged()
    try staged.copyAttributes(of: CopySource(source.path), keepsTimes: true)
    return ProcessedClip(
      path: order.destination, byteCount: result.probe.byteCount,
      sha256: try FileDigest.sha256(ofFileAt: staged.path) { try run.interruption.check() }, probe: result.probe,
      removed: order.plan.dropped.map(\.what), removedData: order.plan.removedData, notes: result.report.notes)
  }

  /// Returns the worker's open source, or opens the source again if the plan needs a different analysis.
  private func reuseOrOpenContainer(
    for plan: ProcessingPlan, opened: InputContainer?, interruption: Interruption
  ) throws -> InputContainer {
    if let opened, opened.analysis == plan.analysis { return opened }
    return try source.openContainer(plan.analysis, interruption: interruption)
  }
}
