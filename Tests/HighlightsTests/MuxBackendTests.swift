import ClipModel
import Foundation
import Highlights
import LibCurl
import TestSupport
import Testing

@Suite struct MuxBackendTests {
  static let id = HighlightsFixture.id
  static let draft = HighlightDraft(highlightID: id, caption: "Ace #serve", tags: ["serve"], duration: 5)
  static let passthrough = "6f9619ff-8b86-4011-b42d-00cf4fc964ff job-0"

  /// A Mux backend for a test server, with a clock that doesn't sleep.
  struct Fixture {
    let server: MuxServer
    let clock = FaultClock()
    let backend: MuxBackend

    init(_ change: (inout MuxServer.Traits) -> Void = { _ in }, secret: String = MuxServer.tokenSecret) async throws {
      var traits = MuxServer.Traits()
      change(&traits)
      server = try await MuxServer(traits)
      backend = MuxBackend(
        url: server.url, token: MuxBackend.AccessToken(id: MuxServer.tokenID, secret: secret),
        playback: PlaybackURLs(stream: "https://stream.mux.com", image: "https://image.mux.com", player: ""),
        videoQuality: "basic", transport: try TransferThread(), clock: clock, generator: SeededGenerator(seed: 5),
        now: { 1000 })
    }

    func create(key: String = "job-0") async throws -> UploadTicket {
      try await backend.createUpload(draft, idempotencyKey: key, timeoutSeconds: 86_400)
    }

    func send(_ ticket: UploadTicket) async throws {
      var request = HTTPRequest(.put, url: ticket.url, body: .data([1, 2, 3]))
      request.headers["Content-Range"] = "bytes 0-2/3"
      _ = try await TransferThread().send(request)
    }

    var posts: Int { server.requests.count { $0.method == "POST" } }
  }

  @Test func createUploadSendsTheAssetSettings() async throws {
    let fixture = try await Fixture()
    let ticket = try await fixture.create()
    #expect(ticket == UploadTicket(id: "up0", url: fixture.server.stores[0].url, expiresAt: 87_400))
    let request = try #require(fixture.server.requests.last { $0.method == "POST" })
    let body = try #require(try JSONSerialization.jsonObject(with: Data(request.body.utf8)) as? [String: Any])
    let settings = try #require(body["new_asset_settings"] as? [String: Any])
    #expect(request.target == "/video/v1/uploads" && body["timeout"] as? Int == 86_400)
    #expect(settings["passthrough"] as? String == Self.passthrough)
    #expect(settings["video_quality"] as? String == "basic")
    #expect(settings["max_resolution_tier"] as? String == "1080p")
    #expect(settings["meta"] as? [String: String] == ["title": "Ace #serve"])
  }

  /// When the response is lost, the upload that was created is used.
  @Test(arguments: [false, true]) func lostResponseCreatesNoSecondUpload(listsURLs: Bool) async throws {
    let fixture = try await Fixture {
      $0.lostCreations = 1
      $0.listsURLs = listsURLs
    }
    let ticket = try await fixture.create()
    #expect(ticket.id == "up0" && ticket.url == fixture.server.stores[0].url)
    #expect(ticket.expiresAt == 0, "Mux does not report when an existing upload's URL expires")
    #expect(fixture.server.uploads.count == 1 && fixture.posts == 1)
  }

  @Test func lostRequestIsSentAgain() async throws {
    let fixture = try await Fixture { $0.failedCreations = 1 }
    #expect(try await fixture.create().id == "up0")
    #expect(fixture.server.uploads.count == 1 && fixture.posts == 2)
  }

  /// After two lost responses no third request is sent; the next run finds the upload.
  @Test func twoLostResponsesEndTheRun() async throws {
    let fixture = try await Fixture { $0.failedCreations = 2 }
    let error = await #expect(throws: HighlightsError.self) { _ = try await fixture.create() }
    guard case .unreachable = error else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(fixture.posts == 2)
    #expect(try await fixture.create().id == "up0")
  }

