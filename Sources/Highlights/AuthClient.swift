import ClipModel
package import Foundation
package import LibCurl

/// A client for Supabase Auth (GoTrue): signs users in and refreshes their sessions.
///
/// Requests are never retried because a refresh token can be used only once, and a wrong password stays wrong.
package struct AuthClient: Sendable {
  package let projectURL: String
  private let key: ProjectKey
  private let transport: any HTTPTransport
  private let now: @Sendable () -> Int64

  /// Creates a client for a Supabase project.
  /// - Parameters:
  ///   - projectURL: the project's URL (`https://REF.supabase.co`). A trailing slash is ignored.
  ///   - key: the project's publishable or anon key.
  ///   - transport: the transport that sends the requests.
  ///   - now: returns the current Unix time in seconds, used if a server sends a token's lifetime instead of its
  ///     expiration time.
  package init(
    projectURL: URL, key: ProjectKey, transport: any HTTPTransport,
    now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }
  ) {
    var text = projectURL.absoluteString
    while text.hasSuffix("/") { text.removeLast() }
    self.projectURL = text
    self.key = key
    self.transport = transport
    self.now = now
  }

  /// Signs the user in with a password.
  /// - Throws: `AuthError` or `CancellationError`.
  package func signIn(email: String, password: String) async throws -> AuthSession {
    try await requestSession("password", ["email": email, "password": password])
  }

  /// Refreshes a session.
  /// - Returns: a session with a new refresh token. Store this session before doing anything else, because the old
  ///   refresh token is no longer valid.
  package func refreshSession(_ refreshToken: String) async throws -> AuthSession {
    try await requestSession("refresh_token", ["refresh_token": refreshToken])
  }

  /// Exchanges the browser's authorization code for a session.
  package func exchangeAuthorizationCode(_ code: String, verifier: String) async throws -> AuthSession {
    try await requestSession("pkce", ["auth_code": code, "code_verifier": verifier])
  }

  /// Ends this session. Sessions on other devices stay active. Succeeds even if the session has already ended.
  package func signOut(_ session: AuthSession) async throws {
    var request = HTTPRequest(.post, url: "\(projectURL)/auth/v1/logout?scope=local", body: .data([]))
    request.headers["Authorization"] = "Bearer \(session.accessToken)"
    let response = try await send(request)
    guard (200..<300).contains(response.status) || [401, 403, 404].contains(response.status) else {
      throw makeError(response)
    }
  }

  /// Returns the URL to open in the browser.
  /// - Parameters:
  ///   - provider: the identity provider, such as `apple` or `google`.
  ///   - redirect: the URL that the browser returns to, such as `http://127.0.0.1:PORT/callback`.
  ///   - challenge: the challenge from a `CodeChallenge`.
  package func authorizationURL(provider: String, redirect: String, challenge: String) -> String {
    var parts = URLComponents(string: "\(projectURL)/auth/v1/authorize") ?? URLComponents()
    parts.queryItems = [
      URLQueryItem(name: "provider", value: provider), URLQueryItem(name: "redirect_to", value: redirect),
      URLQueryItem(name: "code_challenge", value: challenge),
      URLQueryItem(name: "code_challenge_method", value: "s256"),
    ]
    return parts.string ?? ""
  }

  // MARK: Requests

  private func requestSession(_ grant: String, _ body: [String: String]) async throws -> AuthSession {
    var request = HTTPRequest(
      .post, url: "\(projectURL)/auth/v1/token?grant_type=\(grant)", body: .data(try BackendCall.encodeJSON(body)))
    request.headers["Content-Type"] = "application/json"
    let response = try await send(request)
    guard (200..<300).contains(response.status) else { throw makeError(response) }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    guard let answer = try? decoder.decode(TokenResponse.self, from: Data(response.body)) else {
      throw AuthError.unreadableAnswer
    }
    return AuthSession(
      projectURL: projectURL, accessToken: answer.accessToken, refreshToken: answer.refreshToken,
      expiresAt: answer.expiresAt ?? now() + (answer.expiresIn ?? 3600), userID: answer.user.id,
      email: answer.user.email)
  }

  private struct TokenResponse: Decodable {
    struct User: Decodable {
      var id: UUID
      var email: String?
    }

    var accessToken: String
    var refreshToken: String
    var expiresAt: Int64?
    var expiresIn: Int64?
    var user: User
  }

  private func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    var request = request
    request.headers["apikey"] = key.text
    request.headers["Accept"] = "application/json"
    // Requests the newer of the two error formats. `makeError` can read both formats.
    request.headers["X-Supabase-Api-Version"] = "2024-01-01"
    do {
      return try await transport.send(request)
    } catch let error as CurlError {
      throw AuthError.unreachable(reason: error.description)
    }
  }

  /// The error codes that require the user to sign in again.
  private static let finalCodes: Set<String> = [
    "refresh_token_already_used", "refresh_token_not_found", "session_not_found", "session_expired", "invalid_grant",
  ]

  private func makeError(_ response: HTTPResponse) -> AuthError {
    let body = ServiceError(response)
    let code = response.headers["x-sb-error-code"] ?? body.code ?? "\(response.status)"
    if Self.finalCodes.contains(code) { return .sessionExpired(reason: body.reason) }
    if response.status == 429 { return .refused(code: "over_request_rate_limit", reason: body.reason) }
    if response.status >= 500 || response.status == 408 {
      return .unreachable(reason: "the server responded with \(response.status): \(body.reason)")
    }
    return .refused(code: code, reason: body.reason)
  }
}
