import ClipModel
import Foundation
import Highlights
import LocalBackend
import ShareEngine

/// Signs in through the browser: the provider's page redirects to a local port with an authorization code.
struct BrowserSignIn: Sendable {
  /// The identity provider, for example `apple`.
  var provider: String
  /// Whether to open the sign-in page in the browser. Otherwise, the page's URL is only printed.
  var opensBrowser: Bool

  /// Signs in to the project.
  /// - Parameter print: prints lines for the user.
  /// - Returns: the session, which has not been stored yet.
  func run(_ project: SupabaseProject, print: (String) -> Void) async throws -> AuthSession {
    let proof = CodeChallenge()
    let redirect = try await SignInCallbackListener()
    let page = project.auth.authorizationURL(
      provider: provider, redirect: redirect.redirectURL, challenge: proof.challenge)
    print(opensBrowser ? "Sign in with your browser:\n\(page)\n" : "Open this page to sign in:\n\(page)\n")
    if opensBrowser { Browser.open(page) }
    let answer = try await withTimeout(.seconds(600)) { await redirect.waitForCallback() } ?? nil
    await redirect.stop()
    try Task.checkCancellation()
    guard let answer else { throw AuthError.browser(reason: "the sign-in was not completed within ten minutes") }
    guard let code = answer["code"] else {
      throw AuthError.browser(
        reason: answer["error_description"] ?? answer["error"] ?? "the browser returned no authorization code")
    }
    return try await project.auth.exchangeAuthorizationCode(code, verifier: proof.verifier)
  }
}

extension LazySignIn {
  /// Signs in through the browser if there is a terminal; otherwise, signing in fails.
  /// - Parameter operation: what needs the session, for the error.
  static func promptOnTerminal(_ reporter: Reporter, for operation: String = "share") -> LazySignIn {
    guard Console.isInputTerminal, Console.isErrorTerminal else { return LazySignIn(operation: operation, prompt: nil) }
    return LazySignIn(operation: operation) { project in
      let session = try await BrowserSignIn(provider: "apple", opensBrowser: true).run(project) { text in
        reporter.withProgressHidden { Console.writeError("You are not signed in. \(text)") }
      }
      try await project.signIn.store(session)
      reporter.withProgressHidden { Console.writeError("Signed in as \(session.name).\n") }
    }
  }
}
