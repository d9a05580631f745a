import Foundation
import LibAV
import Synchronization
import TestSupport
import Testing

@testable import ClipMedia

/// The queues and threads between the stages of a transcode.
@Suite struct BoundedQueueTests {
  @Test(arguments: [0, 1, 3])
  func valuesArriveInOrder(capacity: Int) throws {
    let queue = BoundedQueue<Int>(capacity: capacity)
    let thread = StageThread(named: "push", onFailure: queue.fail) {
      for number in 0..<500 { try queue.push(number) }
      queue.end()
    }
    var seen: [Int] = []
    while let number = try queue.pop() { seen.append(number) }
    try thread.join()
    #expect(seen == Array(0..<500))
    #expect(try queue.pop() == nil)
  }

  /// A full queue blocks `push`: the producer gets one value further than the queue has room for.
  @Test(arguments: [0, 2])
  func fullQueuesBlockTheProducer(capacity: Int) throws {
    let queue = BoundedQueue<Int>(capacity: capacity)
    let started = Atomic(0)
    let thread = StageThread(named: "push", onFailure: queue.fail) {
      for number in 0..<20 {
        started.add(1, ordering: .sequentiallyConsistent)
        try queue.push(number)
      }
      queue.end()
    }
    for popped in 0..<20 {
      let limit = min(popped + capacity + 1, 20)
      while started.load(ordering: .sequentiallyConsistent) < limit { sched_yield() }
      for _ in 0..<100 { sched_yield() }
      #expect(started.load(ordering: .sequentiallyConsistent) == limit)
      #expect(try queue.pop() == popped)
    }
    #expect(try queue.pop() == nil)
    try thread.join()
  }

  struct Broken: Error, Equatable {}

  private static let ignore: @Sendable (any Error) -> Void = { _ in }

  @Test func failuresEndBothSides() throws {
    let queue = BoundedQueue<Int>(capacity: 1)
    let thread = StageThread(named: "push", onFailure: Self.ignore) {
      for number in 0..<100 { try queue.push(number) }
    }
    _ = try queue.pop()
    queue.fail(Broken())
    #expect(throws: Broken.self) { try thread.join() }
    #expect(throws: Broken.self) { try queue.pop() }
    #expect(throws: Broken.self) { try queue.push(1) }
  }

  @Test(arguments: [(1, 1), (2, 1), (4, 1), (16, 4), (64, 4)])
  func scalerCountDependsOnCores(cores: Int, scalers: Int) {
    #expect(FramePipeline.scalerCount(cores: cores) == scalers)
  }
}
