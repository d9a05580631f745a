import Synchronization
import TestSupport
import Testing

@testable import ShareEngine

@Suite struct AsyncSemaphoreTests {
  private final class Log: Sendable {
    private let begun = Mutex([Int]())

    var order: [Int] { begun.withLock { $0 } }

    func begin(_ number: Int) { begun.withLock { $0.append(number) } }
  }

  @Test(arguments: [1, 2, 3]) func noMoreThanSoManyAndInOrder(count: Int) async throws {
    let turns = AsyncSemaphore(count)
    let log = Log()
    let gates = (0..<8).map { _ in AsyncStream<Void>.makeStream() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, gate) in gates.enumerated() {
        group.addTask {
          try await turns.use {
            log.begin(number)
            for await _ in gate.stream {}
          }
        }
        // One after the other into the line, so that there is an order.
        #expect(try await Patience.wait { await log.order.count + turns.waitingCount == number + 1 })
        #expect(log.order == Array(0...min(number, count - 1)))
      }
      for (number, gate) in gates.enumerated() {
        gate.continuation.finish()
        let begun = min(number + 1 + count, gates.count)
        #expect(try await Patience.wait { log.order.count >= begun })
        #expect(log.order == Array(0..<begun))
        #expect(await turns.waitingCount == gates.count - begun)
      }
      try await group.waitForAll()
    }
  }

  /// Whoever is cancelled in the line leaves it, and the turn goes to the next.
  @Test func cancelledOnesLeaveTheLine() async throws {
    struct Broken: Error {}
    let turns = AsyncSemaphore(1)
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
