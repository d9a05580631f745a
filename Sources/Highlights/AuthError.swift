package import ClipModel

/// An authentication error. Never contains a token, a key or a password.
package enum AuthError: ExplainedError, Equatable {
  /// The server rejected the request. `code` is GoTrue's error code, such as `invalid_credentials`.
  case refused(code: String, reason: String)
  /// The session has ended, or its refresh token has already been used.
  case sessionExpired(reason: String)
  case unreachable(reason: String)
  case unreadableAnswer
  case notSignedIn
  /// The key is a secret or service key, which bypasses all access rules and must stay on a server.
  case serverKey
  case invalidKey
  /// The browser returned without an authorization code.
  case browser(reason: String)

  package var explanation: Explanation {
    func makeExplanation(
      _ id: String, _ why: String, _ category: FailureCategory = .notConfigured, _ facts: [String: String] = [:],
      what: String = "cannot sign in"
    ) -> Explanation {
      Explanation(id: "account.\(id)", what: what, why: why, facts: facts, category: category)
    }
    return switch self {
    case .refused(let code, let reason):
      makeExplanation("refused", "\(reason) (\(code))", .notConfigured, ["code": code])
    case .sessionExpired(let reason): makeExplanation("session-expired", reason, what: "your session has expired")
    case .unreachable(let reason): makeExplanation("unreachable", reason, .remote)
    case .unreadableAnswer: makeExplanation("unreadable-answer", "the response is not from Supabase Auth", .remote)
    case .notSignedIn: makeExplanation("not-signed-in", "you are not signed in", what: "cannot access your account")
    case .serverKey:
      makeExplanation(
        "server-key", "the key is a secret server key, which grants full access", what: "cannot use supabase.key")
    case .invalidKey:
      makeExplanation(
        "wrong-key", "the key is neither a publishable key (sb_publishable_…) nor an anon key (eyJ…)",
        what: "cannot use supabase.key")
    case .browser(let reason): makeExplanation("browser-failed", reason)
    }
  }

  /// Whether signing in resolves the error.
  package var requiresSignIn: Bool {
    switch self {
    case .notSignedIn, .sessionExpired: true
    default: false
    }
  }
}
