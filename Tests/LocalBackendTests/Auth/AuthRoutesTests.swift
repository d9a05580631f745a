import ClipModel
import Dispatch
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import LocalBackend

@Suite(.timeLimit(.minutes(10))) struct AuthRoutesTests {
  struct Session: Decodable {
    struct User: Decodable {
      var id: String
      var email: String
      var role: String
    }
    var accessToken: String
    var refreshToken: String
    var expiresIn: Int
    var tokenType: String
    var user: User

    enum CodingKeys: String, CodingKey {
      case user
      case accessToken = "access_token"
      case refreshToken = "refresh_token"
      case expiresIn = "expires_in"
      case tokenType = "token_type"
    }
  }

  static func signUp(_ backend: TestBackend, _ email: String, password: String = "volleyball") async throws -> Session {
    let body = #"{"email":"\#(email)","password":"\#(password)","data":{"full_name":"Ann B"},"unknown":{}}"#
    let reply = try await backend.send("POST", "/auth/v1/signup", body: Array(body.utf8))
    try #require(reply.status == 200)
    return try reply.json()
  }

  static func bearer(_ token: String) -> [String: String] { ["Authorization": "Bearer \(token)"] }

  private func post(
    _ backend: TestBackend, _ path: String, _ body: String, _ headers: [String: String] = [:]
  ) async throws -> HTTPReply {
    try await backend.send("POST", "/auth/v1/\(path)", headers: headers, body: Array(body.utf8))
  }

  /// Calls beyond the queue's limit are refused; earlier ones complete.
  @Test func refusesTooManyConcurrentPasswords() async throws {
    let verifier = PasswordVerifier()
    let gate = DispatchSemaphore(value: 0)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<60 {
        group.addTask {
          do {
            try await verifier.run { gate.wait() }
            return true
          } catch let failure as AuthFailure {
            #expect(failure.status == .tooManyRequests && failure.code == "over_request_rate_limit")
            return false
          }
        }
      }
      // The refused calls end immediately. Then the gate opens for the others.
      for _ in 0..<26 { #expect(try await group.next() == false) }
      for _ in 0..<34 { gate.signal() }
      while let isAccepted = try await group.next() { #expect(isAccepted) }
    }
    // The slots are free again.
    #expect(try await verifier.run { 1 } == 1)
  }

  @Test func signsUpInAndOut() async throws {
    try await TestBackend.run { backend in
      let session = try await Self.signUp(backend, "Ann@Example.org")
      #expect(session.user.email == "ann@example.org" && session.user.role == "authenticated")
      #expect(session.expiresIn == 3600 && session.tokenType == "bearer")
      let profile = try await backend.send("GET", "/rest/v1/profiles?id=eq.\(session.user.id)").text
      #expect(profile.contains(#""display_name":"Ann B""#) && profile.contains(#""username":"user_"#))

      let wrong = try await post(
        backend, "token?grant_type=password", #"{"email":"ann@example.org","password":"football"}"#)
      #expect(wrong.status == 400 && wrong.text.contains(#""error_code":"invalid_credentials""#))
      let again = try await post(
        backend, "token?grant_type=password", #"{"email":"ANN@example.org","password":"volleyball"}"#)
      let second: Session = try again.json()

      let user = try await backend.send("GET", "/auth/v1/user", headers: Self.bearer(second.accessToken))
      #expect(user.status == 200 && user.text.contains(session.user.id))
      let out = try await post(backend, "logout?scope=local", "", Self.bearer(second.accessToken))
      #expect(out.status == 204)
      #expect(
        try await backend.send("GET", "/auth/v1/user", headers: Self.bearer(second.accessToken)).status == 403)
      #expect(
        try await backend.send("GET", "/auth/v1/user", headers: Self.bearer(session.accessToken)).status == 200)
      #expect(try await post(backend, "logout", "", Self.bearer(session.accessToken)).status == 204)
      #expect(
        try await post(backend, "token?grant_type=refresh_token", #"{"refresh_token":"\#(session.refreshToken)"}"#)
          .text.contains("session_not_found"))
    }
  }

  @Test func rotatesRefreshTokensAndEndsTheSessionAfterReuse() async throws {
    try await TestBackend.run { backend in
      func refresh(_ token: String) async throws -> HTTPReply {
        try await post(backend, "token?grant_type=refresh_token", #"{"refresh_token":"\#(token)"}"#)
      }
      let first = try await Self.signUp(backend, "ann@example.org").refreshToken
      let second = try await refresh(first).json(Session.self).refreshToken
      #expect(second != first)
      // The client lost the response, so it gets the active token again.
      #expect(try await refresh(first).json(Session.self).refreshToken == second)
      let third = try await refresh(second).json(Session.self).refreshToken
      let stolen = try await refresh(first)
      #expect(stolen.status == 400 && stolen.text.contains("refresh_token_already_used"))
      #expect(try await refresh(third).text.contains("session_not_found"))
      #expect(try await refresh(third.dropLast() + "x").text.contains("refresh_token_not_found"))
    }
  }

  @Test(arguments: [
    (#"{"email":"ann@example.org","password":"short"}"#, 422, "weak_password"),
    (#"{"email":"not an address","password":"volleyball"}"#, 400, "validation_failed"),
    (#"{"data":{}}"#, 422, "anonymous_provider_disabled"), ("[]", 400, "bad_json"), ("{", 400, "bad_json"),
    (#"{"email":"known@example.org","password":"volleyball"}"#, 422, "user_already_exists"),
  ])
  func refusesSignUpsInBothErrorFormats(_ body: String, _ status: Int, _ code: String) async throws {
    try await TestBackend.run { backend in
      _ = try await Self.signUp(backend, "known@example.org")
      let old = try await post(backend, "signup", body)
      #expect(old.status == status && old.text.contains(#""error_code":"\#(code)""#))
      #expect(old.text.contains(#""code":\#(status)"#) && old.headers["x-sb-error-code"] == code)
      let new = try await post(backend, "signup", body, ["X-Supabase-Api-Version": "2024-01-01"])
      #expect(new.status == status && new.text.contains(#""code":"\#(code)""#))
      #expect(new.headers["x-supabase-api-version"] == "2024-01-01")
      #expect(new.text.contains("weak_password\":{") == (code == "weak_password"))
    }
  }

  /// A proxy on this machine forwards requests of visitors, so they don't act as the local user.
  @Test(arguments: ["X-Forwarded-For": "203.0.113.9", "Forwarded": "for=203.0.113.9", "Via": "1.1 proxy"])
  func forwardedRequestsAreAnonymous(name: String, value: String) async throws {
    try await TestBackend.run { backend in
      var draft = HighlightDraft.sample()
      draft.privacy = .onlyMe
      let mine = try await backend.publish(pattern(10), draft)
      #expect(try await backend.send("GET", "/h/\(mine.id)").status == 200)
      #expect(try await backend.send("GET", "/h/\(mine.id)", headers: [name: value]).status == 404)
    }
  }

  /// Before the first sign-up, requests without credentials act as the local user.
  @Test func localUserOwnsRequestsUntilTheFirstSignUp() async throws {
    try await TestBackend.run { backend in
      var draft = HighlightDraft.sample()
      draft.privacy = .onlyMe
      let mine = try await backend.publish(pattern(10), draft)
      #expect(mine.authorID == Caller.localUserID)
      let session = try await Self.signUp(backend, "ann@example.org")
      #expect(try await backend.highlights().isEmpty)
      #expect(try await backend.open().status == 401)
      #expect(try await backend.send("GET", "/h/\(mine.id)").status == 404)
      let owner = try #require(LocalServer.running(in: backend.folder)).ownerToken
      for (token, count) in [(owner, 1), (session.accessToken, 0)] {
        let rows: [Highlight] = try await backend.send(
          "GET", "/rest/v1/highlights", headers: Self.bearer(token)
        ).json()
        #expect(rows.count == count)
      }
      let reply = try await backend.send(
        "POST", "/functions/v1/uploads",
        headers: Self.bearer(session.accessToken).merging(["Idempotency-Key": "1"]) { $1 },
        body: Array(try JSONEncoder().encode(HighlightDraft.sample())))
      let ticket: UploadTicket = try reply.json()
      #expect(ticket.url.hasPrefix("http://127.0.0.1:\(backend.server.port)/upload/\(ticket.id)?token="))
      for (token, status) in [(owner, 404), (session.accessToken, 200)] {
        let state = try await backend.send("GET", "/functions/v1/uploads/\(ticket.id)", headers: Self.bearer(token))
        #expect(state.status == status)
      }
    }
  }

  @Test func keysAndTokensIdentifyTheCaller() async throws {
    let clock = WallClock()
    try await TestBackend.run(options: .init(now: { clock.now })) { backend in
      let session = try await Self.signUp(backend, "ann@example.org")
      let keys = try await ServerKeys.open(backend.folder + "/keys.json")
      let rights = try FileManager.default.attributesOfItem(atPath: backend.folder + "/keys.json")[.posixPermissions]
      #expect(rights as? Int == 0o600)
      func deletions(_ headers: [String: String]) async throws -> HTTPReply {
        try await backend.send("GET", "/rest/v1/account_deletions", headers: headers)
      }
      for key in [keys.anonKey, keys.publishableKey] {
        for headers in [["apikey": key], Self.bearer(key)] {
          let reply = try await deletions(headers)
          #expect(reply.status == 401 && reply.text.contains(#""code":"42501""#))
        }
      }
      for headers in [["apikey": keys.secretKey], Self.bearer(keys.serviceRoleKey), Self.bearer(session.accessToken)] {
        #expect(try await deletions(headers).status == 200)
      }
      #expect(try await deletions(["apikey": "nonsense"]).text.contains("PGRST301"))
      #expect(try await deletions(Self.bearer("a.b.c")).text.contains("PGRST301"))
      clock.advance(3600 + 31)
      let expired = try await deletions(Self.bearer(session.accessToken))
      #expect(expired.status == 401 && expired.text.contains("PGRST303"))
      #expect(expired.headers["www-authenticate"]?.contains("JWT expired") == true)
    }
  }

  @Test func deletesAccountsAfterSevenDays() async throws {
    let folder = TestBackend.newFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let clock = WallClock()
    let session = try await TestBackend.run(in: folder, options: .init(now: { clock.now })) { backend in
      let session = try await Self.signUp(backend, "ann@example.org")
      let row = try await backend.send(
        "POST", "/rest/v1/account_deletions", headers: Self.bearer(session.accessToken),
        body: Array(#"{"user_id":"\#(session.user.id)"}"#.utf8))
      #expect(row.status == 201)
      return session
    }
    for (days, isThere) in [(6.9, true), (0.2, false)] {
      clock.advance(days * 86_400)
      try await TestBackend.run(in: folder, options: .init(now: { clock.now })) { backend in
        let keys = try await ServerKeys.open(folder + "/keys.json")
        let isAsExpected = try await TestTimeout.wait {
          let text = try await backend.send(
            "GET", "/rest/v1/profiles?id=eq.\(session.user.id)", headers: ["apikey": keys.secretKey]
          ).text
          return (text == "[]") == !isThere
        }
        #expect(isAsExpected, "after \(days) days")
      }
    }
  }
}
