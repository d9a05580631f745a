import ClipModel
import Foundation
import RowRequests
import Testing

@testable import Recruiting

@Suite struct RecruitingAPITests {
  private static let id = "3f2a0000-0000-4000-8000-000000000001"

  // MARK: Errors

  @Test(arguments: [
    (401, "PGRST301", RecruitingError.ID.notAuthorized), (403, "42501", .forbidden), (404, "PT404", .notFound),
    (404, "PGRST202", .refused), (404, "42883", .refused), (409, "23503", .notFound), (409, "PT409", .conflict),
    (410, "PT410", .gone), (400, "23514", .invalid), (503, "", .unreachable), (418, "", .refused),
  ])
  func statusesHaveErrors(status: Int, code: String, id: RecruitingError.ID) async throws {
    let script = AnswerScript((status, #"{"code":"\#(code)","message":"the \u0007reason"}"#))
    let error = try await #require(throws: RecruitingError.self) { _ = try await script.api.families() }
    #expect(error.id == id)
    #expect(error.facts["reason"]?.contains("\u{7}") != true)
  }

  @Test func earlySyncHasTheTimeToWait() async throws {
    let script = AnswerScript((429, #"{"code":"PT429","message":"please wait","hint":"42"}"#), (429, "no JSON"))
    for seconds in ["42", "300"] {
      let error = try await #require(throws: RecruitingError.self) {
        try await script.api.beginSync(of: Self.id, owner: Self.id)
      }
      #expect(error.id == .rateLimited && error.facts["seconds"] == seconds)
    }
  }

  @Test func lostSyncHasItsOwnError() async throws {
    let body = #"{"code":"PT409","message":"another sync of the family has started","hint":"sync_lost"}"#
    let script = AnswerScript((409, body))
    let error = try await #require(throws: RecruitingError.self) {
      _ = try await script.api.ingest([IngestRow(SyncedPost.sample("x", language: nil))], into: "f", owner: Self.id)
    }
    #expect(error.id == .syncLost && error.facts == ["operation": "add the posts"])
    #expect(script.bodies.first?.contains(#""owner":"\#(Self.id)""#) == true)
  }

  @Test func unreadableAnswersAreReported() async throws {
    for text in ["", "{}", "<html>"] {
      let script = AnswerScript((200, text))
      let error = try await #require(throws: RecruitingError.self) { _ = try await script.api.families() }
      #expect(error.id == .unreadableAnswer)
    }
  }

  /// All placeholders of an explanation are filled from the facts that the error documents.
  @Test func explanationsAreComplete() async throws {
    for (status, text) in [
      (401, "{}"), (403, "{}"), (404, "{}"), (409, "{}"), (410, "{}"), (429, "{}"), (400, "{}"), (418, "{}"),
    ] {
      let script = AnswerScript((status, text))
      let error = try await #require(throws: RecruitingError.self) { _ = try await script.api.families() }
      #expect(!"\(error)".contains("{") && error.explanation.id == error.id.rawValue, "\(error)")
    }
  }

  // MARK: Requests

  @Test func createdFamilyIsNotRequestedTwice() async throws {
    let script = AnswerScript((200, "\"\(Self.id)\""))
    #expect(try await script.api.createFamily(named: " Silva ", role: .athlete) == Self.id)
    #expect(script.sent.map(\.path) == ["rpc/create_family"] && script.sent.map(\.isRepeatable) == [false])
    #expect(script.bodies == [#"{"name":"Silva","role":"athlete"}"#])
  }

  @Test(arguments: [
    ("", RecruitingError.ID.textEmpty), (" \n", .textEmpty), (String(repeating: "x", count: 81), .textTooLong),
  ])
  func invalidNamesAreNotSent(name: String, id: RecruitingError.ID) async throws {
    let script = AnswerScript()
    let error = try await #require(throws: RecruitingError.self) {
      _ = try await script.api.createFamily(named: name, role: .parent)
    }
    #expect(error.id == id && script.sent.isEmpty)
  }

  @Test func textsAreAsTheDatabaseStoresThem() async throws {
    let script = AnswerScript((200, "\"\(Self.id)\""))
    _ = try await script.api.createFamily(named: "Sil\0va", role: .athlete)
    #expect(script.bodies == [#"{"name":"Sil\#u{FFFD}va","role":"athlete"}"#])
    let accents = "x" + String(repeating: "\u{301}", count: 16 * 80)
    let error = try await #require(throws: RecruitingError.self) {
      _ = try await script.api.createFamily(named: accents, role: .athlete)
    }
    #expect(error.id == .textTooLong && error.facts["count"] == "81")
  }

