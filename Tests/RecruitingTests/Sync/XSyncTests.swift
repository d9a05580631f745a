import Foundation
import Recruiting
import Testing

@Suite struct XSyncTests {
  private static let now = Samples.date("2026-03-10T16:00:00Z")

  private static func handles(_ names: [String], since: String? = nil) throws -> [SyncStart] {
    try names.map { SyncStart(try SocialHandle($0, on: .twitter), sinceId: since) }
  }

  /// Sends the requests to a function, and returns them with the final state.
  private static func run(
    _ handles: [SyncStart], _ answer: (SyncRequest) -> SyncResponse?
  ) -> (requests: [SyncRequest], sync: XSync) {
    var sync = XSync(handles)
    var requests: [SyncRequest] = []
    while requests.count < 200, let request = sync.nextRequest() {
      requests.append(request)
      sync.receive(answer(request), now: now)
    }
    return (requests, sync)
  }

  static func json(_ text: String, status: Int = 200, headers: [String: String] = [:]) -> SyncResponse {
    SyncResponse(status: status, headers: headers, body: Data(text.utf8))
  }

  private static let users = """
    {"data": [{"id": "1", "username": "Ann", "name": "Ann Lee", "protected": false},
      {"id": "2", "username": "bob", "name": "Bob", "protected": true}, {"id": "../3", "username": "eve"}, 5],
      "errors": [{"value": "cat", "title": "Not Found Error"}]}
    """

