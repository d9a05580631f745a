import ArgumentParser
import ClipModel
import Foundation
import Highlights
import ShareEngine
import Social

struct Account: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "account", abstract: "Delete, restore or export your account",
    subcommands: [Delete.self, Restore.self, Export.self])

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
      try await SignedInAccount(try EngineEnvironment()).runAndClose(delete)
    }

    private func delete(_ account: SignedInAccount) async throws {
      let owner = try await account.loadOwner()
      if cancel { return try await Account.restore(account, owner, output) }
      let pending = try await account.api.pendingDeletion()
      guard try pending != nil || confirmDeletion(owner, at: account.place) else {
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

extension Account {
  struct Restore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "restore", abstract: "Cancel the pending deletion of your account")

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      try await SignedInAccount(try EngineEnvironment()).runAndClose { account in
        try await Account.restore(account, try await account.loadOwner(), output)
      }
    }
  }

  fileprivate static func restore(
    _ account: SignedInAccount, _ owner: AccountOwner, _ output: OutputOptions
  ) async throws {
    let isPending = try await account.api.pendingDeletion() != nil
    if isPending { try await account.api.cancelDeletion() }
    output.write(
      AccountDocument(owner),
      text: isPending
        ? "the account \(owner.name) will not be deleted\n" : "no deletion is pending for \(owner.name)\n")
  }

  struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "export", abstract: "Write everything that the backend stores about you as JSON files",
      discussion: """
        EXAMPLES:
          bsc account export my-data            a file for each table, such as my-data/comments.json
          bsc highlights export my-clips        the clips themselves
        """)

    @Argument(help: "Folder for the files.", completion: .directory)
    var folder: String

    @Flag(name: .shortAndLong, help: "Replace existing files.")
    var force = false

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let files = try await SocialCommands.withSession(output) { session in
        try await AccountExport.write(
          try await session.client.exportAccount(), to: URL(filePath: folder).path,
          replacing: force ? .replace : .keepExisting)
      }
      output.write(AccountExportDocument(files: files), text: "wrote \(files.count) files to \(whole: folder)\n")
    }
  }
}

/// The JSON document that lists the files of an exported account.
struct AccountExportDocument: Encodable {
  var schema = "bsc.account-export/1"
  /// Absolute paths.
  var files: [String]
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
