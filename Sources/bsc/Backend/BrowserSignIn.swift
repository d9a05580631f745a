import ClipModel
import Foundation
import Highlights
import LocalBackend
import ShareEngine

/// A sign-in in the browser: it goes to the provider's page, and comes back to a port of this machine with a code.
struct BrowserSignIn: Sendable {
  /// Who vouches: `apple`.
  var provider: String
  /// False only tells the page's address.
  var opensBrowser: Bool

  /// Whoever left the page open went away.
  private static let patience = Duration.seconds(600)

  /// - Parameter say: writes lines for people.
  /// - Returns: the session, which is not stored yet.
  func run(_ project: SupabaseProject, say: (String) -> Void) async throws -> AuthSession {
    let proof = CodeChallenge()
    let back = try await BrowserReturn()
    let page = project.auth.authorizeURL(provider: provider, redirect: back.redirectURL, challenge: proof.challenge)
    say(opensBrowser ? "Sign in in your browser:\n\(page)\n" : "Open this page to sign in:\n\(page)\n")
    if opensBrowser { Browser.open(page) }
    let answer = try await withThrowingTaskGroup(of: BrowserReturn.Answer?.self) { group in
      group.addTask { await back.answer() }
      group.addTask {
        try await Task.sleep(for: Self.patience)
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
    await back.stop()
    try Task.checkCancellation()
    guard let answer else { throw AuthError.browser(reason: "nobody came back from the browser within ten minutes") }
    guard let code = answer["code"] else {
      throw AuthError.browser(reason: answer["error_description"] ?? answer["error"] ?? "the browser brought no code")
    }
    return try await project.auth.exchange(code: code, verifier: proof.verifier)
  }
}

extension LazySignIn {
  /// On a terminal in the browser, elsewhere not at all.
  static func onTerminal(_ reporter: Reporter) -> LazySignIn {
    guard Console.isInputTerminal, Console.isErrorTerminal else { return LazySignIn(ask: nil) }
    return LazySignIn { project in
      let browser = BrowserSignIn(provider: "apple", opensBrowser: true)
      let session = try await browser.run(project) { text in
        reporter.interrupting { Console.writeError("Nobody is signed in. \(text)") }
      }
      try await project.signIn.store(session)
      let name = session.email ?? session.userID.uuidString.lowercased()
      reporter.interrupting { Console.writeError("Signed in as \(name).\n") }
    }
  }
}
