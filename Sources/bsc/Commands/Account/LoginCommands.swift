import ArgumentParser
import ClipModel
import Foundation
import Highlights
import ShareEngine

struct Login: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "login", abstract: "Sign in to the Supabase project",
    discussion: """
      EXAMPLES:
        bsc login                          in the browser, with Apple
        bsc login --provider google
        bsc login --email ana@example.org  with a password

      The session is stored in a file that only you can read. In CI, set BSC_SUPABASE_REFRESH_TOKEN or \
      BSC_SUPABASE_ACCESS_TOKEN instead.
      """)

  @Option(help: "Identity provider: apple, google, or another provider that the project supports.")
  var provider = "apple"

  @Option(help: "Sign in with this email address and a password, which is read from the terminal or stdin.")
  var email: String?

  @Flag(help: "Print the URL of the sign-in page instead of opening it.")
  var noBrowser = false

  @OptionGroup(title: "Output") var output: OutputOptions

  func run() async throws {
    let project = try SupabaseProject(try EngineEnvironment())
    let session =
      if let email { try await project.auth.signIn(email: email, password: try Self.readPassword()) } else {
        try await BrowserSignIn(provider: provider, opensBrowser: !noBrowser).run(project, print: Console.writeError)
      }
    try await project.signIn.store(session)
    output.write(SessionDocument(session), text: "signed in as \(session.name)\n")
  }

  private static func readPassword() throws -> String {
    guard let text = Console.readSecret("Password"), !text.isEmpty else { throw CommandFailure(.noPassword) }
    return text
  }
}

struct Logout: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "logout", abstract: "Sign out on this machine")

  @OptionGroup(title: "Output") var output: OutputOptions

  func run() async throws {
    let session = try await SupabaseProject(try EngineEnvironment()).signIn.signOut()
    if !output.quiet { Console.writeError(session == nil ? "You are not signed in.\n" : "Signed out.\n") }
  }
}

struct WhoAmI: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "whoami", abstract: "Show the signed-in account, or exit with code 5 if you are not signed in")

  @OptionGroup(title: "Output") var output: OutputOptions

  func run() async throws {
    let environment = try EngineEnvironment()
    if environment.configuration.hasLocalAccount {
      return try await SignedInAccount(environment).runAndClose(showLocalAccount)
    }
    let project = try SupabaseProject(environment)
    guard let session = try project.signIn.session() else { throw AuthError.notSignedIn }
    let deletion = try await fetchPendingDeletion(project)
    if output.json { return Console.writeJSON(SessionDocument(session, deletion)) }
    writeText("\(session.name) at \(session.projectURL)", deletion)
  }

  private func showLocalAccount(_ account: SignedInAccount) async throws {
    let owner = try await account.loadOwner()
    let deletion = try await account.api.pendingDeletion()
    if output.json { return Console.writeJSON(SessionDocument(localAccount: owner, deletion)) }
    writeText("\(owner.name) at \(account.place)", deletion)
  }

  private func writeText(_ account: String, _ deletion: AccountDeletion?) {
    Console.write("\(account)\n")
    if let deletion {
      Console.write("the account will be deleted on \(deletion.displayDate); to keep it: bsc account delete --cancel\n")
    }
  }

  /// Returns the pending account deletion. Also returns `nil` if the backend is unreachable, so that the session can be
  /// shown offline.
  private func fetchPendingDeletion(_ project: SupabaseProject) async throws -> AccountDeletion? {
    do {
      let account = try await SignedInAccount(project, policy: RetryPolicy(budget: .zero))
      let answer = try await withTimeout(.seconds(5)) { try await account.api.pendingDeletion() }
      guard let answer else { throw AuthError.unreachable(reason: "no response within 5 s") }
      return answer
    } catch let error as any ExplainedError where error.explanation.id != "account.session-expired" {
      output.writeNote("could not check whether an account deletion is pending: \(error.explanation.why)")
      return nil
    }
  }
}

extension AuthSession {
  /// The account's email address, or its ID if there is no email address.
  var name: String { email ?? userID.uuidString.lowercased() }
}

/// A sign-in session as JSON, without its secrets.
struct SessionDocument: Encodable {
  var schema = "bsc.session/1"
  var userID: String
  var email: String?
  /// The project's URL; `local` for the local backend.
  var project: String
  /// When the access token expires, in Unix seconds. bsc renews the token automatically. Absent for the local backend.
  var expiresAt: Int64?
  /// When the account will be deleted, as ISO 8601 with a time zone; absent if no deletion is pending or the backend is
  /// unreachable.
  var deletesAt: String?

  init(_ session: AuthSession, _ deletion: AccountDeletion? = nil) {
    userID = session.userID.uuidString.lowercased()
    (email, project, expiresAt) = (session.email, session.projectURL, session.expiresAt)
    deletesAt = deletion?.deletesAt
  }

  init(localAccount owner: AccountOwner, _ deletion: AccountDeletion?) {
    userID = owner.userID.uuidString.lowercased()
    project = BackendKind.local.rawValue
    deletesAt = deletion?.deletesAt
  }
}
