import ClipModel
import Foundation
import GRDB
import Testing

@testable import LocalBackend

/// The server checks the facts of a clip, whatever its draft claims.
@Suite(.timeLimit(.minutes(10))) struct AssetRulesTests {
  private static func facts(
    _ seconds: Double = 12, _ width: Int = 1920, _ height: Int = 1080, tracks: Int = 1
  ) -> AssetProperties {
    AssetProperties(
      durationSeconds: seconds, width: width, height: height, frameRate: 30, hasVideo: true, videoTrackCount: tracks)
  }

  @Test(arguments: [facts(), facts(2.9), facts(60.1), facts(9, 4096, 2160), facts(9, 16, 214)])
  func acceptsARally(_ facts: AssetProperties) { #expect(AssetRules.problem(facts) == nil) }

  @Test(arguments: [
    facts(2.7), facts(60.3), facts(.nan), facts(9, 4097, 2160), facts(9, 320, 15), facts(tracks: 2), facts(tracks: 0),
  ])
  func refusesOtherClips(_ facts: AssetProperties) async throws {
    #expect(AssetRules.problem(facts) != nil)
    var maker = TestBackend.quickMaker
    maker.inspect = { _ in facts }
    try await TestBackend.run(maker: maker) { backend in
      let ticket = try await backend.ticket()
      #expect(try await backend.put(ticket, nil, pattern(100)).status == 200)
      let state = try await backend.settled(ticket.id)
      #expect(state.status == .errored)
      #expect(try await backend.highlights().isEmpty)
      #expect(try FileManager.default.contentsOfDirectory(atPath: backend.folder + "/assets").isEmpty)
      if facts.durationSeconds.isNaN { return }
      let notices = try await backend.send("GET", "/rest/v1/notifications?select=kind,details").text
      #expect(notices.contains(#""action":"refuse""#) && notices.contains(state.error ?? "?"), "\(notices)")
    }
  }

  /// Uploads of the Mux API aren't highlights.
  @Test func otherUploadsMayBeAnyVideo() async throws {
    var maker = TestBackend.quickMaker
    maker.inspect = { _ in Self.facts(300) }
    try await TestBackend.run(maker: maker) { backend in
      let asset = try await MuxClient(backend).asset(pattern(100))
      #expect(asset.text("status") == "ready")
    }
  }
}