  /// Columns with hashes can't be selected, so that no request selects all columns.
  @Test func hashesAreNotSelected() async throws {
    let script = AnswerScript((200, "[]"), (200, "[]"))
    _ = try await script.api.openInvites(to: Self.id, now: Samples.date("2026-03-10T16:00:00Z"))
    _ = try await script.api.links(of: Self.id)
    for request in script.sent { #expect(!request.path.contains("*") && !request.path.contains("hash")) }
  }

  /// A notice to which posts were added since it was listed must stay unread.
  @Test func onlyListedPostsAreMarkedAsRead() async throws {
    let time = Samples.date("2026-03-10T16:00:00Z")
    let notices = (0..<51).map { PostNotice(id: "notice-\($0)", postCount: $0 + 1, newestPostDate: time) }
    let script = AnswerScript((200, "[]"), (200, "[]"))
    try await script.api.markNoticesRead(notices, at: time)
    #expect(script.sent.map(\.method) == [.patch, .patch])
    #expect(script.bodies == Array(repeating: #"{"read_at":"2026-03-10T16:00:00.000Z"}"#, count: 2))
    #expect(script.sent.last?.path.contains("or=(and(id.eq.notice-50,post_count.eq.51))") == true)
    #expect(script.sent.first?.path.contains("and(id.eq.notice-49,post_count.eq.50)") == true)
    for request in script.sent { #expect(request.path.contains("read_at=is.null")) }
  }

  @Test func longListsAreReadInPages() async throws {
    func rows(_ range: Range<Int>) -> String {
      let rows = range.map { #"{"id":"\#(String($0 + 10_000))","family_unit_id":"f","name":"School \#($0)"}"# }
      return "[\(rows.joined(separator: ","))]"
    }
    let script = AnswerScript((200, rows(0..<1000)), (200, rows(1000..<1001)))
    #expect(try await script.api.schools(of: "f").count == 1001)
    #expect(script.sent.count == 2 && script.sent[1].path.contains("id=gt.10999"))
  }

  /// A school whose first response was lost exists once: the second insert is ignored, and its row is read.
  @Test func addedSchoolHasTheIDOfTheCaller() async throws {
    let row = #"[{"id":"\#(Self.id)","family_unit_id":"f","name":"Stanford","twitter_handle":"swvb"}]"#
    let script = AnswerScript((201, ""), (200, row))
    let school = try await script.api.addSchool(
      SchoolChange(name: "Stanford", twitterHandle: "https://x.com/swvb"), id: Self.id, to: "f")
    #expect(school.id == Self.id && school.twitterHandle == "swvb")
    #expect(script.sent[0].headers["Prefer"]?.contains("resolution=ignore-duplicates") == true)
    #expect(script.bodies[0].contains(#""twitter_handle":"swvb""#) && script.bodies[0].contains(Self.id))
  }

  @Test func emptyTextRemovesAValue() async throws {
    let script = AnswerScript((200, #"[{"id":"c","family_unit_id":"f","first_name":"Ann","last_name":"Lee"}]"#))
    _ = try await script.api.changeCoach("c", CoachChange(schoolId: "", role: "", twitterHandle: ""))
    #expect(script.bodies == [#"{"role":null,"school_id":null,"twitter_handle":null}"#])
  }

  @Test func emptyChangeIsAnError() async throws {
    let script = AnswerScript((200, "[]"))
    let error = try await #require(throws: RecruitingError.self) {
      _ = try await script.api.changeInteraction("i", InteractionChange(type: .email))
    }
    #expect(error.id == .notFound)
  }

  /// A deletion whose response was lost is sent again and finds nothing.
  @Test func deletedRowsAreNotAnErrorButVisibleOnesAre() async throws {
    let repeated = AnswerScript((200, "[]"), (200, "[]"))
    try await repeated.api.deleteInteraction("i")
    #expect(repeated.sent.map(\.method) == [.delete, .get] && Set(repeated.sent.map(\.path)).count == 1)
    let other = AnswerScript((200, "[]"), (200, #"[{"id":"i"}]"#))
    let error = try await #require(throws: RecruitingError.self) { try await other.api.deleteInteraction("i") }
    #expect(error.id == .notFound)
  }

  @Test func missingResponseIsAnError() async throws {
    struct NoConnection: RowTransport {
      func send(_ request: RowRequest) async throws -> RowResponse { throw UnreachableError(reason: "no route") }
    }
    let api = RecruitingAPI(transport: NoConnection())
    let error = try await #require(throws: RecruitingError.self) { _ = try await api.families() }
    #expect(error.id == .unreachable && error.facts == ["operation": "list the families", "reason": "no route"])
  }

  /// The file names the same new school twice.
  @Test func importedCoachesShareANewSchool() async throws {
    let table = try ImportTable([
      ImportTable.Row(line: 1, fields: ["name", "school"]), ImportTable.Row(line: 2, fields: ["Ann Lee", "Rice"]),
      ImportTable.Row(line: 3, fields: ["Bo Diaz", "rice "]),
    ])
    let items = try table.previewCoaches(existing: [], schools: []).items.map(\.item)
    let script = AnswerScript((201, ""), (201, ""))
    try await script.api.importCoaches(items, to: "f")
    struct Row: Decodable {
      var id: String
      var schoolId: String?
    }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let schools = try decoder.decode([Row].self, from: Data(script.bodies[0].utf8))
    let coaches = try decoder.decode([Row].self, from: Data(script.bodies[1].utf8))
    #expect(schools.count == 1 && coaches.map(\.schoolId) == [schools[0].id, schools[0].id])
  }

  @Test(arguments: [("3f2", 0), ("3f2g", 0), ("3f2a", 2), ("3F2A0000", 2)])
  func shortIDsAreRanges(text: String, requests: Int) async throws {
    let row =
      #"[{"id":"\#(Self.id)","type":"email","direction":"inbound","logged_by":"u","created_at":"2026-03-10T16:00:00Z"}]"#
    let script = AnswerScript((200, row), (200, row))
    let found = try? await script.api.interaction(text, in: "f")
    #expect(script.sent.count == requests && (found?.id == Self.id) == (requests > 0))
    if requests > 0 {
      #expect(script.sent[0].path.contains("id=gte.3f2a0000-0000-0000-0000-000000000000"))
      #expect(script.sent[0].path.contains("id=lte.3f2a"))
    }
  }

  /// In the meantime, another client has attached `b.jpg`.
  @Test func detachReturnsTheCurrentList() async throws {
    func rows(_ attachments: String) -> String {
      #"""
      [{"id":"i","type":"email","direction":"inbound","logged_by":"u","created_at":"2026-03-10T16:00:00Z",
        "attachments":[\#(attachments)]}]
      """#
    }
    let script = AnswerScript(
      (200, rows(#""x","attachments/i/a.jpg""#)), (204, ""),
      (200, rows(#""attachments/i/a.jpg","attachments/i/b.jpg""#)))
    let read = try await script.api.interactions(of: "f")
    let interaction = try #require(read.first)
    let changed = try await script.api.detach("x", from: interaction)
    #expect(script.sent.dropFirst().map(\.path).first == "rpc/list_attachment")
    #expect(script.bodies[1] == #"{"attachment":"x","id":"i","is_listed":false}"#)
    #expect(changed.attachments == ["attachments/i/a.jpg", "attachments/i/b.jpg"])
  }

  // MARK: Posts

  @Test func largePostsAreSentInParts() async throws {
    let text = String(repeating: "x", count: 99_000)
    let posts = try (0..<8).map { index in
      IngestRow(
        SyncedPost(
          address: try PostAddress("https://x.com/ann/status/\(index)"), content: text, date: .distantPast,
          author: try SocialHandle("ann", on: .twitter), authorName: "Ann", language: "en"))
    }
    let part = #"{"added":1,"changed":0,"unchanged":0,"dismissed":1,"invalid":[{"index":0,"field":"post_url"}]}"#
    let script = AnswerScript((200, part), (200, part))
    let result = try await script.api.ingest(posts, into: "f")
    #expect(script.sent.count == 2 && result.added == 2 && result.dismissed == 2)
    #expect(result.invalid.map(\.index) == [0, 6])
    for body in script.bodies { #expect(body.utf8.count < 700_000) }
  }

  /// A search needs all posts.
  @Test func onlyRequestedPostsAreDownloaded() async throws {
    let script = AnswerScript((200, "[]"), (200, "[]"), (200, "[]"), (200, "[]"))
    for (search, limit) in [("", 100), ("", 5000), ("", Int.max), ("camp", 100)] {
      #expect(try await script.api.posts(of: "f", PostFilter(search: search), limit: limit, offset: 50).isEmpty)
    }
    let limits = script.sent.map { $0.path.firstMatch(of: /limit=(\d+)/).map { String($0.output.1) } }
    #expect(limits == ["150", "1000", "1000", "1000"])
  }

  /// The family's flags and notes are not lost with a post that was deleted on its platform.
  @Test func onlyPostsWithoutFlagAndNotesAreRemoved() async throws {
    let script = AnswerScript((200, #"[{"id":"a"}]"#))
    #expect(try await script.api.removePosts(["a", "b"], of: "f") == 1)
    #expect(script.sent.map(\.method) == [.delete])
    let path = try #require(script.sent.first?.path)
    for condition in ["family_unit_id=eq.f", "id=in.(a,b)", "flagged_for_review=is.false", "notes=is.null"] {
      #expect(path.contains(condition))
    }
    #expect(try await script.api.removePosts([], of: "f") == 0 && script.sent.count == 1)
  }

  @Test func analyticsOfTheDatabaseAreDecoded() async throws {
    let script = AnswerScript(
      (
        200,
        """
        {"total": 4, "recruiting": 1, "recruiting_percentage": 25, "analyzed": 2, "positive": 1, "positive_percentage": 50,
         "active_schools": 1, "platforms": {"twitter": 3, "instagram": 1},
         "sentiments": [{"sentiment": "very_positive", "count": 1, "percentage": 50}],
         "days": [{"day": "2026-03-09", "count": 1}, {"day": "2026-03-10", "count": 2}],
         "schools": [{"id": "s", "name": "Rice", "count": 4}],
         "recent": [{"id": "p", "platform": "twitter", "post_date": "2026-03-10T16:00:00+00:00", "author_handle": "ann",
           "author_name": "Ann", "post_content": "Offer", "post_url": "https://twitter.com/ann/status/1"}]}
        """
      ))
    let figures = try await script.api.analytics(of: "f", .all, zone: "America/New_York")
    #expect(figures.total == 4 && figures.twitter == 3 && figures.recent.map(\.id) == ["p"])
    #expect(figures.days.map(\.height) == [0.5, 1] && figures.schools.map(\.name) == ["Rice"])
    #expect(script.bodies == [#"{"days":null,"family":"f","time_zone":"America/New_York"}"#])
  }
}

@Suite struct NameLookupTests {
  private static let schools = [("aaaa1", "Rice"), ("aaaa2", "Iowa State"), ("bbbb1", "rice"), ("cccc1", "Ohio")].map {
    School(id: $0.0, familyUnitId: "f", name: $0.1)
  }

  @Test(arguments: [
    ("ohio", "cccc1"), (" Iowa  state", "aaaa2"), ("iowa", "aaaa2"), ("CCCC", "cccc1"), ("aaaa1", "aaaa1"),
  ])
  func oneSchoolIsFound(text: String, id: String) throws {
    #expect(try NameLookup.find(text, "school", in: Self.schools) { [$0.name] }.id == id)
  }

  @Test(arguments: [
    ("Rice", RecruitingError.ID.ambiguousName), ("aaaa", .ambiguousName), ("Utah", .unknownName),
    ("Iowa Ohio", .unknownName), ("", .unknownName), ("ccc", .unknownName),
  ])
  func otherNamesAreErrors(text: String, id: RecruitingError.ID) {
    let error = #expect(throws: RecruitingError.self) {
      _ = try NameLookup.find(text, "school", in: Self.schools) { [$0.name] }
    }
    #expect(error?.id == id && error?.facts["name"] == text)
  }
}
