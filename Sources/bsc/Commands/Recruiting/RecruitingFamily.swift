#if Recruiting
import ArgumentParser
import ClipModel
import Foundation
import Recruiting
import Reports
import ShareEngine

extension RecruitingCommands {
  struct Family: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "family", abstract: "Create a family, invite its members, and switch between families",
      discussion: """
        EXAMPLES:
          bsc recruiting family create "Silva"
          bsc recruiting family invite athlete        prints a code, which works once
          bsc recruiting family join

        Parents see all interactions of the family and remove members. Athletes log interactions and see their own.
        """,
      subcommands: [
        Create.self, Show.self, List.self, Switch.self, Rename.self, Invite.self, Invites.self, Withdraw.self,
        Join.self, Members.self, Remove.self, Leave.self,
      ], defaultSubcommand: Show.self)
  }
}

extension RecruitingCommands.Family {
  private static func write(_ family: FamilyUnit, _ text: StyledText, _ output: OutputOptions) {
    output.write(RecruitingDocument("family", family), text: text)
  }

  struct Create: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "create", abstract: "Create a family, with you as its first member")

    @Argument(help: "Name of the family, at most 80 characters.") var name: String
    @Option(name: .customLong("as"), help: "Your role: athlete or parent. (default: parent)") var role = FamilyRole
      .parent
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let family = try await RecruitingCommands.withSession(output) {
        try await $0.createFamily(named: name, role: role)
      }
      RecruitingCommands.Family.write(
        family, "created the family \(family.name.onOneLine); you are its \(role.rawValue)\n", output)
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show the active family and its members")

    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let (family, members, account) = try await RecruitingCommands.withFamily(family, output) { session, family in
        (family, try await session.api.members(of: family.id), try await session.account)
      }
      let role = members.first { $0.userId == account }?.role
      output.write(
        RecruitingDocument("family", family, ["role": role?.rawValue]),
        text: ([RecruitingText.line(family)] + members.map { RecruitingText.line($0, isYou: $0.userId == account) })
          .lines)
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List your families")

    @OptionGroup var table: TableOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws { try output.check(table) }

    func run() async throws {
      let (families, active) = try await RecruitingCommands.withSession(output) { session in
        let families = try await session.api.families()
        return (families, try await session.active(of: families))
      }
      if table.csv { return Console.writeRawText(RecruitingExport.families(families, active: active?.id)) }
      output.writeList(families, none: "No family.") { family in
        let isActive = family.id == active?.id
        return (
          RecruitingDocument("family", family, ["status": isActive ? "active" : nil]),
          RecruitingText.line(family, isActive: isActive)
        )
      }
    }
  }

  struct Switch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "switch", abstract: "Select the family that all commands use on this machine")

    @Argument(help: "Name or ID of the family.") var name: String
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let family = try await RecruitingCommands.withSession(output) { session in
        let family = try await session.family(name)
        try await session.activate(family)
        return family
      }
      RecruitingCommands.Family.write(family, "the active family is now \(family.name.onOneLine)\n", output)
    }
  }

  struct Rename: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "rename", abstract: "Change the name of the family")

    @Argument(help: "New name, at most 80 characters.") var name: String
    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let family = try await RecruitingCommands.withFamily(family, output) {
        try await $0.api.renameFamily($1.id, to: name)
      }
      RecruitingCommands.Family.write(family, "renamed the family to \(family.name.onOneLine)\n", output)
    }
  }

  // MARK: Invitations

  struct Invite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "invite", abstract: "Create a code with which one person joins the family",
      discussion: """
        The code is printed once; bsc doesn't store it. Parents invite anyone. An athlete who is the only member invites \
        a parent.

        EXAMPLES:
          bsc recruiting family invite athlete
          bsc recruiting family invite parent --days 2
        """)

    @Argument(help: "Role of the invited person: athlete or parent.") var role: FamilyRole
    @Option(
      help: "Number of days for which the code works. (default: 7)",
      transform: NumericArgument.wholeNumberParser(1...30))
    var days = 7
    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let (invite, code) = try await RecruitingCommands.withFamily(family, output) {
        try await $0.api.invite(to: $1.id, as: role, days: days)
      }
      let groups = stride(from: 0, to: code.count, by: 4).map { String(code.dropFirst($0).prefix(4)) }
      let shown = groups.joined(separator: "-")
      output.write(
        RecruitingDocument("invite", invite, ["code": shown]),
        text: """
          code: \(shown, .strong)
          The invited \(role.rawValue) runs "bsc recruiting family join" and enters the code.
          The code works once, until \(LocalTime.format(invite.expiresAt)).

          """)
    }
  }

  struct Invites: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "invites", abstract: "List the invitations that can still be used")

    @OptionGroup var table: TableOptions
    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws { try output.check(table) }

    func run() async throws {
      let invites = try await RecruitingCommands.withFamily(family, output) {
        try await $0.api.openInvites(to: $1.id, now: Date())
      }
      if table.csv { return Console.writeRawText(RecruitingExport.invites(invites, in: TimeArgument.zone)) }
      output.writeList(invites, none: "No open invitations.") {
        (RecruitingDocument("invite", $0), RecruitingText.line($0))
      }
    }
  }

  struct Withdraw: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "withdraw", abstract: "Withdraw an invitation, so that its code no longer works")

    @Argument(help: "ID of the invitation, or its first characters.") var id: String
    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let withdrawn = try await RecruitingCommands.withFamily(family, output) { session, family in
        let open = try await session.api.openInvites(to: family.id, now: Date())
        let invite = try NameLookup.find(self.id, "invitation", in: open) { _ in [] }
        try await session.api.withdrawInvite(invite.id)
        return invite.id
      }
      output.write(RecruitingActionDocument(action: .withdrawInvite, id: withdrawn), text: "withdrew the invitation\n")
    }
  }

  struct Join: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "join", abstract: "Join a family with the code of an invitation",
      discussion: """
        Without CODE, bsc asks for it, or reads it from stdin. Other users of the computer can see a command's arguments, \
        but not what you type.
        """)

    @Argument(help: "Code. Case, spaces and hyphens don't matter.") var code: String?
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let code = self.code ?? Console.readSecret("Invitation code") ?? ""
      let family = try await RecruitingCommands.withSession(output) { try await $0.join(code: code) }
      RecruitingCommands.Family.write(family, "you are now a member of the family \(family.name.onOneLine)\n", output)
    }
  }

  // MARK: Members

  struct Members: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "members", abstract: "List the members of the family")

    @OptionGroup var table: TableOptions
    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws { try output.check(table) }

    func run() async throws {
      let (members, account) = try await RecruitingCommands.withFamily(family, output) { session, family in
        (try await session.api.members(of: family.id), try await session.account)
      }
      if table.csv { return Console.writeRawText(RecruitingExport.members(members, in: TimeArgument.zone)) }
      output.writeList(members) {
        (RecruitingDocument("member", $0), RecruitingText.line($0, isYou: $0.userId == account))
      }
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Remove a member from the family, for parents")

    @Argument(help: "Username, name or account ID.") var member: String
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      try await RecruitingCommands.withFamily(family, output) { session, family in
        let member = try await session.member(self.member, of: family)
        let name = member.displayName.onOneLine
        guard try confirmation.confirm("Remove \(name) from \(family.name.onOneLine)?", "the member \(name)") else {
          return Console.writeError("Not removed.\n")
        }
        try await session.api.removeMember(member.userId, from: family.id)
        output.write(RecruitingActionDocument(action: .removeMember, id: member.userId), text: "removed the member\n")
      }
    }
  }

  struct Leave: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "leave", abstract: "Leave the family; the last member's leaving deletes it")

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      try await RecruitingCommands.withFamily(family, output) { session, family in
        let members = try await session.api.members(of: family.id)
        let account = try await session.account
        var effect =
          members.count == 1 ? "Everything in it will be deleted." : "You will no longer see its coaches and posts."
        let parents = members.filter { $0.role == .parent }
        if members.count > 1, parents.count == 1, parents[0].userId == account {
          effect += " You are the only parent. Without a parent, no one can be invited or removed."
        }
        guard
          try confirmation.confirm("Leave \(family.name.onOneLine)? \(effect)", "the family \(family.name.onOneLine)")
        else { return Console.writeError("You are still a member of the family.\n") }
        try await session.api.removeMember(account, from: family.id)
        output.write(
          RecruitingActionDocument(action: .leave, id: family.id), text: "left the family \(family.name.onOneLine)\n")
      }
    }
  }
}
#endif