  /// The process was killed before it stored the ticket.
  @Test func reusesTheUploadOfAnEarlierRun() async throws {
    let fixture = try await Fixture()
    fixture.server.addUpload(passthrough: "somebody-else's")
    fixture.server.addUpload(passthrough: Self.passthrough)
    #expect(try await fixture.create().id == "up1")
    #expect(fixture.posts == 0)
    #expect(fixture.server.uploads.map(\.status) == ["waiting", "waiting"])
  }

  /// An abandoned upload may contain other data.
  @Test func cancelsTheUploadOfAnEarlierAttempt() async throws {
    let fixture = try await Fixture()
    fixture.server.addUpload(passthrough: Self.passthrough)
    #expect(try await fixture.create(key: "job-1").id == "up1")
    #expect(fixture.server.uploads.map(\.status) == ["cancelled", "waiting"])
  }

  @Test(arguments: ["job-0", "job-1"]) func uploadedClipIsNotSentAgain(key: String) async throws {
    let fixture = try await Fixture()
    fixture.server.addUpload(passthrough: Self.passthrough, status: "asset_created")
    let error = await #expect(throws: HighlightsError.self) { _ = try await fixture.create(key: key) }
    #expect(error == .alreadyUploaded(uploadID: "up0"))
    #expect(fixture.posts == 0)
  }

  /// The asset was deleted in the dashboard.
  @Test func deletedAssetAllowsANewUpload() async throws {
    let fixture = try await Fixture()
    fixture.server.addUpload(passthrough: Self.passthrough, status: "asset_created")
    fixture.server.deleteAsset(ofUpload: 0)
    #expect(try await fixture.create(key: "job-1").id == "up1")
  }

  @Test func uploadBecomesAHighlight() async throws {
    let fixture = try await Fixture {
      $0.requestsUntilReady = 3
      $0.nonStandardInputReasons = ["video_bitrate": "high"]
    }
    let ticket = try await fixture.create()
    #expect(try await fixture.backend.uploadState(ticket.id).status == .waiting)
    try await fixture.send(ticket)
    let highlight = try await HighlightRegistry(backend: fixture.backend, clock: fixture.clock).waitForHighlight(
      uploadID: ticket.id, highlightID: Self.id)
    let reasons = try await fixture.backend.uploadState(ticket.id).nonStandardInputReasons
    #expect(highlight.id == Self.id && highlight.muxPlaybackID == "play0" && highlight.muxAssetID == "as0")
    #expect(highlight.thumbnailURL == "https://image.mux.com/play0/thumbnail.jpg?time=2")
    #expect(highlight.createdAt == "2026-02-20T00:00:00Z" && highlight.duration == 5.28)
    #expect(reasons == ["video_bitrate": "high"])
    // Polling has long pauses, and switches from the upload to its asset.
    #expect(fixture.clock.sleeps.allSatisfy { $0 >= .seconds(1) && $0 <= .seconds(10) })
    #expect(fixture.server.requests.count { $0.method == "GET" && $0.target.hasSuffix("/uploads/up0") } == 2)
    #expect(try await fixture.backend.highlightExists(highlight))
    fixture.server.deleteAsset(ofUpload: 0)
    #expect(try await !fixture.backend.highlightExists(highlight))
  }

