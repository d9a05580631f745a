import ClipModel
import Foundation
public import Highlights

/// Keeps below the number of highlights that a backend takes in an hour before it flags an account.
public struct SharePace: Sendable {
  private let backend: any HighlightBackend
  /// One asks and opens its upload at a time: two that saw the same last place would both take it.
  private let turns = AsyncSemaphore(1)

  /// Between two looks, while those that are on their way arrive.
  private static let longestPause = Duration.seconds(60)

  /// - Parameter backend: asked for its limit before each upload; one that has none is not waited for.
  public init(backend: any HighlightBackend) { self.backend = backend }

  /// Waits until one more may be shared, then opens its upload.
  /// - Parameter waiting: told once, with the moment at which it goes on.
  func use<Value: Sendable>(
    waiting: @Sendable (ShareAllowance, Date) -> Void, _ open: @Sendable () async throws -> Value
  ) async throws -> Value {
    try await turns.use {
      var isTold = false
      // Who cannot tell its limit has none that anybody could keep.
      while let allowance = try? await backend.shareAllowance() {
        let now = Date()
        let seconds = allowance.secondsToWait(at: now)
        if seconds <= 0 { break }
        if !isTold { waiting(allowance, now + seconds) }
        isTold = true
        try await Task.sleep(for: min(.seconds(seconds), Self.longestPause))
      }
      try Task.checkCancellation()
      return try await open()
    }
  }
}
