public import Foundation
import Synchronization

/// Supabase Auth according to its rules: passwords, codes with a challenge, single-use refresh tokens.
///
/// A refresh token that is used twice ends the whole session, as token rotation requires.
public final class AuthServer: Sendable {
  private let server: FaultAPIServer
  private let state: StateBox

  public static let email = "ana@example.org"
  public static let password = "correct horse"
  public static let userID = "8f14e45f-ceea-4a7e-8b1a-0d8c5c0d7a11"

  fileprivate struct State {
    var count = 0
    /// The valid refresh token; `nil` when the user isn't signed in.
    var refreshToken: String?
    var accessToken: String?
    var isRevoked = false
    /// The lifetime of an access token in seconds.
    var lifetime = 3600
    /// Uses the error format without the API version header.
    var isOld: Bool
    var refreshCount = 0
    /// The number of refreshes whose answers are lost after they succeed.
    var lostAnswers = 0
    /// The codes for the browser, with their challenges.
    var codes: [String: String] = [:]
  }

  private final class StateBox: Sendable {
    private let state: Mutex<State>
    init(_ state: State) { self.state = Mutex(state) }
    func withLock<Value: Sendable>(_ body: (inout State) -> Value) -> Value { state.withLock { body(&$0) } }
  }

  /// Answers other requests of the project. `user` is `nil` when the request isn't signed in.
  public typealias Others = @Sendable (_ request: FaultAPIServer.Request, _ user: String?) -> FaultAPIServer.Answer?

  /// - Parameters:
  ///   - isOld: errors as `{"code":400,"error_code":…,"msg":…}`.
  ///   - others: answers requests for other paths than Auth's.
  public init(isOld: Bool = false, others: @escaping Others = { _, _ in nil }) async throws {
    let box = StateBox(State(isOld: isOld))
    state = box
    server = try await FaultAPIServer { _, request in
      if request.target.hasPrefix("/auth/") { return box.withLock { Self.answer(request, &$0) } }
      let isSignedIn = box.withLock { state in
        state.accessToken.map { request.headers["authorization"] == "Bearer \($0)" } ?? false
      }
      return others(request, isSignedIn ? Self.userID : nil) ?? .json(404, "")
    }
  }

  public var url: URL { URL(string: server.url) ?? URL(filePath: "/") }
  public var requests: [FaultAPIServer.Request] { server.requests }
  public var refreshCount: Int { state.withLock { $0.refreshCount } }
  public var isRevoked: Bool { state.withLock { $0.isRevoked } }
  public var currentToken: String? { state.withLock { $0.accessToken } }

  public func setTokenLifetime(_ seconds: Int) { state.withLock { $0.lifetime = seconds } }
  public func loseAnswers(_ count: Int) { state.withLock { $0.lostAnswers = count } }
  /// Makes a code for the browser's callback.
  public func makeCode(challenge: String) -> String {
    state.withLock { $0.codes["code-1"] = challenge }
    return "code-1"
  }
  /// Starts a session and returns its refresh token, as in the settings of a CI.
  public func startSession() -> String {
    state.withLock { state in
      _ = Self.session(&state)
      return state.refreshToken ?? ""
    }
  }

  private static func answer(_ request: FaultAPIServer.Request, _ state: inout State) -> FaultAPIServer.Answer {
    guard request.headers["apikey"]?.hasPrefix("sb_publishable_") == true else {
      return .json(401, #"{"message":"Invalid API key"}"#)
    }
    let body = (try? JSONSerialization.jsonObject(with: Data(request.body.utf8)) as? [String: String]) ?? [:]
    switch request.target {
    case "/auth/v1/token?grant_type=password":
      guard body["email"] == email, body["password"] == password else {
        return failure(400, "invalid_credentials", "Invalid login credentials", state)
      }
      return session(&state)
    case "/auth/v1/token?grant_type=pkce":
      let challenge = AuthDigest.challenge(body["code_verifier"] ?? "")
      guard let code = body["auth_code"], state.codes.removeValue(forKey: code) == challenge else {
        return failure(400, "bad_code_verifier", "code challenge does not match", state)
      }
      return session(&state)
    case "/auth/v1/token?grant_type=refresh_token":
      guard !state.isRevoked, let token = body["refresh_token"], token.hasPrefix("refresh-") else {
        return failure(400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found", state)
      }
      guard token == state.refreshToken else {
        state.isRevoked = true
        return failure(400, "refresh_token_already_used", "Invalid Refresh Token: Already Used", state)
      }
      state.refreshCount += 1
      let answer = session(&state)
      if state.lostAnswers > 0 {
        state.lostAnswers -= 1
        return .reset
      }
      return answer
    case "/auth/v1/logout?scope=local":
      guard request.headers["authorization"] == "Bearer \(state.accessToken ?? "")" else {
        return failure(403, "session_not_found", "Session from session_id claim in JWT does not exist", state)
      }
      state.refreshToken = nil
      return .json(204, "")
    default: return .json(404, "")
    }
  }

  private static func session(_ state: inout State) -> FaultAPIServer.Answer {
    state.count += 1
    state.refreshToken = "refresh-\(state.count)"
    state.accessToken = "access-\(state.count)"
    let end = Int(Date().timeIntervalSince1970) + state.lifetime
    return .json(
      200,
      """
      {"access_token":"access-\(state.count)","token_type":"bearer","expires_in":\(state.lifetime),"expires_at":\(end),
      "refresh_token":"refresh-\(state.count)","user":{"id":"\(userID)","aud":"authenticated","email":"\(email)"}}
      """)
  }

  private static func failure(_ status: Int, _ code: String, _ text: String, _ state: State) -> FaultAPIServer.Answer {
    state.isOld
      ? .json(status, #"{"code":\#(status),"error_code":"\#(code)","msg":"\#(text)"}"#)
      : .json(status, #"{"code":"\#(code)","message":"\#(text)"}"#)
  }
}
