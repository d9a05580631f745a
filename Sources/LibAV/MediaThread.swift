import CMediaShims
import Foundation

/// Runs blocking media work on a thread of its own, never on the cooperative pool.
public enum MediaThread {
  private static let preparedAllocator: Void = bsc_allocator_for_pictures()

  /// Runs `body` on a new thread and waits for it without blocking. Cancelling the task interrupts the `Interruption`
  /// that `body` hands to the libav objects it makes; an interrupted body ends as `CancellationError`.
  public static func run<Success: Sendable>(
    named name: String, _ body: @escaping @Sendable (Interruption) throws -> Success
  ) async throws -> Success {
    preparedAllocator
    let interruption = Interruption()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let thread = Thread {
          // A thread's id is used again: what an earlier one left behind is about another file.
          FFmpegLog.forgetLastLine()
          do {
            let success = try body(interruption)
            continuation.resume(returning: success)
          } catch let error as FFmpegError where error.isInterruption {
            continuation.resume(throwing: CancellationError())
          } catch {
            continuation.resume(throwing: error)
          }
        }
        thread.name = name
        // Deep decoder call chains: the default of secondary threads is too small for some of them.
        thread.stackSize = 8 << 20
        thread.start()
      }
    } onCancel: {
      interruption.interrupt()
    }
  }
}
