import ClipModel
import Foundation
import Highlights
import Synchronization
import TestSupport
import Testing

@Suite struct HighlightRegistryTests {
  @Test func waitsForTheStateThenForTheRow() async throws {
    let fixture = try await HighlightsFixture([
      .json(200, HighlightsFixture.state("waiting")), .json(200, HighlightsFixture.state("asset_created")),
      .json(200, HighlightsFixture.state("ready")), .json(200, "[]"),
      .json(200, HighlightsFixture.state("ready")), .json(200, "[\(HighlightsFixture.row)]"),
    ])
    let seen = Mutex([UploadState.Status]())
    let highlight = try await HighlightRegistry(backend: fixture.api, clock: fixture.clock).waitForHighlight(
      uploadID: "u1", highlightID: HighlightsFixture.id, observe: { state in seen.withLock { $0.append(state.status) } }
    )
    #expect(highlight.id == HighlightsFixture.id)
    #expect(seen.withLock { $0 } == [.waiting, .assetCreated, .ready, .ready])
    #expect(fixture.clock.sleeps.count == 3)
    #expect(zip(fixture.clock.sleeps, fixture.clock.sleeps.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test(arguments: [
    ("errored", HighlightsError.clipRejected(reason: "no video track"), FailureCategory.rejected),
    ("cancelled", .uploadCancelled, .remote), ("timed_out", .uploadTimedOut, .remote),
  ]) func finalStateThrowsItsError(status: String, expected: HighlightsError, category: FailureCategory) async throws {
    let fixture = try await HighlightsFixture([.json(200, HighlightsFixture.state(status, error: "no video track"))])
    let error = await #expect(throws: HighlightsError.self) {
      _ = try await HighlightRegistry(backend: fixture.api, clock: fixture.clock).waitForHighlight(
        uploadID: "u1", highlightID: HighlightsFixture.id)
    }
    #expect(error == expected)
    #expect(error?.explanation.category == category)
    #expect(fixture.server.requests.count == 1)
  }

  /// A full disk needs an administrator, so the user learns about it long before the time limit.
  @Test func reportsAFailingBackendEarly() async throws {
    let failing = HighlightsFixture.state("asset_created", error: "disk full")
    let fixture = try await HighlightsFixture([.json(200, failing)])
    let error = await #expect(throws: HighlightsError.self) {
      _ = try await HighlightRegistry(backend: fixture.api, clock: fixture.clock).waitForHighlight(
        uploadID: "u1", highlightID: HighlightsFixture.id)
    }
    #expect(error == .backendFailed(reason: "disk full") && error?.explanation.category == .remote)
    #expect(error?.explanation.id == "highlight.backend-failed")
    #expect(fixture.clock.sleeps.reduce(.zero, +) < .seconds(30))
    // A temporary failure is ignored.
    let recovering = try await HighlightsFixture([
      .json(200, failing), .json(200, failing), .json(200, HighlightsFixture.state("ready")),
      .json(200, "[\(HighlightsFixture.row)]"),
    ])
    #expect(
      try await HighlightRegistry(backend: recovering.api, clock: recovering.clock).waitForHighlight(
        uploadID: "u1", highlightID: HighlightsFixture.id
      ).id == HighlightsFixture.id)
  }

  @Test func stopsWaitingAtTheLimit() async throws {
    let fixture = try await HighlightsFixture([.json(200, HighlightsFixture.state("asset_created"))])
    let error = await #expect(throws: HighlightsError.self) {
      _ = try await HighlightRegistry(backend: fixture.api, clock: fixture.clock).waitForHighlight(
        uploadID: "u1", highlightID: HighlightsFixture.id, limit: .seconds(60))
    }
    guard case .notReadyInTime = error else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(fixture.clock.sleeps.reduce(.zero, +) <= .seconds(60))
    #expect(fixture.clock.sleeps.max() == .seconds(5))
  }
}
