import Foundation
import Synchronization

/// The server's clock, which a test can set.
final class WallClock: Sendable {
  // A whole second, because stored times are rounded to microseconds.
  private let time = Mutex(Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down)))

  var now: Date { time.withLock { $0 } }

  func advance(_ seconds: Double) { time.withLock { $0 += seconds } }
}
