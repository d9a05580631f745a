import ArgumentParser
import ClipModel
import Foundation
import Highlights
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

  func run() async throws {
    let project = try SupabaseProject(try EngineEnvironment())
    let session =
      if let email { try await project.auth.signIn(email: email, password: try Password.ask()) } else {
        try await BrowserSignIn(provider: provider, opensBrowser: !noBrowser).run(project, say: Console.writeError)
      }
    try await project.signIn.store(session)
    if output.json {
      Console.writeJSON(SessionDocument(session))
    } else if !output.quiet {
      Console.write("signed in as \(session.email ?? session.userID.uuidString.lowercased())\n")
    }
  }
}

struct Logout: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Sign out on this machine.")

  @OptionGroup(title: "Output") var output: OutputOptions

  func run() async throws {
    let project = try SupabaseProject(try EngineEnvironment())
    let session = try await project.signIn.end()
    if output.quiet { return }
    Console.writeError(session == nil ? "Nobody was signed in.\n" : "Signed out.\n")
  }
}

struct WhoAmI: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "whoami", abstract: "Who is signed in, and where. Exit code 5 when nobody is.")

  @OptionGroup(title: "Output") var output: OutputOptions

  private static let patience = Duration.seconds(5)

  func run() async throws {
    let project = try SupabaseProject(try EngineEnvironment())
    guard let session = try project.signIn.session() else { throw AuthError.notSignedIn }
    let deletion = try await pendingDeletion(project)
    if output.json {
      Console.writeJSON(SessionDocument(session, deletion))
    } else {
      Console.write("\(session.email ?? session.userID.uuidString.lowercased()) at \(session.projectURL)\n")
      if let deletion {
        Console.write("the account is to be deleted on \(deletion.displayDate); it stays with bsc account delete --cancel\n")
      }
    }
  }

  /// Who is signed in is told without a network, too: then nobody knows of a deletion.
  private func pendingDeletion(_ project: SupabaseProject) async throws -> AccountDeletion? {
    do {
      let account = try await SignedInAccount(project, policy: RetryPolicy(budget: .zero))
      return try await withThrowingTaskGroup(of: AccountDeletion?.self) { group in
        group.addTask { try await account.api.deletion() }
        group.addTask {
          try await Task.sleep(for: Self.patience)
          throw AuthError.unreachable(reason: "no answer within \(Self.patience.components.seconds) s")
        }
        defer { group.cancelAll() }
        return try await group.next() ?? nil
      }
    } catch AuthError.sessionExpired(let reason) {
      throw AuthError.sessionExpired(reason: reason)
    } catch let error as any ExplainedError {
      if !output.quiet {
        Console.note("nobody knows whether the account is to be deleted: \(error.explanation.why)")
      }
      return nil
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
  /// When the account is deleted, ISO 8601 with zone; absent for one that stays, and where nobody could ask.
  var deletesAt: String?

  init(_ session: AuthSession, _ deletion: AccountDeletion? = nil) {
    deletesAt = deletion?.deletesAt
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
      throw CommandFailure(.noPassword)
    }
    return text
  }
}
