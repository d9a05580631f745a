import Foundation

/// A thread that does one stage of a pipeline, and that can be waited for.
///
/// `@unchecked Sendable`: the outcome is written by the thread before it says that it has ended, and read after that.
public final class StageThread: @unchecked Sendable {
  private let ended = DispatchSemaphore(value: 0)
  private var failure: (any Error)?

  /// - Parameter onFailure: told on the thread, before it ends.
  public init(
    named name: String, onFailure: @escaping @Sendable (any Error) -> Void,
    _ body: @escaping @Sendable () throws -> Void
  ) {
    let thread = Thread { [self] in
      // A thread's id is used again: what an earlier one left behind is about another file.
      FFmpegLog.forgetLastLine()
      do { try body() } catch {
        failure = error
        onFailure(error)
      }
      ended.signal()
    }
    thread.name = name
    thread.stackSize = 8 << 20
    thread.start()
  }

  /// Waits for the end; blocks, so not on the cooperative pool. To be called once.
  /// - Throws: what the body threw.
  public func join() throws {
    ended.wait()
    if let failure { throw failure }
  }
}
