import ClipModel
import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import LocalBackend

@Suite(.timeLimit(.minutes(10))) struct WebhookTests {
  /// A received event.
  struct Event {
    var body: Object
    var signature: String
    var text: String
    var type: String { body.text("type") ?? "" }

    init(_ request: FaultAPIServer.Request) throws {
      text = request.body
      signature = request.headers["mux-signature"] ?? ""
      let fields = try JSONSerialization.jsonObject(with: Data(request.body.utf8)) as? [String: Any]
      body = Object(fields ?? [:])
    }
  }

  private static func options(_ receivers: FaultAPIServer..., secret: String? = "whsec_test") -> TestBackend.Options {
    var options = TestBackend.Options()
    let urls = receivers.compactMap { URL(string: $0.url + "/hook?a=1") }
    options.change = {
      $0.webhooks = urls
      $0.webhookSecret = secret
      $0.webhookFirstPause = 0.02
    }
    return options
  }

  /// Waits until a receiver has this number of requests.
  private static func events(_ receiver: FaultAPIServer, atLeast count: Int) async throws -> [Event] {
    try await TestTimeout.wait { receiver.requests.count >= count }
    return try receiver.requests.map { try Event($0) }
  }

  /// The number of events that are still to be delivered.
  private static func deliveryCount(in folder: String) async throws -> Int? {
    let store = try ServerStore(path: folder + "/backend.sqlite")
    let count = try await store.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM webhook_deliveries") }
    try store.database.close()
    return count
  }

  @Test func signaturesMatchMuxs() {
    let body = Data(
      #"{"type":"video.asset.ready","id":"11111111-2222-4333-8444-555555555555","data":{"id":"ASSET1","status":"ready"}}"#
        .utf8)
    let secret = "whsec_example_0123456789"
    #expect(
      MuxSignature.header(of: body, secret: secret, seconds: 1_700_000_000)
        == "t=1700000000,v1=6c6fb5abeec9d8c1f6346d31a95933d0cb21c0d60d2281f35943ba448f54b4f4")
    #expect(
      MuxSignature.header(of: Data("{}".utf8), secret: secret, seconds: 1_700_000_000)
        == "t=1700000000,v1=661d3a4b9c0422d3deebb623347dce11b79eb5949ac79cfb06e28bd2de4bcbd6")
  }

  @Test func pausesGrowAndEndAfterADay() throws {
    let schedule = WebhookSchedule()
    #expect((1...5).map { schedule.nextAttempt(afterAttempts: $0, created: 0, now: 100) } == [102, 104, 108, 116, 132])
    #expect(schedule.nextAttempt(afterAttempts: 20, created: 0, now: 100) == 3700)
    #expect(schedule.nextAttempt(afterAttempts: 500, created: 0, now: 82_800) == 86_400)
    #expect(schedule.nextAttempt(afterAttempts: 500, created: 0, now: 82_801) == nil)
    #expect((24...40).contains(schedule.maximumAttempts))
  }

  @Test(arguments: [
    ("http://127.0.0.1:1/x", true), ("http://localhost/", true), ("https://[::1]:9/", true), ("HTTP://127.9.9.9", true),
    ("http://example.com/", false), ("http://127.0.0.1.example.com/", false), ("http://user@127.0.0.1/", false),
    ("ftp://127.0.0.1/", false), ("file:///etc/passwd", false), ("http://0.0.0.0/", false), ("http://10.0.0.1/", false),
    ("http://127.1/", false), ("http://[::ffff:10.0.0.1]/", false), ("nonsense", false), ("", false),
  ])
  func onlyURLsOnThisMachineAreAllowed(_ text: String, _ isAllowed: Bool) {
    #expect((WebhookAddress.url(text) != nil) == isAllowed)
  }

  @Test func aWebhookOnAnotherMachineIsRejected() async throws {
    var options = TestBackend.Options()
    options.change = { $0.webhooks = [URL(string: "https://example.com/hook")].compactMap(\.self) }
    let error = await #expect(throws: LocalBackendError.self) { try await TestBackend.run(options: options) { _ in } }
    #expect(error?.explanation.category == .usage)
  }

  @Test func eventsCoverTheLifeOfAnAsset() async throws {
    let receiver = try await FaultAPIServer(answers: [.json(200, "{}")])
    var maker = TestBackend.quickMaker
    maker.inspect = { _ in
      var facts = TestBackend.goodFacts
      facts.nonStandardReasons = ["video_codec": "av1"]
      return facts
    }
    var options = Self.options(receiver)
    options.now = { Date(timeIntervalSince1970: 1_800_000_000) }
    try await TestBackend.run(maker: maker, options: options) { backend in
      let mux = try await MuxClient(backend)
      let asset = try await mux.asset(pattern(10))
      let id = asset.text("id") ?? ""
      #expect(try await mux.send("DELETE", "assets/\(id)").status == 204)
      let other = try await mux.upload()
      #expect(try await mux.send("PUT", "uploads/\(other.text("id") ?? "")/cancel").status == 200)
      let events = try await Self.events(receiver, atLeast: 8)
      #expect(
        events.map(\.type).sorted() == [
          "video.asset.created", "video.asset.deleted", "video.asset.non_standard_input_detected", "video.asset.ready",
          "video.upload.asset_created", "video.upload.cancelled", "video.upload.created", "video.upload.created",
        ])
      #expect(Set(events.compactMap { $0.body.text("id") }).count == 8)
      for event in events {
        let seconds = try #require(event.signature.firstMatch(of: /t=(\d+),/).flatMap { Int64($0.1) })
        #expect(seconds == 1_800_000_000)
        #expect(
          event.signature == MuxSignature.header(of: Data(event.text.utf8), secret: "whsec_test", seconds: seconds))
        #expect(event.body.text("created_at")?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/) != nil)
        #expect(event.body.object("environment").text("id") == "local" && event.body.list("attempts").isEmpty)
        #expect(event.body.fields["accessor"] is NSNull)
        // The credential of the upload URL is not sent.
        #expect(!event.text.contains("token="))
      }
      let ready = try #require(events.first { $0.type == "video.asset.ready" }).body
      #expect(ready.object("object").text("type") == "asset" && ready.object("object").text("id") == id)
      #expect(ready.object("data").number("created_at") != nil && ready.object("data").text("passthrough") == "mine")
      #expect(ready.object("data").list("playback_ids").count == 1)
      let created = try #require(events.first { $0.type == "video.upload.asset_created" }).body
      #expect(created.object("data").text("asset_id") == id)
      #expect(created.object("data").object("new_asset_settings").text("passthrough") == "mine")
      let deleted = try #require(events.first { $0.type == "video.asset.deleted" }).body
      #expect(deleted.object("data").text("id") == id)
    }
    #expect(receiver.requests.allSatisfy { $0.method == "POST" && $0.target == "/hook?a=1" })
  }

  @Test func aFailedAssetSendsAnEvent() async throws {
    let receiver = try await FaultAPIServer(answers: [.json(204, "")])
    var maker = TestBackend.quickMaker
    maker.inspect = { _ in
      AssetProperties(durationSeconds: 3, width: 0, height: 0, frameRate: nil, hasVideo: false, videoTrackCount: 0)
    }
    try await TestBackend.run(maker: maker, options: Self.options(receiver)) { backend in
      _ = try await MuxClient(backend).asset(pattern(10))
      let events = try await Self.events(receiver, atLeast: 4)
      let errored = try #require(events.first { $0.type == "video.asset.errored" }).body.object("data")
      #expect(errored.object("errors").text("type") == "invalid_input")
      #expect((errored.object("errors").fields["messages"] as? [String])?.count == 1)
      #expect(!events.contains { $0.type == "video.upload.errored" || $0.type == "video.asset.ready" })
    }
  }

  /// A broken receiver gets the event again, with the same ID, until it accepts it. The other receiver isn't delayed.
  @Test func deliveriesAreRetriedUntilTheySucceed() async throws {
    let failures = Mutex<[String: Int]>([:])
    let broken = try await FaultAPIServer { _, request in
      let id = request.body.firstMatch(of: /"id":"([0-9a-f-]{36})"/).map { String($0.1) } ?? ""
      let count = failures.withLock { failures in
        failures[id, default: 0] += 1
        return failures[id] ?? 0
      }
      return count == 1 ? .reset : count < 4 ? .json(500, "no", headers: [:]) : .json(200, "{}")
    }
    let fine = try await FaultAPIServer(answers: [.json(200, "{}")])
    try await TestBackend.run(options: Self.options(broken, fine)) { backend in
      _ = try await MuxClient(backend).upload()
      #expect(try await Self.events(fine, atLeast: 1).count == 1)
      let events = try await Self.events(broken, atLeast: 4)
      #expect(Set(events.compactMap { $0.body.text("id") }).count == 1)
      #expect(events.map { $0.body.list("attempts").count } == [0, 1, 2, 3])
      let attempts = events.last?.body.list("attempts") ?? []
      #expect(attempts.map { $0.number("response_status_code") } == [nil, 500, 500])
      #expect(attempts.last?.text("response_body") == "no")
      // A delivered event is removed, so it cannot be sent again.
      #expect(try await TestTimeout.wait { try await Self.deliveryCount(in: backend.folder) == 0 })
      #expect(broken.requests.count == 4 && fine.requests.count == 1)
    }
  }

  @Test func eventsSurviveARestart() async throws {
    let folder = TestBackend.newFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let isUp = Mutex(false)
    let receiver = try await FaultAPIServer { _, _ in isUp.withLock { $0 } ? .json(200, "{}") : .json(503, "") }
    try await TestBackend.run(in: folder, options: Self.options(receiver)) { backend in
      _ = try await MuxClient(backend).upload()
      _ = try await Self.events(receiver, atLeast: 2)
    }
    isUp.withLock { $0 = true }
    let before = receiver.requests.count
    try await TestBackend.run(in: folder, options: Self.options(receiver)) { _ in
      let events = try await Self.events(receiver, atLeast: before + 1)
      #expect(events.last?.type == "video.upload.created")
      #expect(events.last?.body.text("id") == events.first?.body.text("id"))
      // A server that dies before it records the delivery sends the event again: delivery is at-least-once.
      #expect(try await TestTimeout.wait { try await Self.deliveryCount(in: folder) == 0 })
    }
  }

  @Test func noEventsAreStoredWithoutWebhooks() async throws {
    try await TestBackend.run { backend in
      _ = try await MuxClient(backend).asset(pattern(10))
      #expect(try await Self.deliveryCount(in: backend.folder) == 0)
    }
  }
}
