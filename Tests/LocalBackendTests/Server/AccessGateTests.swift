import ClipModel
import Foundation
import Testing

@testable import LocalBackend

/// A server that other machines can reach.
@Suite(.timeLimit(.minutes(10))) struct AccessGateTests {
  static let token = "0123456789abcdef-_"

  private func run(_ test: (TestBackend) async throws -> Void) async throws {
    try await TestBackend.run(
      options: .init(openTo: .init(host: "127.0.0.1", token: Self.token)), test)
  }

  @Test(arguments: [
    "/", "/health", "/rest/v1/highlights", "/stream/x.mp4", "/image/x/thumbnail.jpg", "/auth/v1/settings", "/nothing",
    "/uploads/x", "/style.css", "/upload/x", "/upload/storage/v1/b/x/o", "/?token=wrong", "/%75pload/x", "//upload/x",
    "/upload",
  ])
  func requestsWithoutTheTokenAreRejected(_ path: String) async throws {
    try await run { backend in
      for headers in [
        [:], AuthRoutesTests.bearer("wrong"), ["Authorization": "Basic eDp4"], ["apikey": ""],
        ["Authorization": "Bearer "], ["Cookie": "bsc_token=wrong"],
        ["apikey": "wrong"],
      ] {
        let reply = try await backend.send("GET", path, headers: headers)
        #expect(reply.status == 401)
      }
    }
  }

  @Test func theTokenAndKeysAndSessionsGrantAccess() async throws {
    try await run { backend in
      let keys = try await ServerKeys.open(backend.folder + "/keys.json")
      let owner = try #require(LocalServer.running(in: backend.folder)).ownerToken
      let open: [[String: String]] = [
        AuthRoutesTests.bearer(Self.token), AuthRoutesTests.bearer(owner), ["apikey": keys.secretKey],
        ["Cookie": "other=1; bsc_token=\(Self.token)"],
      ]
      for headers in open {
        let reply = try await backend.send("GET", "/rest/v1/highlights", headers: headers)
        #expect(reply.status == 200)
      }
      let known = try await backend.send("GET", "/rest/v1/highlights", headers: ["apikey": keys.publishableKey])
      #expect(known.status == 401)
      // The token identifies no account. There are no accounts, so the caller is the local user.
      let reply = try await backend.send(
        "GET", "/rest/v1/account_deletions", headers: AuthRoutesTests.bearer(Self.token))
      #expect(reply.status == 200)
      // Any host name is accepted.
      let named = try await backend.send(
        "GET", "/health", headers: AuthRoutesTests.bearer(Self.token).merging(["Host": "court.local:7437"]) { $1 })
      #expect(named.status == 200)
    }
  }

  /// A browser would read this path as another host.
  @Test func theTokenRedirectStaysOnTheServer() async throws {
    try await run { backend in
      let reply = try await backend.send("GET", "//elsewhere.example/x?token=\(Self.token)")
      #expect(reply.status == 303 && reply.headers["location"] == "/", "\(reply)")
    }
  }

  @Test func anAddressWithTheTokenSetsACookie() async throws {
    try await run { backend in
      let reply = try await backend.send("GET", "/?token=\(Self.token)")
      #expect(reply.status == 303 && reply.headers["location"] == "/")
      let cookie = try #require(reply.headers["set-cookie"])
      #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
      let value = String(cookie.prefix { $0 != ";" })
      #expect(try await backend.send("GET", "/", headers: ["Cookie": value]).status == 200)
    }
  }

  /// The owner's browser signed in with the owner's address and needs no token.
  @Test func theOwnersBrowserNeedsNoToken() async throws {
    try await run { backend in
      let browser = PageBrowser(backend)
      #expect(try await browser.get("/").status == 401)
      try await browser.enter()
      #expect(try await browser.get("/").status == 200)
      #expect(try await browser.get("/static/x/style.css").status == 200)
    }
  }

  @Test func uploadURLsNeedNoServerToken() async throws {
    try await run { backend in
      let reply = try await backend.send(
        "POST", "/uploads", headers: AuthRoutesTests.bearer(Self.token).merging(["Idempotency-Key": "1"]) { $1 },
        body: Array(try JSONEncoder().encode(HighlightDraft.sample())))
      let ticket: UploadTicket = try reply.json()
      #expect(try await backend.put(ticket, "bytes */*").status == 308)
      #expect(
        try await backend.send("PUT", "/upload/\(ticket.id)", headers: ["Content-Range": "bytes */*"]).status == 403)
    }
  }
}
