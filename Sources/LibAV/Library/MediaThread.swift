import CMediaShims
import Foundation
import Synchronization

/// Runs blocking media work on separate threads, never on the cooperative pool.
public enum MediaThread {
  private static let preparedAllocator: Void = bsc_allocator_for_pictures()

  /// Runs `body` on a separate thread and waits for it without blocking. Canceling the task triggers the `Interruption`
  /// that `body` passes to libav objects; `body` then ends with `CancellationError`.
  public static func run<Success: Sendable>(
    named name: String, _ body: @escaping @Sendable (Interruption) throws -> Success
  ) async throws -> Success {
    preparedAllocator
    let interruption = Interruption()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        WorkerThread.run(named: name) {
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

/// A thread that runs one stage of a pipeline and can be joined.
///
/// `@unchecked Sendable`: the thread writes the failure before it signals its end; `join` reads it afterwards.
public final class StageThread: @unchecked Sendable {
  private let ended = DispatchSemaphore(value: 0)
  private var failure: (any Error)?

  /// - Parameter onFailure: called on the thread, before it ends.
  public init(
    named name: String, onFailure: @escaping @Sendable (any Error) -> Void,
    _ body: @escaping @Sendable () throws -> Void
  ) {
    WorkerThread.run(named: name) { [self] in
      do { try body() } catch {
        failure = error
        onFailure(error)
      }
      ended.signal()
    }
  }

  /// Blocks until the stage ends, so don't call it on the cooperative pool. Call it once.
  /// - Throws: the error of the body.
  public func join() throws {
    ended.wait()
    if let failure { throw failure }
  }
}

/// A reusable thread, because starting a thread takes longer than validating the headers of a small clip.
private final class WorkerThread: Sendable {
  private typealias Work = @Sendable () -> Void

  private static let idle = Mutex<[WorkerThread]>([])
  /// The maximum number of idle threads that are kept: large machines validate this many files at once.
  private static let idleLimit = 16

  private let work = Mutex<Work?>(nil)
  private let hasWork = DispatchSemaphore(value: 0)

  static func run(named name: String, _ work: @escaping @Sendable () -> Void) {
    if let worker = idle.withLock({ $0.popLast() }) { return worker.start(work) }
    let worker = WorkerThread()
    let thread = Thread { worker.loop() }
    thread.name = name
    // The deep call chains of decoders need more than the default stack size of secondary threads.
    thread.stackSize = 8 << 20
    thread.start()
    worker.start(work)
  }

  private func start(_ work: @escaping Work) {
    self.work.withLock { $0 = work }
    hasWork.signal()
  }

  private func loop() {
    var isKept = true
    while isKept {
      hasWork.wait()
      let next = work.withLock { $0.take() }
      // The last log line of an earlier run is about a different file.
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
