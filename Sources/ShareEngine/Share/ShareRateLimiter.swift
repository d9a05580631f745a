import ClipModel
import Foundation
public import Highlights

/// Waits for the backend's limit of highlights per hour, which protects the account from being flagged.
public struct ShareRateLimiter: Sendable {
  private let backend: any HighlightBackend
  /// One upload is opened at a time, so that two uploads cannot use the same remaining slot.
  private let semaphore = AsyncSemaphore(1)
  /// Other clients of the account also change the remaining count, so the limit is requested again after this time.
  private static let longestPause = Duration.seconds(60)

  /// - Parameter backend: reports its limit before each upload; there is no wait if it has none.
  public init(backend: any HighlightBackend) { self.backend = backend }

  /// Waits until the backend accepts another highlight, then opens its upload.
  /// - Parameter reportWait: called once with the date of the next free slot, if there is none now.
  func use<Value: Sendable>(
    reportWait: @Sendable (ShareAllowance, Date) -> Void, _ open: @Sendable () async throws -> Value
  ) async throws -> Value {
    try await semaphore.use {
      var isReported = false
      // If the backend cannot report its limit, the upload goes ahead.
      while let allowance = try? await backend.shareAllowance() {
        let now = Date()
        let seconds = allowance.secondsToWait(at: now)
        if seconds <= 0 { break }
        if !isReported { reportWait(allowance, now + seconds) }
        isReported = true
        try await Task.sleep(for: min(.seconds(seconds), Self.longestPause))
      }
      try Task.checkCancellation()
      return try await open()
    }
  }
}
