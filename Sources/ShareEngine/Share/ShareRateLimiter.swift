import ClipModel
import Foundation
public import Highlights

/// Delays uploads until the backend's hourly limit permits another highlight, so that the account is not flagged.
public struct ShareRateLimiter: Sendable {
  private let backend: any HighlightBackend
  /// Allows only one upload to be opened at a time, so that two uploads cannot use the same remaining slot.
  private let semaphore = AsyncSemaphore(1)
  /// The maximum delay before the limit is requested again. Other clients of the same account also change the remaining
  /// count.
  private static let maximumDelay = Duration.seconds(60)

  /// - Parameter backend: the backend whose limit is requested before each upload. If there is no limit, uploads don't
  ///   wait.
  public init(backend: any HighlightBackend) { self.backend = backend }

  /// Waits until the backend's limit permits another highlight, then opens the highlight's upload.
  /// - Parameter reportWait: called once, with the date of the next free slot, if no slot is free.
  func runWithinLimit<Value: Sendable>(
    reportWait: @Sendable (ShareAllowance, Date) -> Void, _ open: @Sendable () async throws -> Value
  ) async throws -> Value {
    try await semaphore.withSlot {
      var isReported = false
      // If the backend cannot report its limit, the upload proceeds.
      while let allowance = try? await backend.shareAllowance() {
        let now = Date()
        let seconds = allowance.secondsToWait(at: now)
        if seconds <= 0 { break }
        if !isReported { reportWait(allowance, now + seconds) }
        isReported = true
        try await Task.sleep(for: min(.seconds(seconds), Self.maximumDelay))
      }
      try Task.checkCancellation()
      return try await open()
    }
  }
}
