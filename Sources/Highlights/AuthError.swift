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
    let what = "cannot sign in"
    return switch self {
    case .refused(let code, let reason):
      Explanation(what: what, why: "\(reason) (\(code))", next: Self.advice(code), category: .notConfigured)
    case .sessionOver(let reason):
      Explanation(what: "the sign-in is over", why: reason, next: "run \"bsc login\"", category: .notConfigured)
    case .outOfReach(let reason):
      Explanation(
        what: what, why: reason,
        next: "check the network and supabase.url (bsc config show), then run the same command again",
        category: .remote)
    case .unreadableAnswer:
      Explanation(
        what: what, why: "the answer is not that of Supabase Auth", next: "check supabase.url with \"bsc config show\"",
        category: .remote)
    case .notSignedIn:
      Explanation(
        what: "cannot do this", why: "nobody is signed in", next: "run \"bsc login\"", category: .notConfigured)
    case .keyForServers:
      Explanation(
        what: "cannot use supabase.key", why: "it is a key for servers, which opens everything",
        next:
          "take the project's publishable (anon) key, and make a new secret key: this one was where it does not belong",
        category: .notConfigured)
    case .noKey:
      Explanation(
        what: "cannot use supabase.key", why: "it is no publishable key (sb_publishable_…) and no anon key (eyJ…)",
        next: "copy it from the project's API settings", category: .notConfigured)
    case .browser(let reason):
      Explanation(
        what: what, why: reason, next: "run \"bsc login\" again, or sign in with a password: bsc login --email NAME",
        category: .notConfigured)
    }
  }

  private static func advice(_ code: String) -> String {
    switch code {
    case "invalid_credentials": "check the address and the password"
    case "email_not_confirmed": "open the link in the mail that you got, then run \"bsc login\" again"
    case "over_request_rate_limit": "wait a minute, then run \"bsc login\" again"
    case "user_banned": "ask those who run the project"
    default: "run \"bsc login\" again, or sign in another way: \"bsc login --help\" lists them"
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
