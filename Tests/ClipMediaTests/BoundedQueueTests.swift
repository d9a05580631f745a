import Foundation
import LibAV
import Synchronization
import TestSupport
import Testing

@testable import ClipMedia

/// The queues and threads between the stages of a transcode.
@Suite struct BoundedQueueTests {
  @Test(arguments: [0, 1, 3])
  func everythingComesThroughInOrder(capacity: Int) throws {
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

  /// The one that is ahead is held back: never more values exist than the queue has room for, and one on each side.
  @Test(arguments: [0, 2])
  func whoIsAheadWaits(capacity: Int) throws {
    let queue = BoundedQueue<Int>(capacity: capacity)
    let pushed = Atomic(0)
    let thread = StageThread(named: "push", onFailure: queue.fail) {
      for number in 0..<20 {
        try queue.push(number)
        pushed.add(1, ordering: .sequentiallyConsistent)
      }
      queue.end()
    }
    var popped = 0
    while try queue.pop() != nil {
      popped += 1
      Thread.sleep(forTimeInterval: 0.002)
      #expect(pushed.load(ordering: .sequentiallyConsistent) <= popped + capacity)
    }
    try thread.join()
    #expect(popped == 20)
  }

  struct Broken: Error, Equatable {}

  private static let ignore: @Sendable (any Error) -> Void = { _ in }

  @Test func aFailureEndsBothSides() throws {
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
  func scalersFollowTheCores(cores: Int, scalers: Int) {
    #expect(PictureLine.scalerCount(cores: cores) == scalers)
  }
}
