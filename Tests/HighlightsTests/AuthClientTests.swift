import ClipModel
import Foundation
import LibCurl
import TestSupport
import Testing

@testable import Highlights

@Suite struct AuthClientTests {
  private static let key = "sb_publishable_abc"

  private func client(_ server: AuthServer) throws -> AuthClient {
    AuthClient(projectURL: server.url, key: try ProjectKey(Self.key), transport: try TransferThread())
  }

  @Test func signingInReturnsASession() async throws {
    let server = try await AuthServer()
    let session = try await client(server).signIn(email: AuthServer.email, password: AuthServer.password)
    #expect(session.accessToken == "access-1" && session.refreshToken == "refresh-1")
    #expect(session.email == AuthServer.email && session.userID.uuidString.lowercased() == AuthServer.userID)
    #expect(session.projectURL == server.url.absoluteString)
    #expect(abs(session.expiresAt - Int64(Date().timeIntervalSince1970) - 3600) < 5)
    // A publishable key is sent as `apikey`, never as a bearer token.
    #expect(server.requests[0].headers["apikey"] == Self.key && server.requests[0].headers["authorization"] == nil)
  }

  /// The old and the new error format give the same error.
  @Test(arguments: [false, true]) func reportsAWrongPassword(isOld: Bool) async throws {
    let server = try await AuthServer(isOld: isOld)
    let error = await #expect(throws: AuthError.self) {
      _ = try await client(server).signIn(email: AuthServer.email, password: "wrong one")
    }
    #expect(error == .refused(code: "invalid_credentials", reason: "Invalid login credentials"))
    #expect(error?.explanation.category == .notConfigured)
    #expect(!"\(String(describing: error))".contains("wrong one"))
  }

  @Test func refreshTokenIsValidForOneUse() async throws {
    let server = try await AuthServer()
    let first = try await client(server).signIn(email: AuthServer.email, password: AuthServer.password)
    let second = try await client(server).refreshSession(first.refreshToken)
    #expect(second.refreshToken == "refresh-2")
    let error = await #expect(throws: AuthError.self) {
      _ = try await client(server).refreshSession(first.refreshToken)
    }
    #expect(error == .sessionExpired(reason: "Invalid Refresh Token: Already Used"))
  }

  @Test func authorizationCodeRequiresItsVerifier() async throws {
    let server = try await AuthServer()
    let pkce = CodeChallenge()
    let code = server.makeCode(challenge: pkce.challenge)
    let url = try client(server).authorizationURL(
      provider: "apple", redirect: "http://127.0.0.1:4000/callback", challenge: pkce.challenge)
    let items = URLComponents(string: url)?.queryItems ?? []
    #expect(url.hasPrefix("\(server.url.absoluteString)/auth/v1/authorize?"))
    #expect(items.first { $0.name == "redirect_to" }?.value == "http://127.0.0.1:4000/callback")
    #expect(items.first { $0.name == "code_challenge_method" }?.value == "s256")
    #expect(!url.contains(pkce.verifier))
    let session = try await client(server).exchangeAuthorizationCode(code, verifier: pkce.verifier)
    #expect(session.accessToken == "access-1")
    let other = server.makeCode(challenge: pkce.challenge)
    await #expect(throws: AuthError.self) {
      _ = try await client(server).exchangeAuthorizationCode(other, verifier: CodeChallenge().verifier)
    }
  }

  /// The example of RFC 7636, appendix B.
  @Test func challengeMatchesTheExampleOfTheRFC() {
    let pkce = CodeChallenge(verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    #expect(pkce.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    #expect(CodeChallenge().verifier.count == 43 && CodeChallenge().verifier != CodeChallenge().verifier)
  }

  @Test func signingOutTwiceSucceeds() async throws {
    let server = try await AuthServer()
    let session = try await client(server).signIn(email: AuthServer.email, password: AuthServer.password)
    try await client(server).signOut(session)
    await #expect(throws: AuthError.self) { _ = try await client(server).refreshSession(session.refreshToken) }
    try await client(server).signOut(session)
  }

  @Test func reportsAnUnreachableServer() async throws {
    let client = AuthClient(
      projectURL: try #require(URL(string: "http://127.0.0.1:9/")), key: try ProjectKey(Self.key),
      transport: try TransferThread())
    let error = await #expect(throws: AuthError.self) { _ = try await client.refreshSession("refresh-1") }
    #expect(error?.explanation.category == .remote)
  }

  // {"role":"anon"} and {"role":"service_role"}
  static let keys: [(String, AuthError?)] = [
    ("sb_publishable_x", nil), ("eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoiYW5vbiJ9.c2ln", nil),
    ("sb_secret_x", .serverKey),
    ("eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoic2VydmljZV9yb2xlIn0.c2ln", .serverKey),
    ("", .invalidKey), ("password", .invalidKey), ("a.b.c", .invalidKey),
  ]

  @Test(arguments: keys) func refusesServerKeys(text: String, expected: AuthError?) {
    var thrown: AuthError?
    do throws(AuthError) { _ = try ProjectKey(text) } catch { thrown = error }
    #expect(thrown == expected)
    if let thrown, !text.isEmpty { #expect(!"\(thrown) \(thrown.explanation)".contains(text)) }
  }
}
