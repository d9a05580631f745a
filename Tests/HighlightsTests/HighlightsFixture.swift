import ClipModel
import Foundation
import Highlights
import LibCurl
import TestSupport

/// A client for a scripted server, with a clock that doesn't sleep.
struct HighlightsFixture {
  let server: FaultAPIServer
  let clock = FaultClock()
  let api: HighlightsAPI

  static let apiKey = "key-hush"

  init(_ answers: [FaultAPIServer.Answer]) async throws {
    let server = try await FaultAPIServer(answers: answers)
    self.server = server
    api = HighlightsAPI(transport: try TransferThread(), clock: clock, generator: SeededGenerator(seed: 5)) { _ in
      BackendEndpoint(
        functionsURL: server.url, restURL: "\(server.url)/rest/v1", headers: ["apikey": Self.apiKey])
    }
  }

  static let id = UUID(uuidString: "6F9619FF-8B86-4011-B42D-00CF4FC964FF") ?? UUID()

  static let row = """
    {"id":"\(id.uuidString.lowercased())","author_id":"me","mux_playback_id":"p1","mux_asset_id":null,
    "thumbnail_url":"/thumb.jpg","caption":"Match point","tags":["spike"],"duration":12.5,"privacy_level":"public",
    "hide_likes":false,"local_video_id":null,"local_rally_index":3,"created_at":"2026-11-21T10:00:00Z","later_column":1}
    """

  static func state(_ status: String, error: String? = nil) -> String {
    let reason = error.map { #","error":"\#($0)""# } ?? ""
    return #"{"id":"u1","status":"\#(status)","highlight_id":"\#(id.uuidString)"\#(reason)}"#
  }
}
