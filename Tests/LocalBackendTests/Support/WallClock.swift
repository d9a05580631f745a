import Foundation
import Synchronization

/// The server's clock, which a test can set.
final class WallClock: Sendable {
  private let time = Mutex(Date())

  var now: Date { time.withLock { $0 } }

  func advance(_ seconds: Double) { time.withLock { $0 += seconds } }
}
