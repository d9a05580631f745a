import Foundation
import Synchronization
import TestSupport
import Testing

@testable import LocalBackend

/// Changes of accounts: `updateUser`, `resetPasswordForEmail`, `verifyOtp`, `reauthenticate` and `delete-account`.
@Suite(.timeLimit(.minutes(10))) struct AccountRoutesTests {
  private final class Clock: Sendable {
    private let state = Mutex(Date())
    var now: Date { state.withLock { $0 } }
    func advance(_ seconds: Double) { state.withLock { $0 += seconds } }
  }

  /// Starts a server with a manual clock.
  private func run(_ test: (TestBackend, Clock) async throws -> Void) async throws {
    let clock = Clock()
    try await TestBackend.run(options: .init(now: { clock.now })) { try await test($0, clock) }
  }

  private func send(
    _ backend: TestBackend, _ method: String, _ path: String, _ body: String = "",
    _ session: AuthRoutesTests.Session? = nil
  ) async throws -> HTTPReply {
    let bearer = session.map { AuthRoutesTests.bearer($0.accessToken) } ?? [:]
    return try await backend.send(method, "/auth/v1/\(path)", headers: bearer, body: Array(body.utf8))
  }

  private func signIn(_ backend: TestBackend, _ email: String, _ password: String) async throws -> HTTPReply {
    try await send(backend, "POST", "token?grant_type=password", #"{"email":"\#(email)","password":"\#(password)"}"#)
  }

  private func mails(_ backend: TestBackend) throws -> [Mail] {
    let path = backend.folder + "/mails.jsonl"
    guard let data = FileManager.default.contents(atPath: path) else { return [] }
    let rights = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(rights == 0o600)
    return try data.split(separator: 0x0A).map { try JSONDecoder.snakeCase.decode(Mail.self, from: Data($0)) }
  }

  private func expectRefusal(_ reply: HTTPReply, _ status: Int, _ code: String) {
    #expect(reply.status == status && reply.text.contains(#""error_code":"\#(code)""#), "\(reply.status) \(reply.text)")
  }

  @Test func recoveryCodeAllowsANewPassword() async throws {
    try await run { backend, _ in
      let first = try await AuthRoutesTests.signUp(backend, "ann@example.org")
      #expect(try await send(backend, "POST", "recover", #"{"email":"Ann@Example.org"}"#).text == "{}")
      let mail = try #require(try mails(backend).last)
      #expect(mail.to == "ann@example.org" && mail.type == "recovery" && mail.code.count == 6)
      let wrong = mail.code == "000000" ? "000001" : "000000"
      for body in [
        #"{"type":"recovery","email":"ann@example.org","token":"\#(wrong)"}"#,
        #"{"type":"recovery","email":"bob@example.org","token":"\#(mail.code)"}"#,
        #"{"type":"email_change","email":"ann@example.org","token":"\#(mail.code)"}"#,
        #"{"type":"signup","email":"ann@example.org","token":"\#(mail.code)"}"#,
        #"{"type":"recovery","token_hash":"\#(wrong)"}"#,
      ] {
        expectRefusal(try await send(backend, "POST", "verify", body), 403, "otp_expired")
      }
      let body = #"{"type":"recovery","email":"ann@example.org","token":"\#(mail.code)"}"#
      let session: AuthRoutesTests.Session = try await send(backend, "POST", "verify", body).json()
      #expect(session.user.id == first.user.id)
      expectRefusal(try await send(backend, "POST", "verify", body), 403, "otp_expired")

      expectRefusal(
        try await send(backend, "PUT", "user", #"{"password":"volleyball"}"#, session), 422, "same_password")
      expectRefusal(try await send(backend, "PUT", "user", #"{"password":"short"}"#, session), 422, "weak_password")
      #expect(try await send(backend, "PUT", "user", #"{"password":"beachball"}"#, session).status == 200)
      // Sessions from before the change have ended.
      expectRefusal(try await send(backend, "GET", "user", "", first), 403, "session_not_found")
      #expect(try await send(backend, "GET", "user", "", session).status == 200)
      expectRefusal(try await signIn(backend, "ann@example.org", "volleyball"), 400, "invalid_credentials")
      #expect(try await signIn(backend, "ann@example.org", "beachball").status == 200)
    }
  }

  @Test func acceptsTheTokenHashInsteadOfTheCode() async throws {
    try await run { backend, _ in
      let ann = try await AuthRoutesTests.signUp(backend, "ann@example.org")
      _ = try await send(backend, "POST", "recover", #"{"email":"ann@example.org"}"#)
      let hash = try #require(try mails(backend).last).tokenHash
      let session: AuthRoutesTests.Session = try await send(
        backend, "POST", "verify", #"{"type":"email","token_hash":"\#(hash)"}"#
      ).json()
      #expect(session.user.id == ann.user.id)
    }
  }

  /// An unknown address gets the same response but no mail. Codes are rate-limited and expire.
  @Test func codesAreLimitedAndExpire() async throws {
    try await run { backend, clock in
      _ = try await AuthRoutesTests.signUp(backend, "ann@example.org")
      func recover(_ email: String) async throws -> HTTPReply {
        try await send(backend, "POST", "recover", #"{"email":"\#(email)"}"#)
      }
      func verify(_ code: String) async throws -> HTTPReply {
        try await send(
          backend, "POST", "verify", #"{"type":"recovery","email":"ann@example.org","token":"\#(code)"}"#)
      }
      #expect(try await recover("unknown@example.org").text == "{}")
      #expect(try mails(backend).isEmpty)
      expectRefusal(try await recover("no address"), 400, "validation_failed")
      expectRefusal(try await recover(""), 400, "validation_failed")
      #expect(try await recover("ann@example.org").status == 200)
      #expect(try await recover("ann@example.org").text == "{}")
      #expect(try mails(backend).count == 1)
      clock.advance(61)
      #expect(try await recover("ann@example.org").status == 200)
      // A new code replaces the older one.
      let codes = try mails(backend).map(\.code)
      if codes[0] != codes[1] { #expect(try await verify(codes[0]).status == 403) }
      clock.advance(3601)
      #expect(try await verify(codes[1]).status == 403)
      #expect(try await recover("ann@example.org").status == 200)
      let code = try #require(try mails(backend).last).code
      let wrong = code == "000000" ? "000001" : "000000"
      for _ in 0..<OneTimeCode.maximumAttempts { #expect(try await verify(wrong).status == 403) }
      #expect(try await verify(code).status == 403)
      // A new code doesn't allow more guesses within an hour.
      clock.advance(3599)
      #expect(try await recover("ann@example.org").status == 200)
      #expect(try mails(backend).last?.code == code)
      clock.advance(2)
      #expect(try await recover("ann@example.org").status == 200)
      let next = try #require(try mails(backend).last).code
      let other = next == "000000" ? "000001" : "000000"
      for _ in 1..<OneTimeCode.maximumAttempts { #expect(try await verify(other).status == 403) }
      clock.advance(61)
      #expect(try await recover("ann@example.org").status == 200)
      let last = try #require(try mails(backend).last).code
      #expect(try await verify(last == other ? next : other).status == 403)
      #expect(try await verify(last).status == 403)
    }
  }

  @Test func newAddressNeedsBothCodes() async throws {
    try await run { backend, clock in
      let ann = try await AuthRoutesTests.signUp(backend, "ann@example.org")
      _ = try await AuthRoutesTests.signUp(backend, "bob@example.org")
      expectRefusal(try await send(backend, "PUT", "user", #"{"email":"bob@example.org"}"#, ann), 422, "email_exists")
      expectRefusal(try await send(backend, "PUT", "user", #"{"email":"x"}"#, ann), 400, "validation_failed")
      let requested = try await send(backend, "PUT", "user", #"{"email":"Anna@example.org"}"#, ann)
      #expect(requested.text.contains(#""new_email":"anna@example.org""#))
      #expect(requested.text.contains(#""email":"ann@example.org""#))
      let codes = try mails(backend)
      #expect(codes.map(\.to) == ["ann@example.org", "anna@example.org"])
      func verify(_ mail: Mail) async throws -> HTTPReply {
        try await send(
          backend, "POST", "verify", #"{"type":"email_change","email":"\#(mail.to)","token":"\#(mail.code)"}"#)
      }
      let first = try await verify(codes[1])
      #expect(first.status == 200 && first.text.contains(#""code":"200""#) && first.text.contains(#""msg""#))
      #expect(try await signIn(backend, "ann@example.org", "volleyball").status == 200)
      let session: AuthRoutesTests.Session = try await verify(codes[0]).json()
      #expect(session.user.email == "anna@example.org" && session.user.id == ann.user.id)
      expectRefusal(try await signIn(backend, "ann@example.org", "volleyball"), 400, "invalid_credentials")
      #expect(try await signIn(backend, "anna@example.org", "volleyball").status == 200)

      // Another account takes the address before it is confirmed.
      clock.advance(61)
      _ = try await send(backend, "PUT", "user", #"{"email":"eve@example.org"}"#, session)
      let more = try mails(backend).suffix(2)
      _ = try await AuthRoutesTests.signUp(backend, "eve@example.org")
      for mail in more.dropLast() { #expect(try await verify(mail).status == 200) }
      for mail in more.suffix(1) { expectRefusal(try await verify(mail), 422, "email_exists") }
    }
  }

  @Test func metadataIsMergedAndNullRemovesKeys() async throws {
    try await run { backend, _ in
      let ann = try await AuthRoutesTests.signUp(backend, "ann@example.org")
      let first = try await send(backend, "PUT", "user", #"{"data":{"team":"Beach","full_name":null}}"#, ann)
      #expect(first.status == 200 && first.text.contains(#""user_metadata":{"team":"Beach"}"#), "\(first.text)")
      let second = try await send(backend, "PUT", "user", #"{"data":{"wins":3}}"#, ann)
      #expect(second.text.contains(#""team":"Beach""#) && second.text.contains(#""wins":3"#))
    }
  }

  @Test(arguments: [
    (#"{"app_metadata":{"role":"admin"}}"#, 403, "not_admin"), (#"{"phone":"+1555"}"#, 400, "phone_provider_disabled"),
    (#"{"password":""}"#, 422, "weak_password"), ("[]", 400, "bad_json"),
  ])
  func refusesForbiddenChanges(_ body: String, _ status: Int, _ code: String) async throws {
    try await run { backend, _ in
      let ann = try await AuthRoutesTests.signUp(backend, "ann@example.org")
      expectRefusal(try await send(backend, "PUT", "user", body, ann), status, code)
      expectRefusal(try await send(backend, "PUT", "user", body), 401, "no_authorization")
    }
  }

  @Test(arguments: [
    (#"{"email":"a@b.c","token":"123456"}"#, 400), (#"{"type":"recovery","email":"a@b.c"}"#, 400),
    (#"{"type":"recovery","email":"a@b.c","token":"1","token_hash":"2"}"#, 400),
    (#"{"type":"recovery","token":"123456"}"#, 400), (#"{"type":"nonsense","email":"a@b.c","token":"123456"}"#, 400),
    (#"{"type":"recovery","email":"x","token":"123456"}"#, 422),
    (#"{"type":"recovery","email":"a@b.c","token_hash":"2"}"#, 400),
  ])
  func refusesIncompleteVerifications(_ body: String, _ status: Int) async throws {
    try await run { backend, _ in
      expectRefusal(try await send(backend, "POST", "verify", body), status, "validation_failed")
    }
  }

  /// A session older than a day can't change the password without a code.
  @Test func oldSessionNeedsReauthentication() async throws {
    try await run { backend, clock in
      var ann = try await AuthRoutesTests.signUp(backend, "ann@example.org")
      clock.advance(86_401)
      ann = try await send(
        backend, "POST", "token?grant_type=refresh_token", #"{"refresh_token":"\#(ann.refreshToken)"}"#
      ).json()
      expectRefusal(
        try await send(backend, "PUT", "user", #"{"password":"beachball"}"#, ann), 400, "reauthentication_needed")
      #expect(try await send(backend, "GET", "reauthenticate", "", ann).text == "{}")
      let mail = try #require(try mails(backend).last)
      #expect(mail.type == "reauthentication")
      let wrong = mail.code == "000000" ? "000001" : "000000"
      expectRefusal(
        try await send(backend, "PUT", "user", #"{"password":"beachball","nonce":"\#(wrong)"}"#, ann), 422,
        "reauthentication_not_valid")
      let changed = try await send(
        backend, "PUT", "user", #"{"password":"beachball","nonce":"\#(mail.code)"}"#, ann)
      #expect(changed.status == 200)
      expectRefusal(
        try await send(backend, "PUT", "user", #"{"password":"handball","nonce":"\#(mail.code)"}"#, ann), 422,
        "reauthentication_not_valid")
      expectRefusal(try await send(backend, "GET", "reauthenticate"), 401, "no_authorization")
    }
  }

  @Test func deletionHidesTheAccountAndCanBeCancelled() async throws {
    try await run { backend, _ in
      let ann = try await AuthRoutesTests.signUp(backend, "ann@example.org")
      let bob = try await AuthRoutesTests.signUp(backend, "bob@example.org")
      func delete(_ headers: [String: String]) async throws -> HTTPReply {
        try await backend.send("POST", "/functions/v1/delete-account", headers: headers, body: [])
      }
      func sees(_ session: AuthRoutesTests.Session) async throws -> Bool {
        let bearer = AuthRoutesTests.bearer(session.accessToken)
        return try await backend.send("GET", "/rest/v1/profiles?id=eq.\(ann.user.id)", headers: bearer).text != "[]"
      }
      #expect(try await delete([:]).status == 401)
      #expect(try await delete(AuthRoutesTests.bearer("ey.no.token")).status == 401)
      #expect(try await sees(bob))
      let answer = try await delete(AuthRoutesTests.bearer(ann.accessToken))
      #expect(
        answer.status == 200 && answer.text.contains(#""success":true"#) && answer.text.contains(#""deletes_at""#))
      // The account is hidden immediately and signed out everywhere. Deleting the row cancels the deletion.
      #expect(try await !sees(bob))
      #expect(try await send(backend, "GET", "user", "", ann).status == 403)
      let again: AuthRoutesTests.Session = try await signIn(backend, "ann@example.org", "volleyball").json()
      let second = try await delete(AuthRoutesTests.bearer(again.accessToken))
      #expect(second.text == answer.text)
      let kept = try await backend.send(
        "DELETE", "/rest/v1/account_deletions?user_id=eq.\(ann.user.id)",
        headers: AuthRoutesTests.bearer(again.accessToken), body: [])
      #expect(kept.status == 204)
      #expect(try await sees(bob))
    }
  }
}
