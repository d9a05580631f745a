import ArgumentParser
import ClipModel
import Foundation
import Highlights
import LocalBackend
import ShareEngine

struct Login: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Sign in at the Supabase project of your settings.",
    discussion: """
      EXAMPLES:
        bsc login                          in the browser, with Apple
        bsc login --provider google
        bsc login --email ana@example.org  with a password, which is asked for

      What you are given lies in a file that only you can read, and goes to this project alone. In CI set \
      BSC_SUPABASE_REFRESH_TOKEN or BSC_SUPABASE_ACCESS_TOKEN instead.
      """)

  @Option(help: "Who vouches for you: apple, google, or another one that the project has.")
  var provider = "apple"

  @Option(help: "Sign in with this address and a password, from the terminal or a line on stdin.")
  var email: String?

  @Flag(help: "Print the page's address instead of opening it.")
  var noBrowser = false

  @OptionGroup(title: "Output") var output: OutputOptions

  /// Whoever left the page open went away.
  private static let patience = Duration.seconds(600)

  func run() async throws {
    let project = try SupabaseProject(try Surroundings())
    let session =
      if let email { try await project.auth.signIn(email: email, password: try Password.ask()) } else {
        try await inBrowser(project)
      }
    try project.signIn.store(session)
    if output.json {
      Console.writeJSON(SessionDocument(session))
    } else if !output.quiet {
      Console.write("signed in as \(session.email ?? session.userID.uuidString.lowercased())\n")
    }
  }

  private func inBrowser(_ project: SupabaseProject) async throws -> AuthSession {
    let proof = CodeChallenge()
    let back = try await BrowserReturn()
    let page = project.auth.authorizeURL(provider: provider, redirect: back.redirectURL, challenge: proof.challenge)
    Console.writeError(noBrowser ? "Open this page to sign in:\n\(page)\n" : "Sign in in your browser:\n\(page)\n")
    if !noBrowser { Browser.open(page) }
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

struct Logout: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Sign out on this machine.")

  @OptionGroup(title: "Output") var output: OutputOptions

  func run() async throws {
    let project = try SupabaseProject(try Surroundings())
    let session = try await project.signIn.end()
    if output.quiet { return }
    Console.writeError(session == nil ? "Nobody was signed in.\n" : "Signed out.\n")
  }
}

struct WhoAmI: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "whoami", abstract: "Who is signed in, and where. Exit code 5 when nobody is.")

  @OptionGroup(title: "Output") var output: OutputOptions

  func run() async throws {
    let project = try SupabaseProject(try Surroundings())
    guard let session = try project.signIn.session() else { throw AuthError.notSignedIn }
    if output.json {
      Console.writeJSON(SessionDocument(session))
    } else {
      Console.write("\(session.email ?? session.userID.uuidString.lowercased()) at \(session.projectURL)\n")
    }
  }
}

/// A sign-in as JSON, without its secrets.
struct SessionDocument: Encodable {
  var schema = "bsc.session/1"
  var userID: String
  var email: String?
  var project: String
  /// Unix seconds at which the access token ends; it is renewed by itself.
  var expiresAt: Int64

  init(_ session: AuthSession) {
    userID = session.userID.uuidString.lowercased()
    email = session.email
    project = session.projectURL
    expiresAt = session.expiresAt
  }
}

/// A password is no argument: others would see it.
enum Password {
  static func ask() throws -> String {
    var text: String?
    if Console.isInputTerminal {
      text = unsafe getpass("Password: ").map { unsafe String(cString: $0) }
    } else {
      text = readLine()
    }
    guard let text, !text.isEmpty else {
      throw UsageFailure(
        what: "cannot sign in", why: "there is no password", next: "type it, or give it as a line on stdin")
    }
    return text
  }
}
