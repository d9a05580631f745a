package import ClipModel

/// Why nobody is signed in. Never holds a token, a key or a password.
package enum AuthError: ExplainedError, Equatable {
  /// The server said no, in its words: `invalid_credentials`.
  case refused(code: String, reason: String)
  /// The session is over: a refresh token that was used before, a session that was ended or has timed out.
  case sessionOver(reason: String)
  case outOfReach(reason: String)
  case unreadableAnswer
  case notSignedIn
  /// A secret or service key, which opens everything and belongs on a server.
  case keyForServers
  case noKey
  /// The browser came back with something else than a code.
  case browser(reason: String)

  package var explanation: Explanation {
    func explain(
      _ id: String, _ why: String, _ category: FailureCategory = .notConfigured, _ facts: [String: String] = [:],
      what: String = "cannot sign in"
    ) -> Explanation {
      Explanation(id: "account.\(id)", what: what, why: why, facts: facts, category: category)
    }
    return switch self {
    case .refused(let code, let reason):
      explain("refused", "\(reason) (\(code))", .notConfigured, ["code": code])
    case .sessionOver(let reason): explain("session-expired", reason, what: "your session has expired")
    case .outOfReach(let reason): explain("unreachable", reason, .remote)
    case .unreadableAnswer: explain("unreadable-answer", "the answer is not from Supabase Auth", .remote)
    case .notSignedIn: explain("not-signed-in", "you are not signed in", what: "cannot do this")
    case .keyForServers:
      explain("server-key", "it is a secret key for servers, which grants full access", what: "cannot use supabase.key")
    case .noKey:
      explain(
        "wrong-key", "it is neither a publishable key (sb_publishable_…) nor an anon key (eyJ…)",
        what: "cannot use supabase.key")
    case .browser(let reason): explain("browser-failed", reason)
    }
  }

  /// A sign-in would help.
  package var asksForSignIn: Bool {
    switch self {
    case .notSignedIn, .sessionOver: true
    case .refused, .outOfReach, .unreadableAnswer, .keyForServers, .noKey, .browser: false
    }
  }
}
