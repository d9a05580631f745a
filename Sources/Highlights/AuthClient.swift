import ClipModel
package import Foundation
package import LibCurl

/// Supabase Auth (GoTrue) over HTTP: signs people in and renews what they were given.
///
/// Nothing here is repeated by itself: a refresh token is good for one use, and a password that is wrong stays wrong.
package struct AuthClient: Sendable {
  package let projectURL: String
  private let key: ProjectKey
  private let transport: any HTTPTransport
  private let now: @Sendable () -> Int64

  /// - Parameters:
  ///   - projectURL: `https://REF.supabase.co`, with or without a slash at its end.
  ///   - now: Unix seconds, for servers that send a token's lifetime and not its end.
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

  /// - Throws: `AuthError`, `CancellationError`.
  package func signIn(email: String, password: String) async throws -> AuthSession {
    try await token("password", ["email": email, "password": password])
  }

  /// A session with a new refresh token: the old one must not be used again. To be stored before anything else.
  package func refresh(_ refreshToken: String) async throws -> AuthSession {
    try await token("refresh_token", ["refresh_token": refreshToken])
  }

  /// What the browser brought, for a session.
  package func exchange(code: String, verifier: String) async throws -> AuthSession {
    try await token("pkce", ["auth_code": code, "code_verifier": verifier])
  }

  /// Ends this session, and leaves those of other machines. One that is over already is fine.
  package func signOut(_ session: AuthSession) async throws {
    var request = HTTPRequest(.post, url: "\(projectURL)/auth/v1/logout?scope=local", body: .data([]))
    request.headers["Authorization"] = "Bearer \(session.accessToken)"
    let response = try await send(request)
    guard (200..<300).contains(response.status) || [401, 403, 404].contains(response.status) else {
      throw failure(response)
    }
  }

  /// The page that the browser opens.
  /// - Parameters:
  ///   - redirect: where the browser goes afterwards: `http://127.0.0.1:PORT/callback`.
  package func authorizeURL(provider: String, redirect: String, challenge: String) -> String {
    var parts = URLComponents(string: "\(projectURL)/auth/v1/authorize") ?? URLComponents()
    parts.queryItems = [
      URLQueryItem(name: "provider", value: provider), URLQueryItem(name: "redirect_to", value: redirect),
      URLQueryItem(name: "code_challenge", value: challenge),
      URLQueryItem(name: "code_challenge_method", value: "s256"),
    ]
    return parts.string ?? ""
  }

  // MARK: The wire

  private func token(_ grant: String, _ body: [String: String]) async throws -> AuthSession {
    var request = HTTPRequest(
      .post, url: "\(projectURL)/auth/v1/token?grant_type=\(grant)",
      body: .data([UInt8](try JSONSerialization.data(withJSONObject: body, options: .sortedKeys))))
    request.headers["Content-Type"] = "application/json"
    let response = try await send(request)
    guard (200..<300).contains(response.status) else { throw failure(response) }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    guard let answer = try? decoder.decode(Answer.self, from: Data(response.body)) else {
      throw AuthError.unreadableAnswer
    }
    return AuthSession(
      projectURL: projectURL, accessToken: answer.accessToken, refreshToken: answer.refreshToken,
      expiresAt: answer.expiresAt ?? now() + (answer.expiresIn ?? 3600), userID: answer.user.id,
      email: answer.user.email)
  }

  private struct Answer: Decodable {
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
    // One of the two shapes of errors; the other one is understood as well.
    request.headers["X-Supabase-Api-Version"] = "2024-01-01"
    do {
      return try await transport.send(request)
    } catch let error as CurlError {
      throw AuthError.outOfReach(reason: error.description)
    }
  }

  /// Codes after which only a new sign-in helps.
  private static let finalCodes: Set<String> = [
    "refresh_token_already_used", "refresh_token_not_found", "session_not_found", "session_expired", "invalid_grant",
  ]

  private func failure(_ response: HTTPResponse) -> AuthError {
    let body = ErrorBody(response)
    let json = try? JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
    let code =
      response.headers["x-sb-error-code"] ?? json?["error_code"] as? String ?? json?["code"] as? String
      ?? json?["error"] as? String ?? "\(response.status)"
    if Self.finalCodes.contains(code) { return .sessionOver(reason: body.reason) }
    if response.status == 429 { return .refused(code: "over_request_rate_limit", reason: body.reason) }
    if response.status >= 500 || response.status == 408 {
      return .outOfReach(reason: "the server answered \(response.status): \(body.reason)")
    }
    return .refused(code: code, reason: body.reason)
  }
}
