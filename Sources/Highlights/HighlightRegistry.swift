package import ClipModel
package import Foundation

/// Waits for the highlight that the backend makes from an upload. Idempotent: it only asks.
package struct HighlightRegistry: Sendable {
  private let backend: any HighlightBackend
  private let clock: any Clock<Duration>

  package init(backend: any HighlightBackend, clock: any Clock<Duration> = ContinuousClock()) {
    self.backend = backend
    self.clock = clock
  }

  /// Asks with growing pauses, as the backend likes them, until the row is there.
  ///
  /// - Parameters:
  ///   - limit: the most time spent in pauses. Mux needs seconds for a standard input, minutes for others.
  ///   - observe: gets each state that was read.
  /// - Throws: `HighlightsError` for the final states, `notReadyInTime`, or what the backend throws.
  package func register(
    uploadID: String, highlightID: UUID, limit: Duration = .seconds(600),
    observe: @Sendable (UploadState) -> Void = { _ in }
  ) async throws -> Highlight {
    let pauses = backend.pollingPauses
    var pause = pauses.lowerBound
    var waited = Duration.zero
    var troubledSince: Duration?
    while true {
      var state = try await backend.uploadState(uploadID)
      // The draft's id, which not every backend repeats.
      state.highlightID = highlightID
      observe(state)
      // It has the clip and names what delays it, which may need an administrator.
      if state.status == .assetCreated, let reason = state.error {
        let since = troubledSince ?? waited
        troubledSince = since
        if waited - since > Self.patience { throw HighlightsError.backendInTrouble(reason: reason) }
      } else {
        troubledSince = nil
      }
      if let highlight = try await judge(state) { return highlight }
      guard waited + pause <= limit else {
        throw HighlightsError.notReadyInTime(seconds: waited.components.seconds)
      }
      try await clock.sleep(for: pause)
      waited += pause
      pause = min(pause * 1.5, pauses.upperBound)
    }
  }

  /// How long the backend may try by itself.
  private static let patience = Duration.seconds(15)

  /// The row, or `nil` when it is worth waiting for.
  private func judge(_ state: UploadState) async throws -> Highlight? {
    switch state.status {
    case .waiting, .assetCreated: nil
    // A replica or a row rule may show the row a little later than the state.
    case .ready: try await backend.highlight(of: state)
    case .errored where state.isOfAnotherClip: throw HighlightsError.postFailed(reason: state.error ?? "")
    case .errored: throw HighlightsError.clipRejected(reason: state.error ?? "no reason given")
    case .cancelled: throw HighlightsError.uploadCancelled
    case .timedOut: throw HighlightsError.uploadTimedOut
    }
  }
}
