import Foundation
import Recruiting
import Testing

@Suite struct InstagramSyncTests {
  private static let now = Samples.date("2026-03-10T16:00:00Z")

  private static func run(
    _ names: [String], since: String? = nil, _ answer: (SyncRequest) -> SyncResponse?
  ) throws -> (requests: [SyncRequest], sync: InstagramSync) {
    var sync = InstagramSync(
      try names.map { SyncStart(try SocialHandle($0, on: .instagram), sinceId: since) }, ownId: "77")
    var requests: [SyncRequest] = []
    while requests.count < 200, let request = sync.nextRequest() {
      requests.append(request)
      sync.receive(answer(request), now: now)
    }
    return (requests, sync)
  }

  private static func page(_ days: [Int], after: String? = nil, headers: [String: String] = [:]) -> SyncResponse {
    let posts = days.map {
      #"{"caption": "post \#($0)", "permalink": "https://www.instagram.com/p/A\#($0)/", "timestamp": "2026-03-\#($0 < 10 ? "0" : "")\#($0)T10:00:00+0000"}"#
    }
    let paging = after.map { #", "paging": {"cursors": {"after": "\#($0)"}}"# } ?? ""
    return XSyncTests.json(
      #"{"business_discovery": {"id": "5", "name": "Ann Lee", "media": {"data": [\#(posts.joined(separator: ","))]\#(paging)}}, "id": "77"}"#,
      headers: headers)
  }

  private static func failure(_ code: Int, status: Int = 400) -> SyncResponse {
    XSyncTests.json(#"{"error": {"message": "x", "code": \#(code), "error_subcode": 2207013}}"#, status: status)
  }

  @Test func pagesAreReadUntilAKnownPost() throws {
    let (requests, sync) = try Self.run(["ann.lee"], since: "2026-03-07T10:00:00Z") { request in
      request.query["fields"]?.contains("after(abc)") == true
        ? Self.page([8, 7], after: "def") : Self.page([10], after: "abc")
    }
    #expect(requests.map(\.path) == ["/77", "/77"])
    #expect(
      requests[0].query["fields"]
        == "business_discovery.username(ann.lee){id,name,media.limit(25){caption,permalink,timestamp}}")
    let result = sync.results[0]
    #expect(result.posts.map(\.address.text) == ["https://instagram.com/p/A10", "https://instagram.com/p/A8"])
    // The caption of a known post can have changed.
    #expect(result.readPosts.map(\.address.text) == [10, 8, 7].map { "https://instagram.com/p/A\($0)" })
    #expect(result.sinceId.flatMap(RecruitingDate.parse) == Samples.date("2026-03-10T10:00:00Z"))
    #expect(result.externalId == "5" && result.posts.first?.authorName == "Ann Lee" && result.problem == nil)
  }

  /// The next sync continues at the next page, and then knows the newest post.
  @Test func aLimitKeepsThePositionInsidePages() throws {
    let (_, stopped) = try Self.run(["ann", "bob"], since: "2026-03-01T10:00:00Z") { request in
      request.query["fields"]?.contains("after(") == true ? Self.failure(4) : Self.page([10, 9], after: "abc")
    }
    let ann = stopped.results[0]
    #expect(ann.problem == .rateLimited && ann.wasRead && ann.pagePosition == "abc" && !stopped.results[1].wasRead)
    #expect(ann.newestId.flatMap(RecruitingDate.parse) == Samples.date("2026-03-10T10:00:00Z"))
    let start = SyncStart(
      ann.handle, sinceId: ann.sinceId, pagePosition: ann.pagePosition, newestId: ann.newestId)
    var sync = InstagramSync([start], ownId: "77")
    let request = sync.nextRequest()
    #expect(request?.query["fields"]?.contains("media.after(abc).limit(25)") == true)
    sync.receive(Self.page([8]), now: Self.now)
    let next = sync.nextRequest()
    #expect(next == nil)
    #expect(sync.results[0].sinceId.flatMap(RecruitingDate.parse) == Samples.date("2026-03-10T10:00:00Z"))
    #expect(sync.results[0].pagePosition == nil && sync.results[0].newestId == nil)
  }

  /// Cursors expire, and the database could contain any text.
  @Test func anExpiredCursorIsForgotten() throws {
    let handle = try SocialHandle("ann", on: .instagram)
    var sync = InstagramSync([SyncStart(handle, pagePosition: "abc", newestId: "x")], ownId: "77")
    _ = sync.nextRequest()
    sync.receive(Self.failure(100), now: Self.now)
    #expect(sync.results[0].problem == .notReadable && sync.results[0].pagePosition == nil)
    var other = InstagramSync([SyncStart(handle, pagePosition: "a){b}")], ownId: "77")
    let request = other.nextRequest()
    #expect(request?.query["fields"]?.contains("after") == false)
  }

  @Test func nothingNewKeepsTheTime() throws {
    let (_, sync) = try Self.run(["ann"], since: "2026-03-10T10:00:00Z") { _ in Self.page([10], after: "x") }
    #expect(sync.results[0].posts.isEmpty && sync.results[0].sinceId == "2026-03-10T10:00:00Z")
  }

  @Test func postsCanHaveNoText() throws {
    let body = """
      {"business_discovery": {"media": {"data": [{"permalink": "https://www.instagram.com/reel/R1/", "timestamp": "2026-03-10T10:00:00+0000"},
        {"caption": "x", "permalink": "https://evil.com/p/1", "timestamp": "2026-03-10T10:00:00+0000"}, 5]}}}
      """
    let (_, sync) = try Self.run(["ann"]) { _ in XSyncTests.json(body) }
    #expect(sync.results[0].posts.map(\.content) == [""] && sync.results[0].skippedCount == 2)
    #expect(sync.results[0].posts.map(\.authorName) == ["ann"])
  }

  @Test(arguments: [
    (failure(110), SyncProblem.notReadable, false), (failure(100), .notReadable, false),
    (failure(190, status: 401), .unauthorized, true),
    (failure(10, status: 403), .unauthorized, true), (failure(4), .rateLimited, true),
    (failure(613), .rateLimited, true),
    (SyncResponse(status: 429), .rateLimited, true), (failure(2, status: 500), .unavailable, false),
    (SyncResponse(status: 502), .unavailable, false),
    (XSyncTests.json("<html>", status: 400), .invalidResponse, false), (XSyncTests.json("{}"), .invalidResponse, false),
  ]) func aFailureIsAProblemOfTheHandle(response: SyncResponse, problem: SyncProblem, endsSync: Bool) throws {
    let (_, sync) = try Self.run(["ann", "bob"]) { request in
      request.query["fields"]?.contains("username(ann)") == true ? response : Self.page([10])
    }
    #expect(sync.results.map(\.problem) == [problem, endsSync ? problem : nil])
    #expect((sync.retryAt != nil) == (problem == .rateLimited))
  }

  @Test func noAnswerIsAProblem() throws {
    let (_, sync) = try Self.run(["ann"]) { _ in nil }
    #expect(sync.results[0].problem == .unavailable)
  }

  @Test(arguments: [("60", 60.0), ("0", 1), ("-1", 1), ("1e300", 86_400), ("inf", 3600), ("soon", 3600)])
  func theRequestedWaitIsBounded(header: String, seconds: Double) throws {
    let (_, sync) = try Self.run(["ann"]) { _ in SyncResponse(status: 429, headers: ["Retry-After": header]) }
    #expect(sync.retryAt == Self.now + seconds)
  }

  @Test func theSyncEndsBeforeTheLimit() throws {
    let usage = ["X-App-Usage": #"{"call_count": 96, "total_time": 5, "total_cputime": 1}"#]
    let (requests, sync) = try Self.run(["ann", "bob"]) { _ in Self.page([10], headers: usage) }
    #expect(requests.count == 1 && sync.retryAt == Self.now + 3600)
    #expect(sync.results.map(\.problem) == [nil, .rateLimited] && sync.results[0].posts.count == 1)
    let (all, _) = try Self.run(["ann", "bob"]) { _ in Self.page([10], headers: ["x-app-usage": #"{"call_count": 94}"#])
    }
    #expect(all.count == 2)
    // Nothing is left to read.
    let (_, finished) = try Self.run(["ann"]) { _ in Self.page([10], headers: usage) }
    #expect(finished.retryAt == nil && finished.results[0].problem == nil)
  }

  @Test(arguments: ["a){b}", "a,b", "a b", ""]) func cursorsDontChangeTheFields(cursor: String) throws {
    let (requests, sync) = try Self.run(["ann"]) { _ in Self.page([10], after: cursor) }
    #expect(requests.count == 1 && sync.results[0].problem == nil)
  }

  @Test func pagesEnd() throws {
    var number = 0
    let (requests, _) = try Self.run(["ann"]) { _ in
      number += 1
      return Self.page([10], after: "c\(number)")
    }
    #expect(requests.count == 20)
    let (same, _) = try Self.run(["ann"]) { _ in Self.page([10], after: "same") }
    #expect(same.count == 2)
  }
}
