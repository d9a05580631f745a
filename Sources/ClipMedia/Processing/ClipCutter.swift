package import ClipModel
import DurableFiles
import Foundation
import LibAV
import Privacy
import Synchronization

/// Makes many clips of one source. It is probed once, its index is read once a worker, what it tells of places is
/// looked up once; each clip is made and verified as `ClipProcessor` does it.
package struct ClipCutter: Sendable {
  /// One clip: what is made of the source, and where it goes.
  package struct Order: Sendable {
    package var plan: ProcessingPlan
    /// Absolute.
    package var destination: String

    package init(_ plan: ProcessingPlan, destination: String) {
      self.plan = plan
      self.destination = destination
    }
  }

  /// How an order ended.
  package enum Outcome: Sendable {
    case made(ProcessedClip)
    case failed(any ExplainedError)
  }

  /// What the caller hears, on the workers' threads: several at once, each order's in turn.
  package struct Observer: Sendable {
    /// Nothing of the order is there yet. What is thrown here is why it cannot be made.
    package var begins: @Sendable (_ order: Int) throws -> Void
    /// Fraction of an order that is done, 0 to 1.
    package var progressed: @Sendable (_ order: Int, _ fraction: Double) -> Void
    /// The clip is whole and verified, and has not got its name yet: what has to be there before it is written here.
    package var isComplete: @Sendable (_ order: Int, ProcessedClip) throws -> Void
    /// What is thrown here ends everything.
    package var ended: @Sendable (_ order: Int, Outcome) throws -> Void

    package init(
      begins: @escaping @Sendable (_ order: Int) throws -> Void = { _ in },
      progressed: @escaping @Sendable (_ order: Int, _ fraction: Double) -> Void,
      isComplete: @escaping @Sendable (_ order: Int, ProcessedClip) throws -> Void,
      ended: @escaping @Sendable (_ order: Int, Outcome) throws -> Void
    ) {
      self.begins = begins
      self.progressed = progressed
      self.isComplete = isComplete
      self.ended = ended
    }
  }

  private let source: OpenedClip
  /// Tells this very recording from others (`FileDigest.fingerprint`).
  package let fingerprint: String

  package var probe: ClipProbe { source.probe }
  /// Absolute.
  package var path: String { source.path }

  /// Key frames whose times are known: two hours with four a second.
  private static let keyFrameLimit = 30_000

  /// Probes the source.
  /// - Throws: as `Prober.probe(path:)`.
  package init(path: String) async throws {
    (source, fingerprint) = try await MediaThread.run(named: "bsc probe") { interruption in
      let source = try OpenedClip(path: path, keyFrameLimit: Self.keyFrameLimit, interruption: interruption)
      return (source, try FileDigest.fingerprint(path: path))
    }
  }

  /// How many clips are made at once: copying waits for the disk and its audit for the processor, so that a second one
  /// has room; of encoders each takes one core, which wastes least, as long as there is memory (half a gigabyte each).
  package static func usualWidth(of orders: [Order], cores: Int) -> Int {
    orders.contains { $0.plan.video.encoding != nil } ? max(cores, 1) : min(max(cores, 1), 4)
  }

  /// Makes the clips, in the order given, which is best the order of time.
  ///
  /// Each appears complete or not at all. One that cannot be made does not stop the others; a disk that cannot be
  /// written does.
  /// - Parameter width: so many at a time.
  /// - Throws: `DurableFileError` of the category `inputOutput`, `CancellationError`, and what the observer throws.
  package func cut(_ orders: [Order], width: Int, policy: ReplacePolicy, observer: Observer) async throws {
    let line = OrderLine(orders)
    let count = min(max(width, 1), orders.count)
    let coreCount = max(ProcessInfo.processInfo.activeProcessorCount / max(count, 1), 1)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<count {
        group.addTask {
          try await MediaThread.run(named: "bsc cut") { interruption in
            let worker = Worker(
              source: source, policy: policy, coreCount: coreCount, interruption: interruption)
            while let (place, order) = line.next() {
              try interruption.check()
              do {
                let clip = try worker.make(order, place: place, observer: observer)
                try observer.ended(place, .made(clip))
              } catch let error as any ExplainedError
                where error.explanation.category != .inputOutput && !interruption.isInterrupted
              {
                try observer.ended(place, .failed(error))
              }
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  /// Hands out the orders, each once.
  private final class OrderLine: Sendable {
    private let orders: [Order]
    private let taken = Mutex(0)

    init(_ orders: [Order]) { self.orders = orders }

    func next() -> (place: Int, order: Order)? {
      taken.withLock { taken in
        guard taken < orders.count else { return nil }
        defer { taken += 1 }
        return (taken, orders[taken])
      }
    }
  }

  /// Makes one clip after the other from one opened source, on one thread.
  private final class Worker {
    private let source: OpenedClip
    private let policy: ReplacePolicy
    private let coreCount: Int
    private let interruption: Interruption
    private var opened: InputContainer?

    init(source: OpenedClip, policy: ReplacePolicy, coreCount: Int, interruption: Interruption) {
      self.source = source
      self.policy = policy
      self.coreCount = coreCount
      self.interruption = interruption
    }

    func make(_ order: Order, place: Int, observer: Observer) throws -> ProcessedClip {
      try observer.begins(place)
      let staged = try StagedFile(for: order.destination)
      let run = ProcessingRun(
        source: source, opened: try container(for: order), plan: order.plan, path: staged.path,
        interruption: interruption, coreCount: coreCount
      ) { observer.progressed(place, $0) }
      let (result, _) = try run.write()
      try source.requireUnchanged()
      try staged.copyAttributes(of: CopySource(source.path), keepsTimes: true)
      let clip = ProcessedClip(
        path: order.destination, byteCount: result.probe.byteCount,
        sha256: try FileDigest.sha256(ofFileAt: staged.path) { try interruption.check() }, probe: result.probe,
        removed: order.plan.dropped.map(\.what), notes: result.notes)
      try observer.isComplete(place, clip)
      try staged.commit(replacing: policy)
      return clip
    }

    /// The source, opened once. HDR that stays needs its colours before the first picture is decoded.
    private func container(for order: Order) throws -> InputContainer {
      let analysis: InputContainer.Analysis = order.plan.video.encoding?.codec == .hevcHDR ? .always : .whenNeeded
      if let opened, opened.analysis == analysis { return opened }
      let container = try source.container(analysis, interruption: interruption)
      opened = container
      return container
    }
  }
}
