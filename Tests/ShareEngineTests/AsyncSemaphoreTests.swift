import Synchronization
import TestSupport
import Testing

@testable import ShareEngine

@Suite struct AsyncSemaphoreTests {
  private final class Log: Sendable {
    private let started = Mutex([Int]())

    var order: [Int] { started.withLock { $0 } }

    func add(_ number: Int) { started.withLock { $0.append(number) } }
  }

  @Test(arguments: [1, 2, 3]) func limitsConcurrentTasksInOrder(count: Int) async throws {
    let semaphore = AsyncSemaphore(count)
    let log = Log()
    let gates = (0..<8).map { _ in AsyncStream<Void>.makeStream() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, gate) in gates.enumerated() {
        group.addTask {
          try await semaphore.withSlot {
            log.add(number)
            for await _ in gate.stream {}
          }
        }
        // Tasks are added one after the other, so that their order is defined.
        #expect(try await TestTimeout.wait { await log.order.count + semaphore.waitingCount == number + 1 })
        #expect(log.order == Array(0...min(number, count - 1)))
      }
      for (number, gate) in gates.enumerated() {
        gate.continuation.finish()
        let started = min(number + 1 + count, gates.count)
        #expect(try await TestTimeout.wait { log.order.count >= started })
        #expect(log.order == Array(0..<started))
        #expect(await semaphore.waitingCount == gates.count - started)
      }
      try await group.waitForAll()
    }
  }

  @Test func cancelledWaiterFreesItsPlace() async throws {
    struct Broken: Error {}
    let semaphore = AsyncSemaphore(1)
    let (gate, open) = AsyncStream<Void>.makeStream()
    let (isHeld, hold) = AsyncStream<Void>.makeStream()
    let holder = Task {
      try await semaphore.withSlot {
        hold.finish()
        for await _ in gate { break }
        throw Broken()
      }
    }
    for await _ in isHeld {}
    let waiting = Task { try await semaphore.withSlot { 1 } }
    try await TestTimeout.wait { await semaphore.waitingCount == 1 }
    let next = Task { try await semaphore.withSlot { 2 } }
    try await TestTimeout.wait { await semaphore.waitingCount == 2 }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    open.yield()
    await #expect(throws: Broken.self) { try await holder.value }
    #expect(try await next.value == 2)
    #expect(try await semaphore.withSlot { 3 } == 3)
  }
}
