import ClipModel
import Foundation
import RowRequests
import Synchronization
import Testing

@testable import Social

@Suite struct SocialAPITests {
  private static let (account, other, highlight) = (UUID(), UUID(), UUID())

  /// Answers each request with the next response, and records the requests.
  private final class Answers: RowTransport {
    let requests = Mutex<[RowRequest]>([])
    private let responses: Mutex<[RowResponse]>
    private let losesPost: Mutex<Bool>

    /// - Parameter losesPost: whether the response to the first `POST` is lost. A repeatable request is then sent again.
    init(_ responses: [(Int, String)], losesPost: Bool = false) {
      self.responses = Mutex(responses.map { RowResponse(status: $0.0, body: Data($0.1.utf8)) })
      self.losesPost = Mutex(losesPost)
    }

    func send(_ request: RowRequest) async throws -> RowResponse {
      requests.withLock { $0.append(request) }
      let response = responses.withLock { $0.isEmpty ? RowResponse(status: 500, body: Data()) : $0.removeFirst() }
      let isLost = losesPost.withLock { loses in
        guard loses, request.method == .post else { return false }
        loses = false
        return true
      }
      guard isLost else { return response }
      guard request.isRepeatable else { throw UnreachableError(reason: "the response was lost") }
      return try await send(request)
    }

    var api: SocialAPI { SocialAPI(transport: self) { account } }
    var sent: [RowRequest] { requests.withLock { $0 } }
    var body: [String: String] {
      (sent.last?.body).flatMap { try? JSONDecoder().decode([String: String].self, from: $0) } ?? [:]
    }
  }

  // MARK: Pictures

