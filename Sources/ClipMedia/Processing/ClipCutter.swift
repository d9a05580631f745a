package import ClipModel
import DurableFiles
import Foundation
import LibAV
import Privacy
import Synchronization

/// Cuts many clips from one source. The source is probed once, and each worker reads its index once. Each clip is
/// verified like the result of `ClipProcessor`.
package struct ClipCutter: Sendable {
  /// One clip to cut.
  package struct Order: Sendable {
    package var plan: ProcessingPlan
    /// The absolute path of the file.
    package var destination: String

    package init(_ plan: ProcessingPlan, destination: String) {
      self.plan = plan
      self.destination = destination
    }
  }

  /// The result of an order.
  package enum Outcome: Sendable {
    case made(ProcessedClip)
    case failed(any ExplainedError)
  }

  /// Callbacks on the workers' threads. Several orders run at once; the calls of one order arrive in sequence.
  package struct Observer: Sendable {
    /// Called before any output of the order is written. An error fails the order.
    package var begins: @Sendable (_ order: Int) throws -> Void = { _ in }
    /// Called with the fraction of an order that is done, 0 to 1.
    package var progressed: @Sendable (_ order: Int, _ fraction: Double) -> Void = { _, _ in }
    /// Called when the clip is complete and verified, before it gets its name.
    package var isComplete: @Sendable (_ order: Int, ProcessedClip) throws -> Void = { _, _ in }
    /// Called at the end of an order. An error stops all orders.
    package var ended: @Sendable (_ order: Int, Outcome) throws -> Void = { _, _ in }

    package init() {}
  }

  private let source: OpenedClip
  /// The fingerprint that identifies this recording (`FileDigest.fingerprint`).
  package let fingerprint: String

  package var probe: ClipProbe { source.probe }
  /// The absolute path of the file.
  package var path: String { source.path }

  /// The number of key frames whose times are read: two hours at four key frames per second.
  private static let keyFrameLimit = 30_000

  /// Probes the source.
  /// - Throws: the errors of `Prober.probe(path:)`.
  package init(path: String) async throws {
    (source, fingerprint) = try await MediaThread.run(named: "bsc probe") { interruption in
      let source = try OpenedClip(path: path, keyFrameLimit: Self.keyFrameLimit, interruption: interruption)
      return (source, try FileDigest.fingerprint(path: path))
    }
  }

  /// The number of workers. Copying alternates between disk access and auditing, so a few workers run at the same time.
  /// One encoder per core is most efficient, as long as there is half a gigabyte of memory for each.
  package static func defaultWorkerCount(of orders: [Order], cores: Int) -> Int {
    orders.contains { $0.plan.video.encoding != nil } ? max(cores, 1) : min(max(cores, 1), 4)
  }

  /// Cuts the clips in the given order. Sorting them by time is fastest.
  ///
  /// Each clip appears complete or not at all. A clip that fails doesn't stop the others, but a disk that cannot be
  /// written does.
  /// - Parameter width: the number of workers.
  /// - Throws: `DurableFileError` of the category `inputOutput`, `CancellationError`, and the errors of the observer.
  package func cut(_ orders: [Order], width: Int, policy: ReplacePolicy, observer: Observer) async throws {
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
                let staged = try StagedFile(for: order.destination)
                let container = try container(for: order.plan, opened: opened, interruption: interruption)
                opened = container
                let run = ProcessingRun(
                  source: source, opened: container, plan: order.plan, path: staged.path, interruption: interruption,
                  coreCount: coreCount
                ) { observer.progressed(index, $0) }
                let clip = try clip(of: run, order: order, in: staged)
                try observer.isComplete(index, clip)
                try staged.commit(replacing: policy)
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

  private func clip(of run: ProcessingRun, order: Order, in staged: borrowing StagedFile) throws -> ProcessedClip {
    let (result, _) = try run.write()
    try source.requireUnchanged()
    try staged.copyAttributes(of: CopySource(source.path), keepsTimes: true)
    return ProcessedClip(
      path: order.destination, byteCount: result.probe.byteCount,
      sha256: try FileDigest.sha256(ofFileAt: staged.path) { try run.interruption.check() }, probe: result.probe,
      removed: order.plan.dropped.map(\.what), notes: result.report.notes)
  }

  /// The source, opened once per worker unless a plan needs a different analysis.
  private func container(
    for plan: ProcessingPlan, opened: InputContainer?, interruption: Interruption
  ) throws -> InputContainer {
    if let opened, opened.analysis == plan.analysis { return opened }
    return try source.container(plan.analysis, interruption: interruption)
  }
}
