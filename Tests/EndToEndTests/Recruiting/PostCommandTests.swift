import Foundation
import LocalBackend
import Recruiting
import ShareEngine
import Synchronization
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension EndToEnd {
  /// `bsc recruiting posts`, `sync` and `analytics`.
  @Suite struct PostCommandTests {
    private static let posts = """
      [{"post_url": "https://x.com/BoDiaz/status/1", "post_content": "Great win! Excited to offer a roster spot",
        "post_date": "2026-02-03T14:15:00Z", "author_name": "Bo Diaz"},
       {"post_url": "https://x.com/bodiaz/status/2", "post_content": "Lunch", "post_date": "2026-02-04T14:15:00Z"},
       {"post_url": "https://example.org/3", "post_content": "No post", "post_date": "2026-02-04T14:15:00Z"}]
      """

    @Test func importedPostsAreFlaggedLoggedAndDeleted() async throws {
      let family = try await RecruitingProject()
      let (ann, pat) = (family.athlete, family.parent)
      try await family.run(pat, "coaches", "add", "Bo", "Diaz", "--x", "bodiaz")
      let file = pat.folder.path("posts.json")
      try Data(Self.posts.utf8).write(to: URL(filePath: file))
      let imported = try #require(try await family.run(pat, "posts", "import", file, "-f").first)
      #expect(imported.added == 2 && imported.problems?.map(\.line) == [3])
      let list = try await family.run(ann, "posts")
      let posts = list.compactMap(\.post)
      #expect(posts.map(\.postContent) == ["Lunch", "Great win! Excited to offer a roster spot"])
      #expect(posts.map(\.isRecruitingRelated) == [false, true] && posts.allSatisfy { $0.coachId != nil })
      #expect(list.last?.statistics?.total == 2 && list.last?.statistics?.twitter == 2)
      #expect(try await family.run(ann, "posts", "list", "--only", "recruiting").compactMap(\.post).count == 1)
      #expect(try await family.run(ann, "posts", "list", "--search", " LUNCH").compactMap(\.post).count == 1)
      #expect(try await family.run(family.other, "posts").compactMap(\.post).isEmpty)

      let id = String(posts[1].id.prefix(8))
      try await family.run(pat, "posts", "flag", id)
      try await family.run(pat, "posts", "notes", id, "Call him")
      let seen = try #require(try await family.run(ann, "posts", "show", id).first?.post)
      #expect(seen.flaggedForReview && seen.notes == "Call him")
      let logged = try await family.run(ann, "posts", "log", id, "--as", "dm")
      #expect(logged.first?.interaction?.direction == "inbound" && logged.first?.coach?.name == "Bo Diaz")
      #expect(logged.first?.interaction?.type == "dm" && logged.first?.loggedBy != nil)
      try await family.expect(pat, "recruiting.forbidden", 4, "posts", "log", id)

      let figures = try #require(try await family.run(ann, "analytics", "--days", "all").first)
      #expect(figures.total == 2 && figures.recruiting == 1)
      // A deleted post is not added again.
      try await family.run(ann, "posts", "delete", id, "--force")
      let again = try #require(try await family.run(pat, "posts", "import", file, "-f").first)
      #expect(again.added == 0 && again.dismissed == 1)
      let csv = try await ann.run("recruiting", "posts", "--csv")
      #expect(csv.output.split(separator: "\r\n").count == 2, "\(csv)")
    }

    @Test func newPostsAreListedUntilTheyAreRead() async throws {
      let family = try await RecruitingProject()
      let (ann, pat) = (family.athlete, family.parent)
      #expect(try await family.run(ann, "posts", "notices").isEmpty)
      try await family.run(pat, "coaches", "add", "Bo", "Diaz", "--x", "bodiaz")
      let file = pat.folder.path("posts.json")
      try Data(Self.posts.utf8).write(to: URL(filePath: file))
      try await family.run(pat, "posts", "import", file, "-f")
      let listed = try await family.run(ann, "posts", "notices")
      #expect(listed.compactMap(\.notice).map { [$0.postCount, $0.recruitingCount] } == [[2, 1]])
      #expect(listed.first?.coach?.name == "Bo Diaz" && listed.first?.schema == "bsc.recruiting-notice/1")
      let text = try await ann.run("recruiting", "posts", "notices")
      #expect(text.status == 0 && text.output.contains("Bo Diaz"), "\(text)")
      let csv = try await ann.run("recruiting", "posts", "notices", "--csv")
      let rows = csv.output.split(separator: "\r\n").map { $0.split(separator: ",") }
      #expect(csv.status == 0 && rows.count == 2 && rows[1].prefix(3) == ["Bo Diaz", "2", "1"], "\(csv)")
      #expect(RecruitingDate.parse(String(rows[1][3])) == RecruitingDate.parse("2026-02-04T14:15:00Z"))
      try await family.expect(ann, "usage.arguments", 64, "posts", "notices", "--csv")
      #expect(try await family.run(family.other, "posts", "notices").isEmpty)

      #expect(try await family.run(ann, "posts", "notices", "read").first?.action == "read-notices")
      #expect(try await family.run(ann, "posts", "notices").isEmpty)
      // Notices belong to each member.
      #expect(try await family.run(pat, "posts", "notices", "list").count == 1)
    }

    /// A platform that knows one account, and then has a limit.
    private static func answer(_ request: FaultAPIServer.Request) -> FaultAPIServer.Answer {
      if request.target.contains("/2/users/by") {
        return .json(200, #"{"data":[{"id":"7","username":"BoDiaz","name":"Bo Diaz"}]}"#)
      }
      if request.target.contains("since_id") { return .json(200, #"{"meta":{"result_count":0}}"#) }
      return .json(
        200,
        #"""
        {"data":[{"id":"20","text":"Camp registration is open","created_at":"2026-02-03T14:15:00.000Z","lang":"en"}],
         "meta":{"newest_id":"20","result_count":1}}
        """#)
    }

    @Test func syncReadsNewPostsOnce() async throws {
      let family = try await RecruitingProject()
      var ann = family.athlete
      try await family.expect(ann, "recruiting.no-handles", 66, "sync")
      // Without an account for Instagram, the token of X reads nothing.
      try await family.run(ann, "schools", "add", "Stanford", "--instagram", "stanfordvball")
      ann.environment["BSC_SYNC_X_TOKEN"] = "hush-token"
      try await family.expect(ann, "recruiting.no-sync-token", 5, "sync")
      ann.environment["BSC_SYNC_X_TOKEN"] = nil
      try await family.run(ann, "coaches", "add", "Bo", "Diaz", "--x", "bodiaz", "--instagram", "bodiaz")
      try await family.run(ann, "schools", "add", "Rice", "--x", "unknownrice")
      try await family.expect(ann, "recruiting.no-sync-token", 5, "sync")
      let platform = try await FaultAPIServer { _, request in Self.answer(request) }
      ann.environment["BSC_SYNC_X_URL"] = platform.url
      ann.environment["BSC_SYNC_X_TOKEN"] = "hush-token"
      let run = try await ann.run("recruiting", "sync", "--json", "--verbose")
      #expect(run.status == 0 && !(run.output + run.errors).contains("hush-token"), "\(run)")
      let report = try #require(
        try run.output.split(separator: "\n").first.map {
          try JSONDecoder().decode(RecruitingAnswer.self, from: Data($0.utf8))
        })
      #expect(report.added == 1 && report.skippedPlatforms == ["instagram"])
      #expect(report.handles?.map(\.problem) == [nil, "unknown-account"])
      #expect(platform.requests.allSatisfy { $0.headers["authorization"] == "Bearer hush-token" })
      #expect(platform.requests.count == 2)
      let post = try #require(try await family.run(ann, "posts").first?.post)
      #expect(post.isRecruitingRelated && post.postUrl == "https://twitter.com/bodiaz/status/20")
      // The backend allows the next sync after five minutes.
      try await family.expect(ann, "recruiting.rate-limited", 6, "sync")
      #expect(platform.requests.count == 2)
    }

    /// What isn't stored is reported, and doesn't stop the other posts.
    @Test func postsThatAreNotStoredAreReported() async throws {
      let family = try await RecruitingProject()
      var ann = family.athlete
      try await family.run(ann, "coaches", "add", "Bo", "Diaz", "--x", "bodiaz")
      try await family.run(ann, "schools", "add", "Rice", "--x", "rice")
      let name = String(repeating: "x", count: 201)
      let platform = try await FaultAPIServer { _, request in
        if request.target.contains("/2/users/by") {
          return .json(
            200,
            #"{"data":[{"id":"7","username":"BoDiaz","name":"\#(name)"},{"id":"8","username":"rice","name":"Rice"}]}"#)
        }
        return .json(
          200,
          #"""
          {"data":[{"id":"\#(request.target.contains("/7/") ? 20 : 30)","text":"Camp","created_at":"2026-02-03T14:15:00.000Z"},
            {"id":21,"text":"a","created_at":"2026-02-03T14:15:00.000Z"},{"id":"22","text":["a"]}],
           "meta":{"newest_id":"31","result_count":3}}
          """#)
      }
      ann.environment["BSC_SYNC_X_URL"] = platform.url
      ann.environment["BSC_SYNC_X_TOKEN"] = "hush-x"
      let run = try await ann.run("recruiting", "sync", "--json")
      let report = try JSONDecoder().decode(RecruitingAnswer.self, from: Data(run.output.utf8))
      #expect(run.status == 0 && report.added == 1, "\(run)")
      #expect(report.handles?.map(\.skippedPosts) == [2, 2] && report.handles?.map(\.problem) == [nil, nil])
      #expect(report.refusedPosts?.map(\.field) == ["author_name"])
      #expect(report.refusedPosts?.map(\.address) == ["https://twitter.com/bodiaz/status/20"])
      #expect(run.errors.contains("author_name (1)"), "\(run)")
      #expect(try await family.run(ann, "posts").compactMap(\.post?.postUrl) == ["https://twitter.com/rice/status/30"])
    }

    /// One platform has a limit, and the other one answers.
    @Test func limitOfOnePlatformKeepsTheOther() async throws {
      let family = try await RecruitingProject()
      var ann = family.athlete
      try await family.run(ann, "coaches", "add", "Bo", "Diaz", "--x", "bodiaz", "--instagram", "bo.diaz")
      let reset = Int(Date().timeIntervalSince1970) + 3600
      let x = try await FaultAPIServer(answers: [.json(429, "{}", headers: ["x-rate-limit-reset": "\(reset)"])])
      let discovery = #"""
        {"business_discovery":{"id":"9","name":"Bo","media":{"data":[
          {"caption":"Proud of this team","permalink":"https://www.instagram.com/p/AbC/","timestamp":"2026-02-03T14:15:00+0000"},
          {"permalink":"javascript:alert(1)","timestamp":"2026-02-03T14:15:00+0000"}]}}}
        """#
      let instagram = try await FaultAPIServer(answers: [.json(200, discovery)])
      ann.environment["BSC_SYNC_X_URL"] = x.url
      ann.environment["BSC_SYNC_X_TOKEN"] = "hush-x"
      ann.environment["BSC_SYNC_INSTAGRAM_URL"] = instagram.url + "/v23.0"
      ann.environment["BSC_SYNC_INSTAGRAM_TOKEN"] = "hush-instagram"
      ann.environment["BSC_SYNC_INSTAGRAM_ACCOUNT"] = "17841400000000000"
      let report = try #require(try await family.run(ann, "sync").first)
      #expect(report.added == 1 && report.handles?.map(\.problem) == ["rate-limited", nil])
      #expect(report.retryAt == RecruitingDate.format(Date(timeIntervalSince1970: Double(reset))))
      let request = try #require(instagram.requests.first)
      #expect(request.target.hasPrefix("/v23.0/17841400000000000?fields=business_discovery.username%28bo.diaz%29"))
      #expect(request.headers["authorization"] == "Bearer hush-instagram" && x.requests.count == 1)
      #expect(try await family.run(ann, "posts").first?.post?.postUrl == "https://instagram.com/p/AbC")
    }

    /// A limit inside the pages of each handle is not a failure if posts were stored.
    @Test func limitAfterStoredPostsIsNotAFailure() async throws {
      let family = try await RecruitingProject()
      var ann = family.athlete
      try await family.run(ann, "coaches", "add", "Bo", "Diaz", "--x", "bodiaz")
      let platform = try await FaultAPIServer { _, request in
        if request.target.contains("/2/users/by") {
          return .json(200, #"{"data":[{"id":"7","username":"bodiaz"}]}"#)
        }
        return .json(
          200,
          #"""
          {"data":[{"id":"20","text":"Camp","created_at":"2026-02-03T14:15:00.000Z"}],
           "meta":{"newest_id":"20","oldest_id":"20","next_token":"b"}}
          """#, headers: ["x-rate-limit-remaining": "0"])
      }
      ann.environment["BSC_SYNC_X_URL"] = platform.url
      ann.environment["BSC_SYNC_X_TOKEN"] = "hush-x"
      let report = try #require(try await family.run(ann, "sync").first)
      #expect(report.added == 1 && report.handles?.map(\.problem) == ["rate-limited"])
    }

    /// The command fails only if no handle can be read, and the state is kept for the next sync.
    @Test func syncFailsWithoutAnyAnswer() async throws {
      let family = try await RecruitingProject()
      var ann = family.athlete
      try await family.run(ann, "coaches", "add", "Bo", "Diaz", "--x", "bodiaz")
      let platform = try await FaultAPIServer(answers: [.reset])
      ann.environment["BSC_SYNC_X_URL"] = platform.url
      ann.environment["BSC_SYNC_X_TOKEN"] = "hush-x"
      let run = try await ann.run("recruiting", "sync", "--json")
      #expect(run.status == 6 && run.failures.map(\.id) == ["recruiting.sync-failed"], "\(run)")
      try await family.expect(ann, "recruiting.rate-limited", 6, "sync")
    }

    /// The next sync waits for the usual five minutes, and not until the backend gives up on the canceled one.
    @Test(.timeLimit(.minutes(5))) func cancelledSyncEnds() async throws {
      let family = try await RecruitingProject()
      var ann = family.athlete
      try await family.run(ann, "coaches", "add", "Bo", "Diaz", "--x", "bodiaz")
      let asked = AsyncStream<Void>.makeStream()
      let platform = try await FaultAPIServer { _, _ in
        asked.continuation.yield()
        return .silence
      }
      ann.environment["BSC_SYNC_X_URL"] = platform.url
      ann.environment["BSC_SYNC_X_TOKEN"] = "hush-x"
      let sync = try ann.start(["recruiting", "sync"])
      for await _ in asked.stream { break }
      sync.send(SIGINT)
      #expect(await sync.outcome().status == 128 + SIGINT)
      let next = try await ann.run("recruiting", "sync", "--json")
      let error = try #require(next.failures.first, "\(next)")
      #expect(error.id == "recruiting.rate-limited" && (Int(error.facts?["seconds"] ?? "") ?? 600) <= 300, "\(next)")
    }

    /// The page's button reports the failure of the command.
    @Test func failedSyncOfServerIsReported() async throws {
      let platform = try await FaultAPIServer(answers: [.reset])
      var place = try BSCHome()
      place.environment["BSC_SYNC_X_URL"] = platform.url
      place.environment["BSC_SYNC_X_TOKEN"] = "hush-x"
      let project = try await StandInProject(place)
      for arguments in [["family", "create", "Silva"], ["coaches", "add", "Bo", "Diaz", "--x", "bodiaz"]] {
        _ = try await RecruitingAnswer.all(of: place, ["recruiting"] + arguments)
      }
      let address = try #require(LocalServer.running(in: try place.places.localBackendFolder))
      var request = URLRequest(url: project.server.baseURL.appending(path: "api/social/sync"))
      request.httpMethod = "POST"
      request.setValue("Bearer \(address.ownerToken)", forHTTPHeaderField: "Authorization")
      let (data, response) = try await URLSession.shared.data(for: request)
      let body = String(decoding: data, as: UTF8.self)
      #expect((response as? HTTPURLResponse)?.statusCode == 502 && body.contains("sync_failed"), "\(body)")
    }

    @Test func storedTokenIsPrivate() async throws {
      let home = try BSCHome()
      let process = try BSCProcess(
        ["recruiting", "sync", "token", "twitter"], input: Data("hush-token\n".utf8), environment: home.environment,
        folder: home.folder.path)
      let run = await process.outcome()
      #expect(run.status == 0 && !(run.output + run.errors).contains("hush"), "\(run)")
      let path = try home.places.secretsFolder + "/sync-twitter"
      let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
      #expect(permissions?.intValue == 0o600)
      let removal = try await home.run("recruiting", "sync", "token", "twitter", "--remove")
      #expect(removal.status == 0 && !FileManager.default.fileExists(atPath: path))
      let empty = try await home.run("recruiting", "sync", "token", "twitter", "--json")
      #expect(empty.status == 64 && empty.failures.map(\.id) == ["recruiting.no-token"])
    }
  }
}
