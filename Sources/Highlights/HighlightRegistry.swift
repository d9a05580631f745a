package import ClipModel
package import Foundation

/// Waits for the highlight that the backend creates from an upload. Sends only read requests, so calls can be repeated.
package struct HighlightRegistry: Sendable {
  private let backend: any HighlightBackend
  private let clock: any Clock<Duration>

  package init(backend: any HighlightBackend, clock: any Clock<Duration> = ContinuousClock()) {
    self.backend = backend
    self.clock = clock
  }

  /// Polls the backend at increasing intervals until the highlight exists.
  ///
  /// - Parameters:
  ///   - uploadID: the backend's upload ID.
  ///   - highlightID: the ID of the highlight to wait for.
  ///   - limit: the maximum total delay. Mux needs seconds for standard input, and minutes for other files.
  ///   - observe: receives every state that the backend returns.
  /// - Throws: `HighlightsError` for a final failure state, `notReadyInTime`, or an error from the backend.
  package func waitForHighlight(
    uploadID: String, highlightID: UUID, limit: Duration = .seconds(600),
    observe: @Sendable (UploadState) -> Void = { _ in }
  ) async throws -> Highlight {
    let pauses = backend.pollingPauses
    var pause = pauses.lowerBound
    var waited = Duration.zero
    var failingSince: Duration?
    while true {
      var state = try await backend.uploadState(uploadID)
      // Some backends don't return the draft's highlight ID.
      state.highlightID = highlightID
      observe(state)
      // The backend has the clip but cannot process it. An administrator may have to fix the problem.
      if state.status == .assetCreated, let reason = state.error {
        let since = failingSince ?? waited
        failingSince = since
        if waited - since > Self.failureGracePeriod { throw HighlightsError.backendFailed(reason: reason) }
      } else {
        failingSince = nil
      }
      if let highlight = try await highlight(of: state) { return highlight }
      guard waited + pause <= limit else {
        throw HighlightsError.notReadyInTime(seconds: waited.components.seconds)
      }
      try await clock.sleep(for: pause)
      waited += pause
      pause = min(pause * 1.5, pauses.upperBound)
    }
  }

  /// The maximum time during which the backend may report a failure while it retries.
  private static let failureGracePeriod = Duration.seconds(15)

  /// Returns the highlight of an upload, if it exists.
  /// - Returns: `nil` as long as the upload may still become a highlight.
  private func highlight(of state: UploadState) async throws -> Highlight? {
    switch state.status {
    case .waiting, .assetCreated: nil
    // The row may become visible slightly later than the state, because of a replica or a row-level security policy.
    case .ready: try await backend.highlight(of: state)
    case .errored: throw HighlightsError.clipRejected(reason: state.error ?? "no reason given")
    case .cancelled: throw HighlightsError.uploadCancelled
    case .timedOut: throw HighlightsError.uploadTimedOut
    }
  }
}
