import ArgumentParser
import ClipModel
import Foundation
import Highlights
import ShareEngine

struct Account: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Your account at the Supabase project of your settings.", subcommands: [Delete.self])

  struct Delete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Delete the account and all that is in it, after seven days in which you can take it back.",
      discussion: """
        EXAMPLES:
          bsc account delete                    asks twice
          bsc account delete --cancel           the account stays
          bsc account delete --yes-delete ana   asks nothing: the account of ana
        """)

    @Flag(help: "Take it back, as long as the account is there.")
    var cancel = false

    @Option(help: "Do not ask; the username or the address of the account that is signed in.")
    var yesDelete: String?

    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
      if cancel, yesDelete != nil { throw ValidationError("Choose one of --cancel and --yes-delete.") }
    }

    func run() async throws {
      let account = try await SignedInAccount(try SupabaseProject(try EngineEnvironment()))
      let owner = try await account.owner()
      let pending = try await account.api.deletion()
      if cancel { return try await keep(account, owner, pending) }
      if let pending { return tell(owner, pending, "is to be deleted already") }
      guard try isMeant(owner, at: account.project.url) else {
        Console.writeError("Kept.\n")
        return
      }
      tell(owner, try await account.api.requestDeletion(), "is to be deleted")
    }

    private func keep(_ account: SignedInAccount, _ owner: AccountOwner, _ pending: AccountDeletion?) async throws {
      if pending != nil { try await account.api.cancelDeletion() }
      if output.json { return Console.writeJSON(AccountDocument(owner)) }
      if !output.quiet {
        Console.write(
          pending == nil ? "nobody wants \(owner.name) to be deleted\n" : "the account \(owner.name) stays\n")
      }
    }

    private func tell(_ owner: AccountOwner, _ deletion: AccountDeletion, _ words: String) {
      if output.json { return Console.writeJSON(AccountDocument(owner, deletion)) }
      if output.quiet { return }
      Console.write(
        "the account \(owner.name) \(words), on \(deletion.displayDate)\ntake it back until then: bsc account delete --cancel\n"
      )
    }

    /// Asked twice, and the second time for more than a key.
    private func isMeant(_ owner: AccountOwner, at project: String) throws -> Bool {
      if let yesDelete {
        guard owner.isMeant(by: yesDelete) else {
          throw CommandFailure(.otherAccount, ["account": yesDelete, "current": owner.name])
        }
        return true
      }
      guard Console.isInputTerminal else {
        throw CommandFailure(.accountDeletionUnconfirmed, ["account": owner.name])
      }
      Console.writeError(
        """
        The account \(owner.name) at \(project), its highlights, comments, likes and follows will be deleted in seven
        days. Nobody else sees it until then, and you can take it back. Delete it? [y/N]\u{20}
        """)
      guard let answer = readLine()?.lowercased(), ["y", "yes"].contains(answer) else { return false }
      Console.writeError("Type \(owner.name) to go on: ")
      return readLine().map(owner.isMeant) ?? false
    }
  }
}

/// An account as JSON.
struct AccountDocument: Encodable {
  var schema = "bsc.account/1"
  var userID: String
  var username: String?
  var email: String?
  /// When it was asked for and when it is done; absent for an account that stays. ISO 8601 with zone.
  var requestedAt: String?
  var deletesAt: String?

  init(_ owner: AccountOwner, _ deletion: AccountDeletion? = nil) {
    userID = owner.userID.uuidString.lowercased()
    username = owner.username
    email = owner.email
    requestedAt = deletion?.requestedAt
    deletesAt = deletion?.deletesAt
  }
}