  /// The smallest JPEG file with a comment, which must not be sent.
  private static let picture: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xFE, 0, 8] + Array("secret".utf8) + [0xFF, 0xDA, 0, 2, 1, 2, 0xFF, 0xD9]

  @Test func aPictureIsStoredInTheAccountsFolder() async throws {
    let answers = Answers([(200, #"{"Key":"x"}"#)])
    let picture = try #require(StillPicture(removingMetadataFrom: Self.picture))
    let path = try await answers.api.storeAvatar(picture)
    let file = "avatars/\(Self.account.rowText)/avatar"
    #expect(path == "storage/v1/object/public/\(file)")
    let request = try #require(answers.sent.first)
    #expect(request.service == .storage && request.path == "object/\(file)" && request.method == .post)
    #expect(request.headers == ["Content-Type": "image/jpeg", "x-upsert": "true"])
    #expect(request.body == Data(picture.bytes) && picture.bytes.count < Self.picture.count)
  }

  @Test func aLargePictureIsNotSent() async throws {
    let answers = Answers([])
    let bytes = Self.picture.dropLast(2) + Array(repeating: 1, count: SocialLimits.avatarByteCount) + [0xFF, 0xD9]
    let picture = try #require(StillPicture(removingMetadataFrom: Array(bytes)))
    let error = await #expect(throws: SocialError.self) { _ = try await answers.api.storeAvatar(picture) }
    #expect(error?.explanation.id == "social.picture-too-large" && answers.sent.isEmpty)
  }

  // MARK: People

  /// The list contains the other side of each follow.
  @Test(arguments: [(FollowList.followers, "follower_id", "following_id"), (.following, "following_id", "follower_id")])
  func followListContainsTheOtherPerson(list: FollowList, listed: String, fixed: String) async throws {
    let row = #"{"id":"\#(Self.highlight.rowText)","created_at":"2026-11-28T00:00:00+00:00","person":null}"#
    let answers = Answers([(200, "[\(row)]")])
    let people = try await answers.api.people(list, of: Self.other, limit: 5, offset: 10)
    #expect(people.map(\.id) == [Self.highlight] && people.map(\.username) == [nil])
    let path = try #require(answers.sent.last?.path)
    #expect(path.contains("follows_\(listed)_fkey") && path.contains("\(fixed)=eq.\(Self.other.rowText)"))
    #expect(path.contains("limit=5") && path.contains("offset=10"))
  }

  // MARK: Feeds

  @Test func pageContinuesAfterItsLastHighlight() async throws {
    let answers = Answers([(200, "[\(SocialFixtures.itemJSON(Self.highlight))]"), (200, "[]")])
    let page = try await answers.api.feed(.newest, limit: 1, after: nil)
    #expect(page.items.map(\.id) == [Self.highlight])
    let next = FeedCursor.before(createdAt: "2026-11-24T12:00:00.123456+00:00", id: Self.highlight)
    #expect(page.next == next)
    let last = try await answers.api.feed(.newest, limit: 1, after: next)
    #expect(last.items.isEmpty && last.next == nil)
    let path = try #require(answers.sent.last?.path)
    let time = "2026-11-24T12:00:00.123456%2B00:00"
    #expect(
      path.contains(
        "or=(created_at.lt.\(time),and(created_at.eq.\(time),id.lt.\(Self.highlight.rowText)))"), "\(path)")
  }

  @Test func rankedFeedContinuesAtAnOffset() async throws {
    let item = SocialFixtures.itemJSON(Self.highlight)
    let answers = Answers([(200, "[\(item)]"), (200, "[\(item)]")])
    let page = try await answers.api.feed(.discover, limit: 1, after: nil)
    #expect(page.next == .offset(1))
    #expect(try await answers.api.feed(.discover, limit: 1, after: page.next).next == .offset(2))
    #expect(answers.sent.last?.body == Data(#"{"max_rows":1,"skip_rows":1}"#.utf8))
  }

  /// All pages have the time of the first one, so that likes on a page don't shift the next one.
  @Test func forYouKeepsTheTimeOfItsFirstPage() async throws {
    let item = SocialFixtures.itemJSON(Self.highlight)
    let answers = Answers([(200, "[\(item)]"), (200, "[\(item)]")])
    let first = try await answers.api.feed(.forYou, limit: 1, after: nil)
    guard case .ranked(offset: 1, likedBefore: let time) = first.next else {
      Issue.record("unexpected cursor")
      return
    }
    let second = try await answers.api.feed(.forYou, limit: 1, after: first.next)
    #expect(second.next == .ranked(offset: 2, likedBefore: time))
    let bodies = [#"{"max_rows":1}"#, #"{"liked_before":"\#(time)","max_rows":1,"skip_rows":1}"#]
    #expect(answers.sent.map { $0.body.map { String(decoding: $0, as: UTF8.self) } } == bodies)
  }

  @Test(arguments: [FeedKind.following, .tag("spike"), .search("spike")])
  func pagesContinueBetweenHighlightsOfTheSameTime(kind: FeedKind) async throws {
    let answers = Answers([(200, "[]")])
    _ = try await answers.api.feed(
      kind, limit: 1, after: .before(createdAt: "2026-11-24T12:00:00Z", id: Self.highlight))
    let body = String(decoding: try #require(answers.sent.last?.body), as: UTF8.self)
    #expect(body.contains(#""before":"2026-11-24T12:00:00Z","before_id":"\#(Self.highlight.rowText)""#))
  }

  @Test(arguments: ["", " ", "#", "!?"]) func searchNeedsLettersOrDigits(query: String) async throws {
    let answers = Answers([])
    await #expect(throws: SocialError.emptySearch) { _ = try await answers.api.searchTags(query, limit: 5) }
    await #expect(throws: SocialError.emptySearch) {
      _ = try await answers.api.feed(.search(query), limit: 5, after: nil)
    }
    #expect(answers.sent.isEmpty)
  }

  @Test(arguments: [
    (FeedKind.following, "rpc/following_feed"), (.forYou, "rpc/for_you"), (.tag("Spike"), "rpc/highlights_with_tag"),
    (.search("a&b=c"), "rpc/search_highlights"), (.author(other), "highlights?"),
  ])
  func feedsAreFunctions(kind: FeedKind, path: String) async throws {
    let answers = Answers([(200, "[]")])
    _ = try await answers.api.feed(kind, limit: 5, after: nil)
    #expect(answers.sent.first?.path.hasPrefix(path) == true)
  }

  @Test func highlightHasItsAuthorAndPoll() async throws {
    let poll = """
      {"id":"\(Self.other)","highlight_id":"\(Self.highlight)","question":"Who?","total_votes":3,"options":[
      {"id":"\(Self.other)","text":"B","vote_count":1,"sort_order":1},
      {"id":"\(Self.account)","text":"A","vote_count":2,"sort_order":0}]}
      """
    let more = #","author":\#(SocialFixtures.profileJSON(Self.other)),"poll":\#(poll)"#
    let answers = Answers([(200, "[\(SocialFixtures.itemJSON(Self.highlight, likes: 2, more: more))]"), (200, "[]")])
    let item = try #require(try await answers.api.highlight(Self.highlight))
    #expect(item.author?.username == "ana" && item.author?.teamName == "Beach" && item.likesCount == 2)
    #expect(item.poll?.options.map(\.text) == ["A", "B"])
    #expect(try await answers.api.highlight(Self.highlight) == nil)
    // The cache stores what the backend returned.
    #expect(try JSONDecoder().decode(FeedItem.self, from: JSONEncoder().encode(item)) == item)
  }

  // MARK: Actions

  @Test(arguments: [(201, ""), (409, #"{"code":"23505","message":"duplicate key"}"#)])
  func repeatedInsertIsSuccess(status: Int, body: String) async throws {
    let answers = Answers([(status, body)])
    let id = UUID()
    try await answers.api.perform(.addComment(id: id, highlight: Self.highlight, text: "Nice"))
    #expect(
      answers.body == [
        "id": id.rowText, "highlight_id": Self.highlight.rowText, "author_id": Self.account.rowText, "text": "Nice",
      ])
  }

  @Test func removalNamesTheAccount() async throws {
    let answers = Answers([(204, "")])
    try await answers.api.perform(.setLike(highlight: Self.highlight, isLiked: false))
    #expect(answers.sent.first?.method == .delete)
    #expect(
      answers.sent.first?.path == "likes?user_id=eq.\(Self.account.rowText)&highlight_id=eq.\(Self.highlight.rowText)")
  }

  /// The backend ignores requests to delete another person's comment.
  @Test func deletionOfAnotherPersonsCommentIsRefused() async throws {
    let comment = """
      {"id":"\(Self.other)","highlight_id":"\(Self.highlight)","author_id":"\(Self.other)","text":"Nice",
      "likes_count":0,"created_at":"2026-11-24T12:00:00+00:00"}
      """
    let answers = Answers([(204, ""), (200, "[\(comment)]"), (204, ""), (200, "[]")])
    let error = await #expect(throws: SocialError.self) {
      try await answers.api.perform(.deleteComment(id: Self.other))
    }
    #expect(error?.explanation.id == "social.forbidden" && error?.isRefusal == true)
    try await answers.api.perform(.deleteComment(id: Self.other))
    #expect(answers.sent.map(\.method) == [.delete, .get, .delete, .get])
  }

  /// The key of a reaction contains a text, and its removal names the same reaction.
  @Test func reactionIsRemovedByItsKey() async throws {
    let answers = Answers([(201, ""), (204, "")])
    try await answers.api.setReaction(.fire, to: Self.other, isOn: true)
    let key = ["user_id": Self.account.rowText, "comment_id": Self.other.rowText, "emoji": "🔥"]
    #expect(answers.body == key)
    try await answers.api.setReaction(.fire, to: Self.other, isOn: false)
    let request = try #require(answers.sent.last)
    let items = try #require(URLComponents(string: request.path)?.queryItems)
    #expect(request.method == .delete)
    #expect(Dictionary(uniqueKeysWithValues: items.map { ($0.name, $0.value) }) == key.mapValues { "eq.\($0)" })
  }

  @Test(arguments: [("public", "follows"), ("followers_only", "follow_requests")])
  func followDependsOnThePrivacyLevel(privacy: String, table: String) async throws {
    let server = MemoryServer(["profiles": [MemoryServer.profile(Self.other, privacy: privacy)]])
    let api = SocialAPI(transport: server) { Self.account }
    for _ in 1...2 { try await api.perform(.setFollow(profile: Self.other, isFollowing: true)) }
    #expect(server.current.inserts.map(\.table) == [table])
    try await api.perform(.setFollow(profile: Self.other, isFollowing: false))
    #expect(server.rows(table).isEmpty)
  }

  /// The person accepted the request whose response was lost, so asking again would create a second request.
  @Test func acceptedRequestIsNotRepeated() async throws {
    let server = MemoryServer([
      "profiles": [MemoryServer.profile(Self.other, privacy: "followers_only")],
      "follows": [["follower_id": Self.account.rowText, "following_id": Self.other.rowText]],
    ])
    try await SocialAPI(transport: server) { Self.account }.perform(.setFollow(profile: Self.other, isFollowing: true))
    #expect(server.current.inserts.isEmpty)
  }

  /// The profile of a child can't be read before the child accepts.
  @Test func invisiblePersonIsAsked() async throws {
    let server = MemoryServer()
    try await SocialAPI(transport: server) { Self.account }.perform(.setFollow(profile: Self.other, isFollowing: true))
    #expect(server.current.inserts.map(\.table) == ["follow_requests"])
  }

  @Test(arguments: [
    (" \n", "social.no-text"), (String(repeating: "🏐", count: 501), "social.text-too-long"),
    // One character with more than 32 bytes for each of the 500.
    ("e" + String(repeating: "\u{301}", count: 8_000), "social.text-too-long"),
  ])
  func invalidCommentIsNotSent(text: String, id: String) async throws {
    let answers = Answers([])
    let error = await #expect(throws: SocialError.self) {
      try await answers.api.perform(.addComment(id: UUID(), highlight: Self.highlight, text: text))
    }
    #expect(error?.explanation.id == id && error?.isRefusal == true && answers.sent.isEmpty)
  }

  /// The database counts user-perceived characters.
  @Test(arguments: ["e\u{301}", "👨‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"])
  func commentOf500CharactersIsSent(character: String) async throws {
    let answers = Answers([(201, "")])
    let text = String(repeating: character, count: 500)
    try await answers.api.perform(.addComment(id: UUID(), highlight: Self.highlight, text: text))
    #expect(answers.sent.count == 1)
  }

  @Test func invalidNamesAndDescriptionsAreNotSent() async throws {
    let answers = Answers([])
    let name = await #expect(throws: SocialError.self) {
      var change = ProfileChange()
      change.displayName = " "
      _ = try await answers.api.changeProfile(change)
    }
    let target = ContentTarget(kind: .comment, id: Self.highlight)
    let description = await #expect(throws: SocialError.self) {
      _ = try await answers.api.report(target, for: .spam, description: String(repeating: "x", count: 1001))
    }
    #expect([name, description].map(\.?.explanation.id) == ["social.no-text", "social.text-too-long"])
    #expect(answers.sent.isEmpty)
  }

  private static let target = ContentTarget(kind: .comment, id: highlight)
  private static let reportJSON = """
    {"id":"\(other)","reported_type":"comment","reported_id":"\(highlight)","report_type":"spam",
    "status":"pending","created_at":"2026-11-24T12:00:00+00:00"}
    """

  @Test func secondReportIsTheFirst() async throws {
    let answers = Answers([(200, "[\(Self.reportJSON)]")])
    #expect(try await answers.api.report(Self.target, for: .spam, description: nil).id == Self.other)
    #expect(answers.sent.map(\.method) == [.get])
  }

  // MARK: Lost responses

  private static let missing = #"{"code":"PT404","message":"it does not exist"}"#

  @Test func repeatedReportIsStoredOnce() async throws {
    let answers = Answers(
      [(200, "[]"), (201, ""), (409, #"{"code":"23505","message":"duplicate key"}"#), (200, "[\(Self.reportJSON)]")],
      losesPost: true)
    #expect(try await answers.api.report(Self.target, for: .spam, description: nil).id == Self.other)
    let sent = answers.sent
    try #require(sent.map(\.method) == [.get, .post, .post, .get])
    #expect(sent[1].body == sent[2].body)
    let row = try JSONSerialization.jsonObject(with: try #require(sent[1].body)) as? [String: Any]
    let id = try #require(row?["id"] as? String)
    #expect(UUID(uuidString: id) != nil && sent[3].path.contains("id=eq.\(id)"))
  }

  /// Otherwise, a repeated warning would be a second offense.
  @Test func repeatedDecisionHasOneID() async throws {
    let warning = (200, #"{"action":"warn","until":null}"#)
    let answers = Answers([warning, warning, warning], losesPost: true)
    for _ in 1...2 {
      #expect(try await answers.api.moderate(Self.target, .warn, reason: "Insult").action == "warn")
    }
    let bodies = try answers.sent.map { try JSONDecoder().decode([String: String].self, from: $0.body ?? Data()) }
    #expect(bodies.count == 3 && bodies[0] == bodies[1] && bodies[0]["id"] != bodies[2]["id"])
    #expect(bodies.allSatisfy { body in body["id"].flatMap { UUID(uuidString: $0) } != nil })
  }

  @Test(arguments: [("[]", false), (#"[{"id":"1"}]"#, true)])
  func repeatedAcceptanceIsSuccessIfThePersonFollows(follows: String, isSuccess: Bool) async throws {
    let answers = Answers([(204, ""), (404, Self.missing), (200, follows)], losesPost: true)
    if isSuccess {
      try await answers.api.acceptFollowRequest(of: Self.other)
    } else {
      let error = await #expect(throws: SocialError.self) {
        try await answers.api.acceptFollowRequest(of: Self.other)
      }
      #expect(error?.explanation.id == "social.not-found")
    }
    let path = try #require(answers.sent.last?.path)
    #expect(path.hasPrefix("follows?") && path.contains("follower_id=eq.\(Self.other.rowText)"))
    #expect(path.contains("following_id=eq.\(Self.account.rowText)"))
  }

  /// A second attempt would fail: the report doesn't exist anymore, and a date of birth is set once.
  @Test(
    arguments: [
      { try await $0.withdrawReport(other) }, { try await $0.setBirthDate("2000-01-01") },
    ] as [@Sendable (SocialAPI) async throws -> Void])
  func requestsWithOneEffectAreNotRepeated(_ send: @Sendable (SocialAPI) async throws -> Void) async throws {
    let answers = Answers([(204, ""), (409, "")], losesPost: true)
    let error = await #expect(throws: SocialError.self) { try await send(answers.api) }
    #expect(error?.explanation.id == "backend.unreachable" && answers.sent.count == 1)
  }

  @Test func usernameIsFoundWithoutTheAtSign() async throws {
    let answers = Answers([(200, "[\(SocialFixtures.profileJSON(Self.other))]"), (200, "[]")])
    #expect(try await answers.api.profile(named: "@Ana")?.id == Self.other)
    #expect(answers.sent.last?.path == "rpc/find_profile" && answers.body == ["name": "Ana"])
    #expect(try await answers.api.profile(named: "ben") == nil)
    #expect(try await answers.api.profile(named: "@") == nil)
    #expect(answers.sent.count == 2)
  }

  // MARK: Errors

  @Test(arguments: [
    (401, "", "account.not-authorized", false),
    (403, #"{"code":"42501","message":"row rules"}"#, "social.forbidden", true),
    (404, #"{"code":"PT404","message":"no such request"}"#, "social.not-found", true),
    (404, #"{"code":"PGRST202","message":"no function"}"#, "backend.refused", true),
    (409, #"{"code":"23503","message":"foreign key"}"#, "social.not-found", true),
    (409, #"{"code":"PT409","message":"reviewed"}"#, "social.conflict", true),
    (400, #"{"code":"23514","message":"check"}"#, "social.invalid", true), (405, "", "backend.refused", true),
    (429, "", "backend.unreachable", false), (500, "", "backend.unreachable", false),
    (503, "<html>", "backend.unreachable", false),
  ])
  func statusIsTheError(status: Int, body: String, id: String, isRefusal: Bool) async throws {
    let answers = Answers([(status, body)])
    let error = await #expect(throws: SocialError.self) { try await answers.api.setBirthDate("2000-01-01") }
    #expect(error?.explanation.id == id && error?.isRefusal == isRefusal)
  }

  /// The database's text contains the name of a constraint, which doesn't help the user.
  @Test(arguments: [
    (400, "23514", "profiles_username_check", "social.invalid"),
    (409, "23505", "profiles_username_lower", "social.conflict"),
    (409, "23505", "profiles_username_key", "social.conflict"),
  ])
  func usernameErrorHasNoConstraintName(status: Int, code: String, name: String, id: String) async throws {
    let body = #"{"code":"\#(code)","message":"violates constraint \"\#(name)\""}"#
    let answers = Answers([(status, body)])
    let error = await #expect(throws: SocialError.self) {
      var change = ProfileChange()
      change.username = "a b"
      _ = try await answers.api.changeProfile(change)
    }
    #expect(error?.explanation.id == id && error?.explanation.why.contains(name) == false)
  }

  @Test(arguments: ["", "[]", #"{"id":1}"#, "<html>"]) func unreadableAnswerIsReported(body: String) async throws {
    let answers = Answers([(200, body)])
    let error = await #expect(throws: SocialError.self) {
      _ = try await answers.api.moderate(
        ContentTarget(kind: .comment, id: Self.other), .dismiss, reason: "Fine")
    }
    #expect(error?.explanation.id == "backend.unreadable-answer" && error?.isRefusal == false)
  }

  // MARK: Playback and devices

  @Test func addressesOfVideosAreRead() async throws {
    let clip = #"{"video":"v","file":null,"thumbnail":"t","animation":"a","storyboard":"s"}"#
    let answers = Answers([
      (
        200,
        #"{"expires_at":1,"highlights":[{"id":"\#(Self.highlight.rowText)","is_signed":true,"clips":[\#(clip)]}]}"#
      )
    ])
    let found = try await answers.api.playback(of: [Self.highlight, Self.other])
    #expect(found.map(\.id) == [Self.highlight] && found[0].isSigned)
    #expect(found[0].clips.map(\.video) == ["v"] && found[0].clips[0].file == nil)
    let request = try #require(answers.sent.first)
    #expect(request.service == .functions && request.path == "playback" && request.method == .post)
    let body = try JSONDecoder().decode([String: [String]].self, from: try #require(request.body))
    #expect(body == ["highlight_ids": [Self.highlight.rowText, Self.other.rowText]])
  }

  @Test func viewsAreCountedByTheirFunction() async throws {
    let answers = Answers([(204, "")])
    try await answers.api.recordView(of: Self.highlight, seconds: 2.5)
    let request = try #require(answers.sent.first)
    #expect(request.path == "rpc/record_view" && request.isRepeatable)
    #expect(request.body == Data(#"{"highlight":"\#(Self.highlight.rowText)","watched":2.5}"#.utf8))
  }

  @Test func devicesAreRegisteredAndRemoved() async throws {
    let answers = Answers([(204, ""), (204, "")])
    let token = Data([0, 1, 0xAB])
    try await answers.api.registerDevice(token, isSandbox: true)
    #expect(answers.sent.last?.path == "rpc/register_device")
    #expect(answers.body == ["token": "0001ab", "environment": "sandbox"])
    try await answers.api.removeDevice(token)
    #expect(answers.sent.last?.path == "device_tokens?token=eq.0001ab" && answers.sent.last?.method == .delete)
  }

  @Test func messageHasNoControlCharacters() {
    let body = ErrorBody(Data(#"{"message":"a\u001b[31m\u0007b"}"#.utf8))
    #expect(body.reason == "a[31mb")
  }
}
