#if Recruiting
public import ArgumentParser
import ClipModel
import Foundation
public import Recruiting
import Reports
import ShareEngine

extension RecruitingCommands {
  struct Send: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "send", abstract: "Create a link that shows one highlight to one coach, for athletes",
      discussion: """
        Logs an outbound interaction with the link. bsc sends no message: copy the link into your email or message. The \
        coach needs no account. Run the command again if it was interrupted: the link exists once. "bsc share --coach" \
        shares a clip and creates the links.

        EXAMPLES:
          bsc recruiting send 3f2a --to "Ann Lee" --via email
          bsc recruiting send 3f2a --to "Ann Lee" --via dm --message "My best rally of the season:"
        """)

    @OptionGroup var argument: HighlightArgument
    @Option(name: .customLong("to"), help: "Name or ID of the coach.") var coach: String
    @Option(help: "How you send the link: email, dm, tweet or text. (default: email)")
    var via = CoachOptions.defaultChannel
    @Option(help: "Text before the link in the interaction. (default: the caption)") var message: String?
    @Option(
      help: "Number of days for which the link works. (default: 90)",
      transform: NumericArgument.wholeNumberParser(1...365))
    var days = LinkRequest.defaultDays
    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      try await RecruitingCommands.withFamily(family, output) { session, family in
        let coach = try await session.coach(self.coach, in: family)
        let highlight = try await session.connection.backend.findHighlight(argument.highlight)
        let request = LinkRequest(
          highlight, family: coach.familyUnitId, coach: coach.id, channel: via, message: message, days: days)
        let outcomes = try await session.send([request]) { outcomes in
          for sent in outcomes.compactMap({ try? $0.result.get() }) { write(sent, to: coach) }
          return outcomes
        }
        for outcome in outcomes { _ = try outcome.result.get() }
      }
    }

    private func write(_ sent: SentLink, to coach: Coach) {
      output.write(
        RecruitingDocument("link", sent.link, ["address": sent.address, "coach": coach.fullName]),
        text: """
          \(whole: sent.address ?? "")
          logged as \(via.interactionType.label) to \(coach.fullName.onOneLine); \
          the link works until \(LocalTime.format(sent.link.expiresAt))

          """)
    }
  }

  struct Links: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "links", abstract: "List and revoke the links that were sent to coaches",
      subcommands: [List.self, Revoke.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List links, newest first, and whether they were opened")

      @Option(help: "Links that were sent to this coach: a name or an ID.") var coach: String?
      @OptionGroup var table: TableOptions
      @OptionGroup var family: FamilyOptions
      @OptionGroup(title: "Output") var output: OutputOptions

      func validate() throws { try output.check(table) }

      func run() async throws {
        let (links, names) = try await RecruitingCommands.withFamily(family, output) { session, family in
          let coach = if let coach = self.coach { try await session.coach(coach, in: family).id } else { String?.none }
          let links = try await session.api.links(of: family.id).filter { coach == nil || $0.coachId == coach }
          return (links, try await session.names(of: family))
        }
        let now = Date()
        if table.csv {
          let text = RecruitingExport.links(links, coaches: names.coachNames, now: now, in: TimeArgument.zone)
          return Console.writeRawText(text)
        }
        output.writeList(links, none: "No links.") {
          (
            RecruitingDocument(
              "link", $0, ["coach": names.coach($0.coachId), "state": $0.state(at: now).rawValue]),
            RecruitingText.line($0, names, now: now)
          )
        }
      }
    }

    struct Revoke: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "End a link: its page at once, its video within five minutes")

      @Argument(help: "ID of the link, or at least its first four characters.") var id: String
      @OptionGroup var family: FamilyOptions
      @OptionGroup(title: "Output") var output: OutputOptions

      func run() async throws {
        let revoked = try await RecruitingCommands.withFamily(family, output) { session, family in
          let id = try await session.api.linkID(self.id, in: family.id)
          _ = try await session.api.revokeLink(id)
          return id
        }
        output.write(RecruitingActionDocument(action: .revokeLink, id: revoked), text: "revoked \(revoked)\n")
      }
    }
  }
}

extension HighlightLink.Channel: ExpressibleByArgument {}
#endif
