import CMediaShims
import Foundation
import Synchronization

/// Runs blocking media work on threads of its own, never on the cooperative pool.
public enum MediaThread {
  private static let preparedAllocator: Void = bsc_allocator_for_pictures()

  /// Runs `body` on a thread of its own and waits for it without blocking. Cancelling the task interrupts the
  /// `Interruption` that `body` hands to the libav objects it makes; an interrupted body ends as `CancellationError`.
  public static func run<Success: Sendable>(
    named name: String, _ body: @escaping @Sendable (Interruption) throws -> Success
  ) async throws -> Success {
    preparedAllocator
    let interruption = Interruption()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        IdleThread.run(named: name) {
          // A thread is used again: what an earlier run left behind is about another file.
          FFmpegLog.forgetLastLine()
          do {
            let success = try body(interruption)
            continuation.resume(returning: success)
          } catch let error as FFmpegError where error.isInterruption {
            continuation.resume(throwing: CancellationError())
          } catch  where interruption.isInterrupted {
            // Whatever it was in the middle of.
            continuation.resume(throwing: CancellationError())
          } catch {
            continuation.resume(throwing: error)
          }
        }
      }
    } onCancel: {
      interruption.interrupt()
    }
  }
}

/// A thread that waits for its next work. Making one and its stack takes longer than judging a small clip's headers.
private final class IdleThread: Sendable {
  private typealias Work = @Sendable () -> Void

  /// Those without work.
  private static let idle = Mutex<[IdleThread]>([])
  /// More than that end: as many files are judged at once on large machines.
  private static let idleLimit = 16

  private let work = Mutex<Work?>(nil)
  private let isAsked = DispatchSemaphore(value: 0)

  static func run(named name: String, _ work: @escaping @Sendable () -> Void) {
    if let thread = idle.withLock({ $0.popLast() }) { return thread.take(work) }
    let thread = IdleThread()
    let loop = Thread { thread.loop() }
    loop.name = name
    // Deep decoder call chains: the default of secondary threads is too small for some of them.
    loop.stackSize = 8 << 20
    loop.start()
    thread.take(work)
  }

  private func take(_ work: @escaping Work) {
    self.work.withLock { $0 = work }
    isAsked.signal()
  }

  private func loop() {
    while true {
      isAsked.wait()
      let next = work.withLock { work in
        defer { work = nil }
        return work
      }
      next?()
      let goesOn = Self.idle.withLock { threads in
        guard threads.count < Self.idleLimit else { return false }
        threads.append(self)
        return true
      }
      guard goesOn else { return }
    }
  }
}
