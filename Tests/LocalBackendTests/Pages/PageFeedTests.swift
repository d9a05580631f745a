import ClipModel
import Foundation
import GRDB
import Testing

@testable import LocalBackend

/// The feed's content and paging, and the owner's pages.
@Suite(.timeLimit(.minutes(10))) struct PageFeedTests {
  @Test func newHighlightsDoNotShiftPages() async throws {
    try await TestBackend.run { backend in
      var ids: [String] = []
      for number in 0..<19 {
        let highlight = try await backend.publish(pattern(10), .sample(caption: "rally \(number)"))
        ids.append(highlight.id.uuidString.lowercased())
      }
      var path: String? = "/"
      var seen: [String] = []
      var pages = 0
      while let target = path {
        let page = try await backend.send("GET", target).text
        seen += page.matches(of: /<article class="post" id="h-([0-9a-f-]+)"/).map { String($0.output.1) }
        path = page.firstMatch(of: /href="([^"]+)" rel="next"/).map { String($0.output.1) }
        pages += 1
        if pages == 1 { _ = try await backend.publish(pattern(10)) }
      }
      #expect(pages == 3 && seen == ids.reversed())
    }
  }

  /// A tile leads to its highlight, followed by the person's older ones.
  @Test func tilesOpenThePersonsHighlights() async throws {
    try await TestBackend.run { backend in
      var ids: [String] = []
      for number in 0..<10 {
        let highlight = try await backend.publish(pattern(10), .sample(caption: "rally \(number)"))
        ids.insert(highlight.id.uuidString.lowercased(), at: 0)
      }
      let profile = try await backend.send("GET", "/u/local").text
      let tiles = profile.matches(of: /<a class="tile" href="([^"#]+)#h-([0-9a-f-]+)"/)
      #expect(tiles.map { String($0.output.2) } == ids)
      for (index, tile) in tiles.enumerated() {
        let page = try await backend.send("GET", String(tile.output.1)).text
        let shown = page.matches(of: /<article class="post" id="h-([0-9a-f-]+)"/).map { String($0.output.1) }
        #expect(shown == Array(ids[index...].prefix(8)))
        #expect(page.contains("rel=\"next\"") == (index < 2) && page.contains("class=\"newer\""))
      }
      let first = try await backend.send("GET", "/u/LOCAL/highlights").text
      #expect(first.contains("id=\"h-\(ids[0])\"") && !first.contains("class=\"newer\""))
      #expect(try await backend.send("GET", "/u/unknown/highlights").status == 404)
    }
  }

  @Test(arguments: [
    "x", "~", "2026-01-01T00:00:00~", "2026-13-01T00:00:00~10ca1000-0000-4000-8000-000000000001", "' or 1=1",
  ])
  func invalidCursorsAreIgnored(_ text: String) async throws {
    try await TestBackend.run { backend in
      _ = try await backend.publish(pattern(10))
      let page = try await backend.send("GET", "/?before=\(LocalPath.percentEncoded(text))")
      #expect(page.status == 200 && page.text.contains("<article"))
    }
  }

  @Test func tagsLinkToTheirPages() async throws {
    try await TestBackend.run { backend in
      var draft = HighlightDraft.sample(caption: "Ein #Spike, 排球 #排球!")
      draft.tags = ["spike", "排球", "beach"]
      _ = try await backend.publish(pattern(10), draft)
      let page = try await backend.send("GET", "/").text
      let tag = LocalPath.percentEncoded("排球")
      #expect(page.contains(#"Ein <a href="/tags/spike">#Spike</a>, 排球 <a href="/tags/\#(tag)">#排球</a>!</p>"#))
      // Only the tags that the caption doesn't contain.
      #expect(page.contains(##"<li><a href="/tags/beach" dir="auto">#beach</a></li></ul>"##))
      for path in ["/tags/SPIKE", "/tags/\(tag)", "/tags/beach"] {
        #expect(try await backend.send("GET", path).text.contains("<article"), "\(path)")
      }
      #expect(!(try await backend.send("GET", "/tags/spik").text.contains("<article")))
    }
  }

  @Test func feedOmitsMutedPeople() async throws {
    try await TestBackend.run { backend in
      let highlight = try await backend.publish(pattern(10))
      let ann = try await AuthRoutesTests.signUp(backend, "ann@example.org", password: PageReactionTests.password)
      let browser = PageBrowser(backend)
      #expect(try await browser.signIn("ann@example.org", PageReactionTests.password).status == 303)
      #expect(try await browser.get("/").text.contains("<article"))
      let muted = try await backend.send(
        "POST", "/rest/v1/user_mutes", headers: AuthRoutesTests.bearer(ann.accessToken),
        body: Array(#"{"muter_id":"\#(ann.user.id)","muted_id":"\#(Caller.localUserID)"}"#.utf8))
      #expect(muted.status == 201)
      #expect(!(try await browser.get("/").text.contains("<article")))
      #expect(try await browser.get("/h/\(highlight.id.uuidString.lowercased())").status == 200)
    }
  }

  @Test func uploadsAndBatchesAreForTheOwnerOnly() async throws {
    let options = TestBackend.Options(change: { configuration in
      configuration.uploads = {
        var upload = QueuedUpload(id: "1", clip: "<rally>.mp4", state: "uploading")
        (upload.sentByteCount, upload.byteCount, upload.reason) = (25_000_000, 100_000_000, "the server answered 503")
        upload.isRunning = true
        return [upload]
      }
      configuration.reports = [ServedReport(name: "court.jsonl") { "<style>b{}</style><b>42</b>" }]
    })
    try await TestBackend.run(options: options) { backend in
      let browser = PageBrowser(backend)
      for path in ["/uploads", "/batches", "/batches/1"] {
        #expect(try await browser.get(path).status == 403, "\(path)")
      }
      // HEAD, because an accepted GET would not end.
      #expect(try await backend.send("HEAD", "/events/uploads").status == 403)
      // An empty key is not a credential.
      for headers in [["apikey": ""], ["Authorization": "Bearer "], ["Authorization": "Bearer"]] {
        let reply = try await backend.send("GET", "/uploads", headers: headers.merging(["Accept": "text/html"]) { $1 })
        #expect([401, 403].contains(reply.status), "\(headers)")
      }
      #expect(try await !browser.get("/").text.contains("/events/uploads"))
      // Clients that don't accept HTML get no page.
      #expect(try await backend.send("GET", "/uploads").status == 405)
      try await browser.enter()
      let page = try await browser.get("/uploads").text
      #expect(page.contains("&lt;rally&gt;.mp4") && page.contains(#"value="25""#) && page.contains("answered 503"))
      let start = try await browser.get("/").text
      #expect(page.contains("data-running") && start.contains("/events/uploads"))
      #expect(try await browser.get("/batches").text.contains(#"<a href="/batches/1"><bdi>court.jsonl"#))
      let report = try await browser.get("/batches/1")
      #expect(report.text.contains("42"))
      #expect(report.headers["content-security-policy"]?.contains("style-src 'sha256-") == true)
      for path in ["/batches/0", "/batches/2", "/batches/x", "/batches/99999999999999999999"] {
        #expect(try await browser.get(path).status == 404)
      }
    }
  }

  /// An open page receives changes, and doesn't prevent the server from stopping.
  @Test func eventsFollowTheQueueAndEndWithTheServer() async throws {
    let clips = Clips()
    let options = TestBackend.Options(change: { configuration in
      configuration.uploads = { clips.names.map { QueuedUpload(id: $0, clip: $0, state: "queued") } }
    })
    try await TestBackend.run(options: options) { backend in
      let connection = try RawConnection(port: backend.server.port)
      let owner = AuthRoutesTests.bearer(backend.server.address.ownerToken)
      try await connection.send(backend.head("GET", "/events/uploads", owner, contentLength: nil))
      clips.add("late.mp4")
      let text = try await connection.read(until: "late.mp4")
      #expect(text.contains("text/event-stream") && text.contains("late.mp4"))
      async let stopped: Void = backend.server.stop()
      #expect(try await connection.read(until: "event: ending").contains("event: ending"))
      await stopped
    }
  }

  /// Each change of the shown tables is signaled once, after its commit, so that open pages need not wait for a check.
  @Test func changesAreSignaledOnCommit() async throws {
    let database = try DatabaseQueue()
    let changes = LiveChanges(in: database)
    try await database.write { database in
      for table in ["likes", "unrelated"] { try database.execute(sql: "CREATE TABLE \(table) (id INTEGER)") }
    }
    let (signals, signal) = AsyncStream<Void>.makeStream()
    let listener = changes.add(signal)
    try await database.write { database in
      for _ in 0..<3 { try database.execute(sql: "INSERT INTO likes VALUES (1)") }
    }
    try await database.write { try $0.execute(sql: "DELETE FROM likes WHERE id = 1") }
    try await database.write { try $0.execute(sql: "INSERT INTO unrelated VALUES (1)") }
    try await database.writeWithoutTransaction { database in
      try database.inTransaction {
        try database.execute(sql: "INSERT INTO likes VALUES (2)")
        return .rollback
      }
    }
    changes.remove(listener)
    try await database.write { try $0.execute(sql: "INSERT INTO likes VALUES (3)") }
    signal.finish()
    var count = 0
    for await _ in signals { count += 1 }
    #expect(count == 2)
  }

  /// An open page of a highlight receives a like, and nothing after its session has ended.
  @Test func eventsFollowAHighlightAndEndWithTheSession() async throws {
    try await TestBackend.run { backend in
      let page = "/h/\(try await backend.publish(pattern(10)).id.uuidString.lowercased())"
      _ = try await AuthRoutesTests.signUp(backend, "ann@example.org", password: PageReactionTests.password)
      let browser = PageBrowser(backend)
      #expect(try await browser.signIn("ann@example.org", PageReactionTests.password).status == 303)
      let cookies = browser.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
      let connection = try RawConnection(port: backend.server.port)
      try await connection.send(
        backend.head("GET", "/events\(page)", ["Cookie": cookies, "Connection": "close"], contentLength: nil))
      _ = try await connection.read(until: #"aria-pressed="false""#)
      #expect(try await browser.submit(page + "/like", on: page).status == 303)
      let text = try await connection.read(until: #"aria-pressed="true""#)
      #expect(text.contains(#"aria-pressed="true""#), "\(text)")
      #expect(try await browser.submit("/sign-out", on: "/").status == 303)
      #expect(String(decoding: try await connection.readToEnd(), as: UTF8.self).contains("event: ending"))
    }
  }

  /// After signing out, an open page receives no more changes.
  @Test func eventsEndWithTheSession() async throws {
    let clips = Clips()
    let options = TestBackend.Options(change: { configuration in
      configuration.uploads = { clips.names.map { QueuedUpload(id: $0, clip: $0, state: "queued") } }
    })
    try await TestBackend.run(options: options) { backend in
      let browser = PageBrowser(backend)
      try await browser.enter()
      let cookies = browser.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
      let connection = try RawConnection(port: backend.server.port)
      try await connection.send(
        backend.head("GET", "/events/uploads", ["Cookie": cookies, "Connection": "close"], contentLength: nil))
      let head = try await connection.read(until: "text/event-stream")
      #expect(head.contains("text/event-stream"), "\(head)")
      #expect(try await browser.submit("/sign-out", on: "/").status == 303)
      clips.add("late.mp4")
      let text = String(decoding: try await connection.readToEnd(), as: UTF8.self)
      #expect(!text.contains("late.mp4"), "\(text)")
    }
  }

  /// The changing content of the queue.
  private final class Clips: @unchecked Sendable {
    private let lock = NSLock()
    private var all = ["early.mp4"]
    var names: [String] { lock.withLock { all } }
    func add(_ name: String) { lock.withLock { all.append(name) } }
  }
}