  private static func page(_ ids: [Int], next: String? = nil, oldest: Int? = nil, headers: [String: String] = [:])
    -> SyncResponse
  {
    let posts = ids.map {
      #"{"id": "\#($0)", "text": "post \#($0)", "created_at": "2026-03-10T10:00:00.000Z", "lang": "en"}"#
    }
    let meta =
      #"{\#(ids.first.map { #""newest_id": "\#($0)", "# } ?? "")"result_count": \#(ids.count)"#
      + (oldest.map { #", "oldest_id": "\#($0)""# } ?? "") + (next.map { #", "next_token": "\#($0)""# } ?? "") + "}"
    return json(#"{"data": [\#(posts.joined(separator: ","))], "meta": \#(meta)}"#, headers: headers)
  }

  /// The database stores the ID, and can't store NUL.
  @Test(arguments: ["0", "-1", "1 ", "x", String(repeating: "9", count: 20)])
  func unusableNewestIDIsAnInvalidResponse(id: String) throws {
    let (_, sync) = Self.run(try Self.handles(["ann"], since: "5")) { request in
      request.path == "/2/users/by"
        ? Self.json(Self.users) : Self.json(#"{"meta": {"newest_id": "\#(id)", "result_count": 0}}"#)
    }
    #expect(sync.results.map(\.problem) == [.invalidResponse] && sync.results[0].sinceId == "5")
  }

  @Test func nulCharactersAreReplaced() throws {
    let (_, sync) = Self.run(try Self.handles(["ann"])) { request in
      request.path == "/2/users/by"
        ? Self.json(#"{"data": [{"id": "1", "username": "ann", "name": "A\u0000"}]}"#)
        : Self.json(
          #"{"data": [{"id": "7", "text": "a\u0000b", "created_at": "2026-03-10T10:00:00.000Z"}], "meta": {"result_count": 1}}"#
        )
    }
    let row = IngestRow(try #require(sync.results.first?.posts.first))
    #expect(row.postContent == "a\u{FFFD}b" && row.authorName == "A\u{FFFD}")
  }

  @Test func accountsAreLookedUpAndPagesFollowed() throws {
    let (requests, sync) = Self.run(try Self.handles(["ann", "Bob", "cat", "eve"], since: "5")) { request in
      switch (request.path, request.query["pagination_token"]) {
      case ("/2/users/by", _): Self.json(Self.users)
      case (_, nil): Self.page([30, 29], next: "b")
      case (_, "b"): Self.page([28], next: "c")
      default: Self.page([])
      }
    }
    #expect(requests.map(\.path) == ["/2/users/by", "/2/users/1/tweets", "/2/users/1/tweets", "/2/users/1/tweets"])
    #expect(requests[0].query["usernames"] == "ann,bob,cat,eve")
    #expect(requests[1].query["since_id"] == "5" && requests[1].query["exclude"] == "retweets,replies")
    #expect(sync.results.map(\.problem) == [nil, .protectedAccount, .unknownAccount, .unknownAccount])
    let ann = sync.results[0]
    #expect(ann.posts.map(\.address.text) == [30, 29, 28].map { "https://twitter.com/ann/status/\($0)" })
    #expect(ann.posts.first?.authorName == "Ann Lee" && ann.sinceId == "30" && ann.externalId == "1")
    #expect(sync.results[1...].allSatisfy { $0.sinceId == "5" })
  }

  @Test func longPostsAndBrokenOnes() throws {
    let (_, sync) = Self.run(try Self.handles(["ann"])) { request in
      request.path == "/2/users/by"
        ? Self.json(Self.users)
        : Self.json(
          """
          {"data": [{"id": "9", "text": "short…", "note_tweet": {"text": "long <b>text</b>"}, "created_at": "2026-03-10T10:00:00.000Z"},
            {"id": "8", "text": "no time"}, {"id": "x", "text": "a", "created_at": "2026-03-10T10:00:00Z"}, null,
            {"id": "7", "text": "a", "created_at": "soon"}], "meta": {"newest_id": "9"}}
          """)
    }
    #expect(sync.results[0].posts.map(\.content) == ["long <b>text</b>"])
    #expect(sync.results[0].posts.map(\.language) == [nil])
    #expect(sync.results[0].problem == nil && sync.results[0].sinceId == "9" && sync.results[0].skippedCount == 4)
  }

  @Test func oneHundredAccountsAreLookedUpAtOnce() throws {
    let names = (0..<250).map { "user\($0)" }
    let (requests, sync) = Self.run(try Self.handles(names)) { _ in Self.json("{}") }
    #expect(requests.map { $0.query["usernames"]?.split(separator: ",").count } == [100, 100, 50])
    #expect(sync.results.allSatisfy { $0.problem == .unknownAccount })
  }

  @Test(
    arguments: [
      (nil, SyncProblem.unavailable, false), (500, .unavailable, false), (503, .unavailable, false),
      (400, .invalidResponse, false),
      (404, .unknownAccount, false), (401, .unauthorized, true), (403, .unauthorized, true), (429, .rateLimited, true),
    ] as [(Int?, SyncProblem, Bool)]) func aFailureInAPage(status: Int?, problem: SyncProblem, endsSync: Bool) throws
  {
    let users = #"{"data": [{"id": "1", "username": "ann"}, {"id": "2", "username": "bob"}]}"#
    let (_, sync) = Self.run(try Self.handles(["ann", "bob"], since: "5")) { request in
      switch (request.path, request.query["pagination_token"]) {
      case ("/2/users/by", _): Self.json(users)
      case ("/2/users/1/tweets", nil): Self.page([30], next: "b")
      case ("/2/users/1/tweets", _): status.map { SyncResponse(status: $0) }
      default: Self.page([40])
      }
    }
    // What was read is kept, and the next sync reads it again.
    #expect(sync.results[0].posts.count == 1 && sync.results[0].sinceId == "5" && sync.results[0].problem == problem)
    #expect(sync.results[1].problem == (endsSync ? problem : nil))
    #expect(sync.results[1].sinceId == (endsSync ? "5" : "40"))
  }

  private static let twoAccounts = #"{"data": [{"id": "1", "username": "ann"}, {"id": "2", "username": "bob"}]}"#

  /// The next sync continues after the oldest post that was read, and then knows the newest one.
  @Test func aLimitKeepsThePositionInsidePages() throws {
    let (_, stopped) = Self.run(try Self.handles(["ann", "bob"], since: "5")) { request in
      switch (request.path, request.query["pagination_token"]) {
      case ("/2/users/by", _): Self.json(Self.twoAccounts)
      case ("/2/users/1/tweets", nil): Self.page([30, 29], next: "b", oldest: 29)
      default: SyncResponse(status: 429)
      }
    }
    #expect(stopped.results.map(\.problem) == [.rateLimited, .rateLimited])
    #expect(stopped.results.map(\.wasRead) == [true, false])
    #expect(stopped.results.map(\.pagePosition) == ["29", nil] && stopped.results.map(\.newestId) == ["30", nil])
    let (requests, sync) = Self.run(stopped.results.map(Self.next)) { request in
      switch request.path {
      case "/2/users/by": Self.json(Self.twoAccounts)
      case "/2/users/1/tweets": Self.page([28])
      default: Self.page([40])
      }
    }
    #expect(requests.map { $0.query["until_id"] } == [nil, "29", nil])
    #expect(requests.map { $0.query["since_id"] } == [nil, "5", "5"])
    #expect(sync.results.map(\.sinceId) == ["30", "40"] && sync.results[0].posts.count == 1)
    #expect(sync.results.allSatisfy { $0.pagePosition == nil && $0.newestId == nil && $0.wasRead })
  }

  private static func next(_ result: HandleResult) -> SyncStart {
    SyncStart(
      result.handle, sinceId: result.sinceId, pagePosition: result.pagePosition, newestId: result.newestId)
  }

  /// X leaves reposts and replies out of a page after it has selected its posts.
  @Test(arguments: [("b", "token:b" as String?), (String(repeating: "b", count: 495), nil), ("b\u{E9}", nil)])
  func aPageWithoutPostsHasAPosition(token: String, position: String?) throws {
    let (_, stopped) = Self.run(try Self.handles(["ann"], since: "5")) { request in
      request.path == "/2/users/by"
        ? Self.json(Self.twoAccounts) : Self.page([], next: token, headers: ["x-rate-limit-remaining": "0"])
    }
    #expect(stopped.results.map(\.pagePosition) == [position] && stopped.results.map(\.problem) == [.rateLimited])
    let (requests, sync) = Self.run(stopped.results.map(Self.next)) { request in
      request.path == "/2/users/by" ? Self.json(Self.twoAccounts) : Self.page([28])
    }
    #expect(requests.map { $0.query["pagination_token"] } == [nil, position == nil ? nil : token])
    #expect(requests.allSatisfy { $0.query["until_id"] == nil } && requests[1].query["since_id"] == "5")
    #expect(sync.results[0].sinceId == "28" && sync.results[0].pagePosition == nil)
  }

  /// Otherwise a position that the platform rejects would stop all further syncs of the handle.
  @Test(arguments: [(400, nil as String?), (404, nil), (500, "29"), (401, "29")])
  func onlyARejectedPositionIsForgotten(status: Int, position: String?) throws {
    let start = SyncStart(try SocialHandle("ann", on: .twitter), sinceId: "5", pagePosition: "29", newestId: "30")
    let (_, sync) = Self.run([start]) { request in
      request.path == "/2/users/by" ? Self.json(Self.twoAccounts) : SyncResponse(status: status)
    }
    #expect(sync.results[0].pagePosition == position && sync.results[0].sinceId == "5")
    #expect((sync.results[0].newestId == nil) == (position == nil))
  }

  /// X gives an edited post a new ID. The first one identifies it.
  @Test func anEditedPostIsTheSamePost() throws {
    let (_, sync) = Self.run(try Self.handles(["ann"])) { request in
      request.path == "/2/users/by"
        ? Self.json(Self.twoAccounts)
        : Self.json(
          #"""
          {"data": [
            {"id": "9", "text": "edited", "created_at": "2026-03-10T10:00:00.000Z", "edit_history_tweet_ids": ["7", "9"]},
            {"id": "8", "text": "new", "created_at": "2026-03-10T10:00:00.000Z", "edit_history_tweet_ids": ["8"]},
            {"id": "6", "text": "wrong", "created_at": "2026-03-10T10:00:00.000Z", "edit_history_tweet_ids": 6}],
           "meta": {"newest_id": "9"}}
          """#)
    }
    #expect(sync.results[0].posts.map(\.address.key) == ["twitter.com/7", "twitter.com/8"])
    #expect(sync.results[0].posts.map(\.content) == ["edited", "new"] && sync.results[0].skippedCount == 1)
    #expect(sync.results[0].sinceId == "9")
  }

  /// X has a separate limit for each kind of request.
  @Test func theSyncEndsBeforeTheLimit() throws {
    let last = ["X-Rate-Limit-Remaining": "0", "x-rate-limit-reset": "1773158700"]
    let (requests, sync) = Self.run(try Self.handles(["ann", "bob"])) { request in
      request.path == "/2/users/by"
        ? Self.json(Self.twoAccounts, headers: last) : Self.page([30, 29], next: "b", oldest: 29, headers: last)
    }
    #expect(requests.map(\.path) == ["/2/users/by", "/2/users/1/tweets"] && sync.retryAt == Self.now + 300)
    #expect(sync.results.map(\.problem) == [.rateLimited, .rateLimited])
    #expect(sync.results.map(\.pagePosition) == ["29", nil] && sync.results[0].posts.count == 2)
    // Nothing is left to read.
    let (all, finished) = Self.run(try Self.handles(["ann"])) { request in
      request.path == "/2/users/by" ? Self.json(Self.twoAccounts) : Self.page([30], headers: last)
    }
    #expect(all.count == 2 && finished.results[0].problem == nil && finished.retryAt == nil)
    let (others, second) = Self.run(try Self.handles(["ann"])) { request in
      request.path == "/2/users/by"
        ? Self.json(Self.twoAccounts) : Self.page([30], headers: ["x-rate-limit-remaining": "none"])
    }
    #expect(others.count == 2 && second.results[0].problem == nil)
  }

  /// The accounts of the first request are read.
  @Test func aLimitForLookupsKeepsTheFoundAccounts() throws {
    let names = (0..<150).map { "user\($0)" }
    let (requests, sync) = Self.run(try Self.handles(names)) { request in
      request.path == "/2/users/by"
        ? Self.json(
          #"{"data": [{"id": "1", "username": "user0"}]}"#, headers: ["x-rate-limit-remaining": "0"])
        : Self.page([30])
    }
    #expect(requests.map(\.path) == ["/2/users/by", "/2/users/1/tweets"])
    #expect(sync.results[0].problem == nil && sync.results[1].problem == .unknownAccount)
    #expect(sync.results[100...].allSatisfy { $0.problem == .rateLimited && !$0.wasRead })
    #expect(sync.retryAt == Self.now + 900)
  }

  @Test func deletedPostsAreFound() throws {
    let posts = try (1...101).map { try PostAddress("https://x.com/ann/status/\($0)") }
    let lookup = XPostLookup(posts)
    #expect(lookup.request?.path == "/2/tweets" && XPostLookup([]).request == nil)
    #expect(lookup.request?.query["ids"]?.split(separator: ",").count == 100)
    // X rejects a request with such IDs.
    let unusable = try ["0", "007", String(repeating: "9", count: 20)].map {
      try PostAddress("https://x.com/ann/status/\($0)")
    }
    #expect(XPostLookup(unusable).request == nil)
    let body = #"""
      {"data": [{"id": "1", "text": "a"}], "errors": [
        {"resource_id": "2", "type": "https://api.twitter.com/2/problems/resource-not-found"},
        {"resource_id": "3", "type": "https://api.twitter.com/2/problems/not-authorized-for-resource"},
        {"resource_id": "999", "type": "https://api.twitter.com/2/problems/resource-not-found"},
        {"resource_id": 4, "type": "https://api.twitter.com/2/problems/resource-not-found"},
        {"value": "5", "type": "https://api.twitter.com/2/problems/resource-not-found"}, "x"]}
      """#
    #expect(Set(lookup.deletedPosts(Self.json(body)).map(\.id)) == ["2", "5"])
    for response in [nil, Self.json(body, status: 429), Self.json("<html>"), Self.json(#"{"errors": 5}"#)] {
      #expect(lookup.deletedPosts(response).isEmpty)
    }
  }

  /// X reports the posts of a deactivated account as missing, too.
  @Test func onlyPostsOfFoundAccountsAreLookedUp() throws {
    let (_, sync) = Self.run(try Self.handles(["Ann", "bob", "cat"])) { request in
      request.path == "/2/users/by" ? Self.json(Self.users) : Self.page([30])
    }
    let authors = [("ANN", 7), ("ann", 30), ("bob", 8), ("cat", 9), ("dan", 10)]
    let posts = authors.map { name, number in
      SocialPost(
        id: "\(number)", platform: .twitter, postUrl: "https://twitter.com/\(name.lowercased())/status/\(number)",
        postContent: "", postDate: Self.now, authorHandle: name, authorName: name)
    }
    let candidates = XPostLookup.candidates(posts, after: sync.results)
    #expect(candidates.map { $0.id } == ["7"] && candidates.first?.address.key == "twitter.com/7")
  }

  @Test(arguments: [
    (nil as String?, false), ("2026-03-10T00:00:00Z", false), ("2026-03-09T23:59:59.9Z", true),
    ("2027-01-01T00:00:00Z", false),
  ])
  func postsAreLookedUpOnceADay(last: String?, isDue: Bool) throws {
    let time = last.map { "\"\($0)\"" } ?? "null"
    let rows = #"""
      [{"platform": "twitter", "handle": "ann", "last_synced_at": \#(time)}, {"platform": "twitter", "handle": "bob"},
        {"platform": "instagram", "handle": "ann", "last_synced_at": "2026-03-01T00:00:00Z"}]
      """#
    let handles = try RowList<SyncHandle>.decode(Data(rows.utf8)).rows
    #expect(handles.count == 3 && XPostLookup.isDue(handles, now: Self.now) == isDue)
  }

  private static let limits: [(headers: [String: String], seconds: Double)] = [
    ([:], 900), (["x-rate-limit-reset": "1773158700"], 300), (["Retry-After": "60"], 60),
    (["X-Rate-Limit-Reset": "1773158700", "retry-after": "60"], 300), (["x-rate-limit-reset": "5"], 900),
    (["x-rate-limit-reset": "soon"], 900), (["retry-after": "inf"], 900), (["retry-after": "nan"], 900),
    // No header keeps the sync from asking again the next day.
    (["retry-after": "1e300"], 86_400), (["x-rate-limit-reset": "9e99"], 86_400), (["retry-after": "-5"], 1),
  ]

  @Test(arguments: limits) func aLimitHasAnEnd(headers: [String: String], seconds: Double) throws {
    let (requests, sync) = Self.run(try Self.handles(["ann", "bob"])) { _ in SyncResponse(status: 429, headers: headers)
    }
    #expect(requests.count == 1)
    #expect(sync.retryAt == Self.now + seconds)
    #expect(sync.results.map(\.problem) == [.rateLimited, .rateLimited])
  }

  @Test(arguments: ["", "<html>", "[]", #"{"data": 5}"#, #"{"data": []}"#]) func otherContentIsAProblemOfTheHandle(
    body: String
  ) throws {
    let (_, sync) = Self.run(try Self.handles(["ann"])) {
      $0.path == "/2/users/by" ? Self.json(Self.users) : Self.json(body)
    }
    #expect(sync.results[0].problem == .invalidResponse)
  }

  @Test func anAccountThatBecameProtected() throws {
    let (_, sync) = Self.run(try Self.handles(["ann"])) {
      $0.path == "/2/users/by" ? Self.json(Self.users) : Self.json(#"{"errors": [{"title": "Authorization Error"}]}"#)
    }
    #expect(sync.results[0].problem == .protectedAccount)
  }

  @Test func pagesEnd() throws {
    let (same, first) = Self.run(try Self.handles(["ann"])) {
      $0.path == "/2/users/by" ? Self.json(Self.users) : Self.page([1], next: "x")
    }
    #expect(same.count == 3 && first.results[0].problem == .invalidResponse)
    var number = 0
    let (many, second) = Self.run(try Self.handles(["ann"])) { request in
      number += 1
      return request.path == "/2/users/by" ? Self.json(Self.users) : Self.page([5000 - number], next: "\(number)")
    }
    #expect(many.count == 33 && second.results[0].problem == nil && second.results[0].posts.count == 32)
    #expect(second.results[0].sinceId == "4998")
  }

  @Test func postsAreClassifiedForTheDatabase() throws {
    let post = SyncedPost.sample("We made an offer, great day", language: "en")
    let row = IngestRow(post)
    #expect(row.isRecruitingRelated && row.sentiment == .veryPositive)
    let json = try #require(try JSONSerialization.jsonObject(with: JSONEncoder().encode(row)) as? [String: Any])
    #expect(json["post_url"] as? String == "https://twitter.com/ann/status/1")
    #expect(json["author_handle"] as? String == "ann")
    #expect((json["post_date"] as? String).flatMap(RecruitingDate.parse) == post.date)
    #expect(IngestRow(SyncedPost.sample("Un gran día", language: "es")).sentiment == nil)
  }
}

extension SyncedPost {
  /// A post as a sync reads it.
  static func sample(_ content: String, language: String?) -> SyncedPost {
    var sync = XSync([try? SocialHandle("ann", on: .twitter)].compactMap(\.self).map { SyncStart($0) })
    _ = sync.nextRequest()
    sync.receive(XSyncTests.json(#"{"data": [{"id": "1", "username": "ann"}]}"#), now: .distantPast)
    _ = sync.nextRequest()
    sync.receive(
      XSyncTests.json(
        #"{"data": [{"id": "1", "text": "\#(content)", "created_at": "2026-03-10T10:00:00.000Z", "lang": "\#(language ?? "und")"}], "meta": {}}"#
      ),
      now: .distantPast)
    guard let post = sync.results.first?.posts.first else { preconditionFailure("the sample is not read") }
    return post
  }
}
