@unsafe @preconcurrency import Dispatch
import Foundation
import Synchronization

/// Handles SIGINT and SIGTERM: the first signal cancels the work, which saves its state and ends; the second exits
/// immediately.
final class SignalHandler: Sendable {
  private let received = Mutex<Int32?>(nil)
  private let sources: [any DispatchSourceSignal]

  /// The maximum time in seconds that the work may take to end after the first signal. After that, the process exits.
  /// The journal stays consistent, as after a power failure.
  private static let gracePeriod = 0.9

  init(onFirst cancel: @escaping @Sendable () -> Void) {
    let queue = DispatchQueue(label: "bsc signals")
    let numbers = [SIGINT, SIGTERM]
    sources = numbers.map { number in
      // The signal's default action would end the program before the state is saved.
      signal(number, SIG_IGN)
      return DispatchSource.makeSignalSource(signal: number, queue: queue)
    }
    for (number, source) in zip(numbers, sources) {
      source.setEventHandler { [weak self] in
        let isSecond = self?.received.withLock { received in
          defer { received = number }
          return received != nil
        }
        if isSecond == true { Self.exit(128 + number) }
        // The timer must not run on the signal queue, which `cancel` may block.
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.gracePeriod) { Self.exit(128 + number) }
        cancel()
      }
      source.resume()
    }
  }

  private static func exit(_ status: Int32) -> Never {
    Console.restoreTerminal()
    _exit(status)
  }

  /// The exit code, 130 or 143; `nil` if no signal was received.
  var exitStatus: Int32? { received.withLock { $0.map { 128 + $0 } } }
}
