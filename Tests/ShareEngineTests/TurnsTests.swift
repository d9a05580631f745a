import Synchronization
import TestSupport
import Testing

@testable import ShareEngine

@Suite struct TurnsTests {
  private final class Log: Sendable {
    private let state = Mutex((order: [Int](), running: 0, most: 0))

    var order: [Int] { state.withLock { $0.order } }
    var most: Int { state.withLock { $0.most } }

    func begin(_ number: Int) {
      state.withLock { state in
        state.order.append(number)
        state.running += 1
        state.most = max(state.most, state.running)
      }
    }

    func end() { state.withLock { $0.running -= 1 } }
  }

  @Test(arguments: [1, 2, 3]) func noMoreThanSoManyAndInOrder(count: Int) async throws {
    let turns = Turns(count)
    let log = Log()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          try await turns.use {
            log.begin(number)
            try await Task.sleep(for: .milliseconds(20))
            log.end()
          }
        }
        // One after the other into the line, so that there is an order.
        try await Patience.wait { await log.order.count + turns.waitingCount == number + 1 }
      }
      try await group.waitForAll()
    }
    #expect(log.most == count)
    #expect(log.order == Array(0..<8))
  }

  /// Whoever is cancelled in the line leaves it, and the turn goes to the next.
  @Test func cancelledOnesLeaveTheLine() async throws {
    struct Broken: Error {}
    let turns = Turns(1)
    let (holds, release) = AsyncStream<Void>.makeStream()
    let (isHeld, hold) = AsyncStream<Void>.makeStream()
    let holder = Task {
      try await turns.use {
        hold.finish()
        for await _ in holds { break }
        throw Broken()
      }
    }
    for await _ in isHeld {}
    let waiting = Task { try await turns.use { 1 } }
    try await Patience.wait { await turns.waitingCount == 1 }
    let next = Task { try await turns.use { 2 } }
    try await Patience.wait { await turns.waitingCount == 2 }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    release.yield()
    await #expect(throws: Broken.self) { try await holder.value }
    #expect(try await next.value == 2)
    #expect(try await turns.use { 3 } == 3)
  }
}
