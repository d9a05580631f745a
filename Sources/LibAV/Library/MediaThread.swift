import CMediaShims
import Foundation
import Synchronization

/// Runs blocking media operations on separate threads instead of the cooperative thread pool.
public enum MediaThread {
  private static let preparedAllocator: Void = bsc_allocator_for_pictures()

  /// Runs `body` on a separate thread and suspends the task until `body` ends. Canceling the task triggers the
  /// `Interruption` that `body` passes to libav objects, and `body` then throws `CancellationError`.
  public static func run<Success: Sendable>(
    named name: String, _ body: @escaping @Sendable (Interruption) throws -> Success
  ) async throws -> Success {
    preparedAllocator
    let interruption = Interruption()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        ReusableThread.run(named: name) {
          do {
            continuation.resume(returning: try body(interruption))
          } catch let error as FFmpegError where error.isInterruption {
            continuation.resume(throwing: CancellationError())
          } catch {
            continuation.resume(throwing: interruption.isInterrupted ? CancellationError() : error)
          }
        }
      }
    } onCancel: {
      interruption.interrupt()
    }
  }
}

/// A thread that runs one stage of a pipeline and that can be joined.
///
/// `@unchecked Sendable`: the thread stores the failure before it signals its end, and `join()` reads the failure after
/// the signal.
public final class StageThread: @unchecked Sendable {
  private let ended = DispatchSemaphore(value: 0)
  private var failure: (any Error)?

  /// - Parameter onFailure: called on the thread before the thread ends.
  public init(
    named name: String, onFailure: @escaping @Sendable (any Error) -> Void,
    _ body: @escaping @Sendable () throws -> Void
  ) {
    ReusableThread.run(named: name) { [self] in
      do { try body() } catch {
        failure = error
        onFailure(error)
      }
      ended.signal()
    }
  }

  /// Blocks until the stage has ended, so don't call this method on the cooperative thread pool. Call it only once.
  /// - Throws: the error that the body threw.
  public func join() throws {
    ended.wait()
    if let failure { throw failure }
  }
}

/// A reusable thread. Starting a new thread takes longer than validating the headers of a small clip.
private final class ReusableThread: Sendable {
  private typealias Work = @Sendable () -> Void

  private static let idle = Mutex<[ReusableThread]>([])
  /// The maximum number of idle threads to keep, which is the number of files that large machines validate at the same
  /// time.
  private static let idleLimit = 16

  private let work = Mutex<Work?>(nil)
  private let hasWork = DispatchSemaphore(value: 0)

  static func run(named name: String, _ work: @escaping @Sendable () -> Void) {
    if let worker = idle.withLock({ $0.popLast() }) { return worker.start(work) }
    let worker = ReusableThread()
    let thread = Thread { worker.runLoop() }
    thread.name = name
    // The default stack size of secondary threads is too small for the deep call chains of decoders.
    thread.stackSize = 8 << 20
    thread.start()
    worker.start(work)
  }

  private func start(_ work: @escaping Work) {
    self.work.withLock { $0 = work }
    hasWork.signal()
  }

  private func runLoop() {
    var isKept = true
    while isKept {
      hasWork.wait()
      let next = work.withLock { $0.take() }
      // Discard the last log line of an earlier run, which is about a different file.
      FFmpegLog.takeLastLine()
      next?()
      isKept = Self.idle.withLock { threads in
        guard threads.count < Self.idleLimit else { return false }
        threads.append(self)
        return true
      }
    }
  }
}