  @Test func unusableClipIsRejected() async throws {
    let fixture = try await Fixture { $0.assetErrors = ["The input is invalid", "no video track"] }
    let ticket = try await fixture.create()
    try await fixture.send(ticket)
    let error = await #expect(throws: HighlightsError.self) {
      _ = try await HighlightRegistry(backend: fixture.backend, clock: fixture.clock).waitForHighlight(
        uploadID: ticket.id, highlightID: Self.id)
    }
    #expect(error == .clipRejected(reason: "The input is invalid; no video track"))
  }

  @Test func assetWithoutAPublicPlaybackIDIsRejected() async throws {
    let fixture = try await Fixture { $0.isPublic = false }
    let ticket = try await fixture.create()
    try await fixture.send(ticket)
    let error = await #expect(throws: HighlightsError.self) {
      _ = try await HighlightRegistry(backend: fixture.backend, clock: fixture.clock).waitForHighlight(
        uploadID: ticket.id, highlightID: Self.id)
    }
    #expect(error == .clipRejected(reason: "the asset has no public playback ID"))
  }

  /// A rate-limited request was not executed, so even a creation is retried after the time in `Retry-After`.
  @Test func rateLimitedRequestsAreRetried() async throws {
    let fixture = try await Fixture { $0.limitedRequests = 2 }
    #expect(try await fixture.create().id == "up0")
    #expect(fixture.server.uploads.count == 1)
    #expect(fixture.clock.sleeps.count == 2 && fixture.clock.sleeps.allSatisfy { $0 >= .seconds(1) })
    fixture.server.setTraits { $0.limitedRequests = 1 }
    #expect(try await fixture.backend.uploadState("up0").status == .waiting)
  }

  /// The client waits before Mux has to refuse a request.
  @Test func waitsWhenNoRequestsRemain() async throws {
    let fixture = try await Fixture { $0.remaining = 0 }
    _ = try await fixture.create()
    #expect(fixture.server.requests.count == 2 && fixture.clock.sleeps == [.seconds(1)])
    fixture.server.setTraits { $0.remaining = 7 }
    _ = try await fixture.backend.uploadState("up0")
    _ = try await fixture.backend.uploadState("up0")
    #expect(fixture.clock.sleeps.count == 2)
  }

  @Test func refusedTokenIsNotRetried() async throws {
    let fixture = try await Fixture(secret: "hush-wrong")
    let error = try #require(await #expect(throws: HighlightsError.self) { _ = try await fixture.create() })
    guard case .tokenRefused = error else { return #expect(Bool(false), "\(error)") }
    #expect(error.explanation.category == .notConfigured && error.explanation.id == "account.token-refused")
    #expect(fixture.server.requests.count == 1 && !"\(error) \(error.explanation)".contains("hush"))
  }

  @Test func cancelsOnlyWaitingUploads() async throws {
    let fixture = try await Fixture()
    let ticket = try await fixture.create()
    try await fixture.backend.cancelUpload(ticket.id)
    // The response may have been lost.
    try await fixture.backend.cancelUpload(ticket.id)
    #expect(fixture.server.uploads.map(\.status) == ["cancelled"])
    fixture.server.addUpload(passthrough: Self.passthrough, status: "asset_created")
    await #expect(throws: HighlightsError.self) { try await fixture.backend.cancelUpload("up1") }
    await #expect(throws: HighlightsError.self) { try await fixture.backend.cancelUpload("unknown") }
  }

  @Test func listingHighlightsIsUnsupported() async throws {
    let fixture = try await Fixture()
    #expect(try await fixture.backend.highlight(Self.id) == nil)
    await #expect(throws: HighlightsError.highlightsUnsupported(operation: "list highlights")) {
      _ = try await fixture.backend.highlights(limit: 1, offset: 0)
    }
    #expect(fixture.server.requests.isEmpty)
  }

  /// Covers types that Mux has changed before, and messages that aren't strings.
  @Test func acceptsUnexpectedTypes() async throws {
    let answers = [
      #"{"data":{"id":"u","status":"asset_created","asset_id":"a"}}"#,
      #"""
      {"data":{"id":"a","status":"errored","created_at":1771545600,"errors":{"type":"invalid_input","messages":[7,{}]},
      "non_standard_input_reasons":{"video_frame_rate":-1,"video_gop_size":"high"}}}
      """#,
    ]
    let server = try await FaultAPIServer(answers: answers.map { .json(200, $0) })
    let backend = MuxBackend(
      url: server.url, token: MuxBackend.AccessToken(id: "a", secret: "b"),
      playback: PlaybackURLs(stream: "", image: "", player: ""),
      transport: try TransferThread(), clock: FaultClock())
    let state = try await backend.uploadState("u")
    #expect(state.status == .errored && state.error == "7")
    #expect(state.nonStandardInputReasons == ["video_frame_rate": "-1", "video_gop_size": "high"])
  }
}
