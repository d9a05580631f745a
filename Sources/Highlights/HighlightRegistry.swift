package import ClipModel
package import Foundation

/// Waits for the highlight that the backend creates from an upload. It only reads, so it can be called again.
package struct HighlightRegistry: Sendable {
  private let backend: any HighlightBackend
  private let clock: any Clock<Duration>

  package init(backend: any HighlightBackend, clock: any Clock<Duration> = ContinuousClock()) {
    self.backend = backend
    self.clock = clock
  }

  /// Polls with growing pauses until the highlight exists.
  ///
  /// - Parameters:
  ///   - uploadID: the upload on the backend.
  ///   - highlightID: the ID of the future highlight.
  ///   - limit: the maximum time spent in pauses. Mux needs seconds for a standard input, minutes for others.
  ///   - observe: receives each state.
  /// - Throws: `HighlightsError` for the final states, `notReadyInTime`, or an error of the backend.
  package func register(
    uploadID: String, highlightID: UUID, limit: Duration = .seconds(600),
    observe: @Sendable (UploadState) -> Void = { _ in }
  ) async throws -> Highlight {
    let pauses = backend.pollingPauses
    var pause = pauses.lowerBound
    var waited = Duration.zero
    var failingSince: Duration?
    while true {
      var state = try await backend.uploadState(uploadID)
      // Not every backend returns the draft's ID.
      state.highlightID = highlightID
      observe(state)
      // The backend has the clip but cannot process it, which may need an administrator.
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

  /// How long the backend may report a failure while it retries.
  private static let failureGracePeriod = Duration.seconds(15)

  /// - Returns: `nil` while the upload can still become a highlight.
  private func highlight(of state: UploadState) async throws -> Highlight? {
    switch state.status {
    case .waiting, .assetCreated: nil
    // The row may become visible a little later than the state, because of a replica or a row rule.
    case .ready: try await backend.highlight(of: state)
    case .errored: throw HighlightsError.clipRejected(reason: state.error ?? "no reason given")
    case .cancelled: throw HighlightsError.uploadCancelled
    case .timedOut: throw HighlightsError.uploadTimedOut
    }
  }
}
