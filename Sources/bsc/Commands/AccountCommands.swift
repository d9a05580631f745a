import ArgumentParser
import ClipModel
import Foundation
import Highlights
import ShareEngine

struct Account: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "account", abstract: "Manage your account in the Supabase project", subcommands: [Delete.self])

  struct Delete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "delete", abstract: "Delete your account and its highlights after seven days",
      discussion: """
        EXAMPLES:
          bsc account delete                    asks for confirmation
          bsc account delete --cancel           cancels the deletion
          bsc account delete --yes-delete ana   deletes the account ana without asking
        """)

    @Flag(help: "Cancel the pending deletion.")
    var cancel = false

    @Option(help: "Confirm with the username or email address of the signed-in account.")
    var yesDelete: String?

    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
      if cancel, yesDelete != nil { throw ValidationError("--cancel and --yes-delete cannot be combined.") }
    }

    func run() async throws {
      let account = try await SignedInAccount(try SupabaseProject(try EngineEnvironment()))
      let owner = try await account.loadOwner()
      let pending = try await account.api.pendingDeletion()
      if cancel {
        if pending != nil { try await account.api.cancelDeletion() }
        return output.write(
          AccountDocument(owner),
          text: pending == nil
            ? "no deletion is pending for \(owner.name)\n" : "the account \(owner.name) will not be deleted\n")
      }
      guard try pending != nil || confirmDeletion(owner, at: account.project.url) else {
        return Console.writeError("Not deleted.\n")
      }
      let deletion = if let pending { pending } else { try await account.api.requestDeletion() }
      output.write(
        AccountDocument(owner, deletion),
        text: """
          the account \(owner.name) will be deleted on \(deletion.displayDate)
          to keep it: bsc account delete --cancel

          """)
    }

    /// Asks for confirmation twice. The second time, the user must enter the account's name.
    private func confirmDeletion(_ owner: AccountOwner, at project: String) throws -> Bool {
      if let yesDelete {
        guard owner.matches(yesDelete) else {
          throw CommandFailure(.otherAccount, ["account": yesDelete, "current": owner.name])
        }
        return true
      }
      guard Console.isInputTerminal else { throw CommandFailure(.accountDeletionUnconfirmed, ["account": owner.name]) }
      let question: StyledText =
        """
        The account \(owner.name) at \(project) and its highlights, comments, likes and follows will be deleted in
        seven days. Until then, the account will be hidden, and you can cancel the deletion. Delete it?
        """
      guard Console.confirm(question) else { return false }
      Console.writeError("Type \(owner.name) to confirm: ")
      return readLine().map(owner.matches) ?? false
    }
  }
}

/// The JSON document that describes an account.
struct AccountDocument: Encodable {
  var schema = "bsc.account/1"
  var userID: String
  var username: String?
  var email: String?
  /// When the deletion was requested, as ISO 8601 with a time zone; absent unless a deletion is pending.
  var requestedAt: String?
  var deletesAt: String?

  init(_ owner: AccountOwner, _ deletion: AccountDeletion? = nil) {
    userID = owner.userID.uuidString.lowercased()
    (username, email) = (owner.username, owner.email)
    (requestedAt, deletesAt) = (deletion?.requestedAt, deletion?.deletesAt)
  }
}
