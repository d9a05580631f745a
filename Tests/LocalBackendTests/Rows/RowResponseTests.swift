import ClipModel
import Foundation
import TestSupport
import Testing

@testable import LocalBackend

/// Status codes, headers and bodies of `/rest/v1`, compared with PostgREST's.
@Suite(.timeLimit(.minutes(2))) struct RowResponseTests {
  private static let single = "application/vnd.pgrst.object+json"

  private static func send(
    _ backend: TestBackend, _ method: String, _ path: String, _ body: String? = nil, prefer: String? = nil,
    accept: String? = nil
  ) async throws -> HTTPReply {
    var headers = ["Content-Type": "application/json"]
    headers["Prefer"] = prefer
    headers["Accept"] = accept
    return try await backend.send(method, "/rest/v1/" + path, headers: headers, body: body.map { Array($0.utf8) })
  }

  /// Publishes highlights of the built-in user.
  private static func publish(_ backend: TestBackend, _ count: Int = 3) async throws -> [UUID] {
    let drafts = (0..<count).map { _ in HighlightDraft.sample() }
    for draft in drafts { _ = try await backend.publish(pattern(100), draft) }
    return drafts.map(\.highlightID)
  }

  private static func like(_ id: UUID) -> String {
    #"{"highlight_id":"\#(id.uuidString.lowercased())","user_id":"\#(Caller.localUserID)"}"#
  }

  private static func count(_ backend: TestBackend, _ table: String) async throws -> Int {
    let reply = try await send(backend, "GET", "\(table)?select=id")
    return try #require(try JSONSerialization.jsonObject(with: Data(reply.body)) as? [Any]).count
  }

  // MARK: Single objects

  /// A write for a single object that affects another number of rows changes nothing.
  @Test(
    arguments: TestScope.some(2, of: [nil, "return=minimal", "return=headers-only", "return=representation"]),
    [0, 1, 2])
  func singleObjectWriteRequiresOneRow(_ prefer: String?, _ count: Int) async throws {
    try await TestBackend.run { backend in
      let ids = try await Self.publish(backend, 2)
      let chosen = ids.prefix(count).map(\.uuidString).joined(separator: ",")
      let filter = "id=in.(\(chosen))"
      func check(_ reply: HTTPReply, _ status: Int, _ what: String) {
        #expect(reply.status == (count == 1 ? status : 406), "\(what)")
        if count != 1 { #expect(reply.text.contains("PGRST116") && reply.text.contains("contains \(count) rows")) }
      }
      let isReturned = prefer == "return=representation"
      let likes = "[\(ids.prefix(count).map(Self.like).joined(separator: ","))]"
      check(
        try await Self.send(backend, "POST", "likes", likes, prefer: prefer, accept: Self.single), 201, "insert")
      #expect(try await Self.count(backend, "likes") == (count == 1 ? 1 : 0))
      let upsert = ["resolution=ignore-duplicates", prefer].compactMap(\.self).joined(separator: ",")
      let again = try await Self.send(
        backend, "POST", "likes?on_conflict=user_id,highlight_id", likes, prefer: upsert, accept: Self.single)
      // The existing row is not written again.
      #expect(again.status == 406)
      check(
        try await Self.send(
          backend, "PATCH", "highlights?\(filter)", #"{"caption":"new"}"#, prefer: prefer, accept: Self.single),
        isReturned ? 200 : 204, "update")
      let changed = try await backend.highlights().filter { $0.caption == "new" }
      #expect(changed.count == (count == 1 ? 1 : 0))
      check(
        try await Self.send(backend, "DELETE", "highlights?\(filter)", prefer: prefer, accept: Self.single),
        isReturned ? 200 : 204, "delete")
      #expect(try await Self.count(backend, "highlights") == (count == 1 ? 1 : 2))
    }
  }

  @Test(arguments: [("limit=1", 200), ("limit=2", 406), ("limit=0", 406)])
  func functionReturnsASingleObject(_ query: String, _ status: Int) async throws {
    try await TestBackend.run { backend in
      _ = try await Self.publish(backend, 2)
      for (method, path, body) in [("POST", "rpc/feed?\(query)", "{}" as String?), ("GET", "rpc/feed?\(query)", nil)] {
        let reply = try await Self.send(backend, method, path, body, accept: Self.single)
        #expect(reply.status == status)
        #expect(reply.text.hasPrefix("{"))
      }
    }
  }

  // MARK: PUT

  @Test func putWritesTheRowInTheURL() async throws {
    try await TestBackend.run { backend in
      let secret = try await ServerKeys.open(backend.folder + "/keys.json").secretKey
      let path = "/rest/v1/rate_limits?name=eq.a"
      func put(_ path: String, _ body: String, _ prefer: String = "return=representation") async throws -> HTTPReply {
        try await backend.send("PUT", path, headers: ["apikey": secret, "Prefer": prefer], body: Array(body.utf8))
      }
      let row = #"{"name":"a","max_count":1,"window_seconds":2}"#
      #expect(try await put(path, row).status == 201)
      let changed = try await put(path, row.replacing("1", with: "7"))
      #expect(changed.status == 200 && changed.text.contains(#""max_count":7"#))
      #expect(try await put(path, row, "return=minimal").status == 204)
      for (wrong, body, code) in [
        ("/rest/v1/rate_limits", row, "PGRST105"), ("/rest/v1/rate_limits?name=gt.a", row, "PGRST105"),
        (path + "&max_count=eq.1", row, "PGRST105"), (path + "&limit=1", row, "PGRST114"),
        ("/rest/v1/rate_limits?name=eq.b", row, "PGRST115"), (path, "[\(row),\(row)]", "PGRST115"),
      ] {
        let reply = try await put(wrong, body)
        #expect(reply.text.contains(code), "\(wrong) \(reply.text)")
      }
      // Other callers are refused.
      let denied = try await backend.send("PUT", path, body: Array(row.utf8))
      #expect(denied.status == 403 && denied.text.contains("42501"))
    }
  }

  // MARK: Headers

  @Test func insertReturnsTheLocation() async throws {
    try await TestBackend.run { backend in
      let ids = try await Self.publish(backend)
      let one = try await Self.send(backend, "POST", "likes", Self.like(ids[0]), prefer: "return=headers-only")
      #expect(one.status == 201 && one.body.isEmpty)
      let location = try #require(one.headers["location"])
      #expect(location.hasPrefix("/likes?id=eq."))
      let found = try await backend.send("GET", "/rest/v1" + location)
      #expect(found.text.contains(ids[0].uuidString.lowercased()))
      // Several rows have no location, and it must be requested.
      let likes = "[\(ids[1...].map(Self.like).joined(separator: ","))]"
      let several = try await Self.send(backend, "POST", "likes", likes, prefer: "return=headers-only")
      #expect(several.status == 201 && several.headers["location"] == nil)
      let filter = "likes?highlight_id=eq.\(ids[0])"
      #expect(try await Self.send(backend, "DELETE", filter, prefer: "return=headers-only").headers["location"] == nil)
      let minimal = try await Self.send(backend, "POST", "likes", Self.like(ids[0]), prefer: "return=minimal")
      #expect(minimal.status == 201 && minimal.headers["location"] == nil)
    }
  }

  @Test(arguments: ["", ",count=exact"], ["minimal", "representation"])
  func updateReportsTheRowCount(_ counting: String, _ answer: String) async throws {
    try await TestBackend.run { backend in
      let ids = try await Self.publish(backend)
      let prefer = "return=\(answer)\(counting)"
      func update(_ filter: String, _ body: String = #"{"caption":"x"}"#) async throws -> HTTPReply {
        try await Self.send(backend, "PATCH", "highlights?\(filter)", body, prefer: prefer)
      }
      let isExact = !counting.isEmpty
      #expect(try await update("duration=gt.0").headers["content-range"] == (isExact ? "0-2/3" : "0-2/*"))
      #expect(try await update("id=eq.\(ids[0])").headers["content-range"] == (isExact ? "0-0/1" : "0-0/*"))
      #expect(try await update("id=eq.\(UUID())").headers["content-range"] == (isExact ? "*/0" : "*/*"))
      for body in ["{}", "[]", "[{}]"] {
        // A filter is not required, because nothing changes.
        for filter in ["id=eq.\(ids[0])", ""] {
          let nothing = try await update(filter, body)
          #expect(nothing.status == (answer == "representation" ? 200 : 204), "\(body) \(nothing.text)")
          #expect(nothing.text == (answer == "representation" ? "[]" : ""))
          #expect(nothing.headers["content-range"] == (isExact ? "*/0" : "*/*"))
        }
      }
      let removed = try await Self.send(backend, "DELETE", "highlights?id=eq.\(ids[0])", prefer: prefer)
      #expect(removed.headers["content-range"] == (isExact ? "*/1" : "*/*"))
    }
  }

  @Test func pagesOutsideTheResult() async throws {
    try await TestBackend.run { backend in
      _ = try await Self.publish(backend)
      for (query, range, status, contentRange, text) in [
        ("offset=9", "", 416, "*/3", "only 3 rows"), ("offset=3", "", 206, "*/3", "[]"),
        ("limit=-1", "", 416, nil, "greater than or equal to zero"), ("offset=-4", "", 200, "0-2/3", "duration"),
        ("offset=-4&limit=1", "", 206, "0-0/3", "duration"), ("limit=-0", "", 206, "*/3", "[]"),
        ("", "9-10", 416, "*/3", "only 3 rows"), ("", "2-1", 416, nil, "lower boundary"),
      ] as [(String, String, Int, String?, String)] {
        var headers = ["Prefer": "count=exact"]
        if !range.isEmpty { headers["Range"] = range }
        let reply = try await backend.send("GET", "/rest/v1/highlights?select=duration&\(query)", headers: headers)
        #expect(reply.status == status && reply.headers["content-range"] == contentRange, "\(query) \(range)")
        #expect(reply.text.contains(text) && reply.text.contains("PGRST103") == (status == 416), "\(reply.text)")
      }
    }
  }

  // MARK: Counts and relationships

  @Test func countsRows() async throws {
    try await TestBackend.run { backend in
      let ids = try await Self.publish(backend, 1)
      #expect(try await Self.send(backend, "POST", "likes", Self.like(ids[0])).status == 201)
      let ann = try await AuthRoutesTests.signUp(backend, "ann@example.com")
      let headers = AuthRoutesTests.bearer(ann.accessToken)
      let other = Self.like(ids[0]).replacing(Caller.localUserID, with: ann.user.id)
      #expect(try await backend.send("POST", "/rest/v1/likes", headers: headers, body: Array(other.utf8)).status == 201)
      for (path, expected) in [
        ("highlights?select=likes(count)", #"[{"likes":[{"count":2}]}]"#),
        ("highlights?select=n:likes(all:count),comments(count)", #"[{"n":[{"all":2}],"comments":[{"count":0}]}]"#),
        ("highlights?select=duration,likes!inner(count)", #"[{"duration":12,"likes":[{"count":2}]}]"#),
        ("likes?select=highlights(count)&limit=1", #"[{"highlights":{"count":1}}]"#),
        ("likes?select=count", #"[{"count":2}]"#), ("comments?select=count", #"[{"count":0}]"#),
      ] {
        #expect(try await backend.send("GET", "/rest/v1/\(path)", headers: headers).text == expected, "\(path)")
      }
    }
  }

  /// A count can't be combined with other columns, or with written rows.
  @Test func refusesUnsupportedCounts() async throws {
    try await TestBackend.run { backend in
      let ids = try await Self.publish(backend, 1)
      let mixed = try await Self.send(backend, "GET", "highlights?select=likes(count,id)")
      #expect(mixed.status == 400 && mixed.text.contains("42703"))
      let written = try await Self.send(
        backend, "POST", "likes?select=count", Self.like(ids[0]), prefer: "return=representation")
      #expect(written.status == 400 && written.text.contains("PGRST100"))
      #expect(try await Self.count(backend, "likes") == 0)
    }
  }

  @Test func ambiguousRelationshipListsItsCandidates() async throws {
    struct Refusal: Decodable {
      var code: String
      var hint: String
      var details: [[String: String]]
    }
    try await TestBackend.run { backend in
      let outward = try await Self.send(backend, "GET", "follows?select=profiles(id)")
      let refusal = try outward.json(Refusal.self)
      #expect(outward.status == 300 && refusal.code == "PGRST201")
      #expect(
        refusal.details
          == ["follower_id", "following_id"].map {
            [
              "cardinality": "many-to-one", "embedding": "follows with profiles",
              "relationship": "follows_\($0)_fkey using follows(\($0)) and profiles(id)",
            ]
          })
      #expect(refusal.hint.contains("'profiles!follows_follower_id_fkey', 'profiles!follows_following_id_fkey'"))
      let inward = try await Self.send(backend, "GET", "profiles?select=follows(id)").json(Refusal.self)
      #expect(inward.details.map { $0["cardinality"] } == ["one-to-many", "one-to-many"])
      #expect(
        inward.details[0]["relationship"] == "follows_follower_id_fkey using profiles(id) and follows(follower_id)")
    }
  }

  // MARK: Paths and methods

  @Test func unknownPathsReturnJSON() async throws {
    try await TestBackend.run { backend in
      for (method, path, status, key, value) in [
        ("GET", "/rest/v1/", 404, "code", "PGRST126"), ("OPTIONS", "/rest/v1/highlights", 405, "code", "PGRST117"),
        ("GET", "/rest/v1/a/b", 404, "code", "PGRST125"), ("PATCH", "/rest/v1/rpc/feed", 405, "code", "PGRST101"),
        ("GET", "/auth/v1/nothing", 404, "error_code", "not_found"),
        ("PUT", "/auth/v1/token", 404, "error_code", "not_found"),
        ("GET", "/storage/v1/bucket", 404, "statusCode", "404"),
        ("POST", "/storage/v1/object/videos/a.mp4", 404, "error", "Not Found"),
        ("POST", "/functions/v1/nothing", 404, "code", "NOT_FOUND"),
        ("GET", "/functions/v1/nothing/at/all", 404, "code", "NOT_FOUND"),
        ("DELETE", "/functions/v1/uploads", 404, "error", nil),
        ("PUT", "/functions/v1/uploads/a/b/c", 404, "error", nil),
        ("POST", "/stream/a.mp4", 404, "error", nil), ("GET", "/upload/a", 404, "error", nil),
        ("GET", "/nothing", 404, "error", nil), ("PATCH", "/health", 404, "error", nil),
      ] as [(String, String, Int, String, String?)] {
        let reply = try await backend.send(method, path)
        #expect(reply.status == status, "\(method) \(path)")
        #expect(reply.headers["content-type"] == "application/json; charset=utf-8", "\(method) \(path)")
        let answer = try Object(reply)
        #expect(
          value == nil ? answer.object(key).text("type") == "not_found" : answer.text(key) == value, "\(method) \(path)"
        )
      }
    }
  }

  @Test func browsersGetAPage() async throws {
    try await TestBackend.run { backend in
      let page = try await backend.send("GET", "/nothing", headers: ["Accept": "text/html"])
      #expect(page.status == 404 && page.headers["content-type"]?.hasPrefix("text/html") == true)
    }
  }
}
