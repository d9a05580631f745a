import Foundation
import Testing

@testable import LocalBackend

/// Parts of the responses that clients of Supabase Auth read besides the session.
@Suite(.timeLimit(.minutes(1))) struct AuthResponseTests {
  @Test func accountHasOneIdentity() async throws {
    try await TestBackend.run { backend in
      let session = try await AuthRoutesTests.signUp(backend, "ann@example.com")
      let reply = try await backend.send(
        "GET", "/auth/v1/user", headers: AuthRoutesTests.bearer(session.accessToken))
      let user = try Object(reply)
      let identity = try #require(user.list("identities").first)
      #expect(user.list("identities").count == 1)
      #expect(identity.text("user_id") == session.user.id && identity.text("id") == session.user.id)
      #expect(identity.text("provider") == "email" && identity.text("identity_id") != nil)
      #expect(identity.object("identity_data").text("email") == "ann@example.com")
      #expect(identity.object("identity_data").text("sub") == session.user.id)
      for key in ["created_at", "updated_at", "last_sign_in_at"] { #expect(identity.text(key) == user.text(key)) }
    }
  }

  /// The time is that of the sign-in, even after a refresh.
  @Test func tokenContainsTheAuthenticationMethod() async throws {
    let clock = WallClock()
    try await TestBackend.run(options: .init(now: { clock.now })) { backend in
      let session = try await AuthRoutesTests.signUp(backend, "ann@example.com")
      let begun = Int(clock.now.timeIntervalSince1970)
      clock.advance(1800)
      let reply = try await backend.send(
        "POST", "/auth/v1/token?grant_type=refresh_token",
        body: Array(#"{"refresh_token":"\#(session.refreshToken)"}"#.utf8))
      for token in [session.accessToken, try reply.json(AuthRoutesTests.Session.self).accessToken] {
        let part = token.split(separator: ".")[1].replacing("-", with: "+").replacing("_", with: "/")
        let padded = part + String(repeating: "=", count: (4 - part.count % 4) % 4)
        let bytes = try #require(Data(base64Encoded: String(padded)))
        let claims = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
        let methods = try #require(claims["amr"] as? [[String: Any]])
        #expect(methods.count == 1 && methods[0]["method"] as? String == "password")
        #expect(methods[0]["timestamp"] as? Int == begun)
      }
    }
  }
}
