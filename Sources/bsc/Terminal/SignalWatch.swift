@unsafe @preconcurrency import Dispatch
import Foundation
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The first INT or TERM cancels the work, which saves its state and ends; the second ends the program at once.
final class SignalWatch: Sendable {
  private let received = Mutex<Int32?>(nil)
  private let sources: [any DispatchSourceSignal]

  /// Longest wait for the work to end after the first signal, seconds: what has not stopped by then is abandoned, which
  /// the journal survives as it survives a power cut.
  private static let patience = 0.9

  init(onFirst cancel: @escaping @Sendable () -> Void) {
    let queue = DispatchQueue(label: "bsc signals")
    sources = [SIGINT, SIGTERM].map { number in
      // The default action would end the program before anything is saved.
      signal(number, SIG_IGN)
      return DispatchSource.makeSignalSource(signal: number, queue: queue)
    }
    for (number, source) in zip([SIGINT, SIGTERM], sources) {
      source.setEventHandler { [weak self] in
        let isSecond = self?.received.withLock { received in
          defer { received = number }
          return received != nil
        }
        if isSecond == true { Self.leave(128 + number) }
        // Another queue: whatever telling the work takes is part of the second.
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { Self.leave(128 + number) }
        cancel()
      }
      source.resume()
    }
  }

  private static func leave(_ status: Int32) -> Never {
    Console.leaveTerminal()
    _exit(status)
  }

  /// 130 or 143; `nil` when no signal came.
  var exitStatus: Int32? { received.withLock { $0.map { 128 + $0 } } }
}
