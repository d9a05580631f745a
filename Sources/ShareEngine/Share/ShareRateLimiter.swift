import ClipModel
import Foundation
public import Highlights

/// Waits until the backend's limit of highlights per hour permits another one, so that the account is not flagged.
public struct ShareRateLimiter: Sendable {
  private let backend: any HighlightBackend
  /// Only one upload is opened at a time, so that two uploads cannot use the same remaining slot.
  private let semaphore = AsyncSemaphore(1)
  /// Other clients that use the account also change the remaining count, so the limit is requested again after this
  /// time.
  private static let longestPause = Duration.seconds(60)

  /// - Parameter backend: reports its limit before each upload. If it has no limit, uploads don't wait.
  public init(backend: any HighlightBackend) { self.backend = backend }

  /// Waits until the backend accepts another highlight, then opens its upload.
  /// - Parameter reportWait: called once, with the date of the next free slot, if no slot is free now.
  func use<Value: Sendable>(
    reportWait: @Sendable (ShareAllowance, Date) -> Void, _ open: @Sendable () async throws -> Value
  ) async throws -> Value {
    try await semaphore.use {
      var isReported = false
      // If the backend cannot report its limit, the upload proceeds.
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
