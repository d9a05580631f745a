#if Recruiting
public import ArgumentParser
import ClipModel
import DurableFiles
import Foundation
public import Recruiting
import Reports
import ShareEngine

extension RecruitingCommands {
  struct Interactions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "interactions", abstract: "Log, list, edit, delete, import and export contacts with coaches",
      discussion: """
        EXAMPLES:
          bsc recruiting interactions list --type email --days 30
          bsc recruiting interactions add email outbound --coach "Ann Lee" --subject "Introduction"
          bsc recruiting interactions list --csv > interactions.csv
          bsc recruiting interactions list --days 30 --pdf interactions.pdf
          bsc recruiting interactions attach 3f2a letter.jpg

        Athletes log interactions and see their own. Parents see those of all athletes of the family.
        """,
      subcommands: [
        List.self, Show.self, Add.self, Edit.self, Attach.self, Detach.self, Delete.self, Import.self,
      ], defaultSubcommand: List.self)
  }
}

/// The values of an interaction.
struct InteractionOptions: ParsableArguments {
  @Option(help: "Name or ID of the coach; an empty text removes it.") var coach: String?
  @Option(help: "Name or ID of the school; an empty text removes it. (default with --coach: the coach's)") var school:
    String?
  @Option(help: "Subject, at most 300 characters.") var subject: String?
  @Option(help: "Content, at most 10,000 characters.") var content: String?
  @Option(help: "Sentiment: very_positive, positive, neutral or negative.") var sentiment: PostSentiment?
  @Option(
    help: "When it took place, such as \"2026-02-03 14:15\". (default of a new one: now)",
    transform: TimeArgument.parse)
  var at: Date?

  var isEmpty: Bool {
    [coach, school, subject, content].allSatisfy { $0 == nil } && sentiment == nil && at == nil
  }

  /// The change that the options describe. The school of a new coach is that of the interaction.
  func change(
    type: InteractionType?, direction: InteractionDirection?, _ session: RecruitingSession, _ family: FamilyUnit
  ) async throws -> InteractionChange {
    var change = InteractionChange(
      type: type, direction: direction, subject: subject, content: content, sentiment: sentiment, occurredAt: at)
    if let coach, !coach.isEmpty {
      let coach = try await session.coach(coach, in: family)
      (change.coachId, change.schoolId) = (coach.id, coach.schoolId ?? "")
    } else {
      change.coachId = coach
    }
    if let school { change.schoolId = school.isEmpty ? "" : try await session.school(school, in: family).id }
    return change
  }
}

extension InteractionDirection: ExpressibleByArgument {}

extension RecruitingCommands.Interactions {
  /// A row with the names that belong to it.
  static func document(_ interaction: Interaction, _ names: FamilyNames) -> RecruitingDocument<Interaction> {
    RecruitingDocument(
      "interaction", interaction,
      [
        "coach": names.coach(interaction.coachId), "school": names.school(interaction.schoolId),
        "loggedBy": names.member(interaction.loggedBy),
      ])
  }

  static func write(
    _ verb: String, _ family: FamilyOptions, _ output: OutputOptions,
    _ change: (RecruitingSession, FamilyUnit) async throws -> Interaction
  ) async throws {
    let (interaction, names) = try await RecruitingCommands.withFamily(family, output) { session, family in
      (try await change(session, family), try await session.names(of: family))
    }
    output.write(
      document(interaction, names), text: "\(verb) \(RecruitingText.line(interaction, names))\n")
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List interactions, newest first, with their figures")

    @Option(help: "Interactions whose subject or content contains this text.") var search = ""
    @Option(help: "Type: \(InteractionType.allCases.map(\.rawValue).joined(separator: ", ")).")
    var type: InteractionType?
    @Option(help: "Direction: outbound or inbound.") var direction: InteractionDirection?
    @Option(help: "Sentiment: very_positive, positive, neutral or negative.") var sentiment: PostSentiment?
    @Option(help: "Interactions of the last 7, 14, 30 or 90 days.") var days: InteractionFilter.Period?
    @Option(help: "Interactions that this member logged, for parents: a username, a name or an ID.")
    var loggedBy: String?
    @OptionGroup var table: TableOptions
    @OptionGroup var document: DocumentOptions
    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
      try output.check(table)
      if table.csv, document.pdf != nil { throw ValidationError("--csv and --pdf cannot be combined.") }
    }

    func run() async throws {
      try document.prepare()
      let (now, zone) = (Date(), TimeArgument.zone)
      let (interactions, names, printed) = try await RecruitingCommands.withFamily(family, output) { session, family in
        let member = if let loggedBy { try await session.member(loggedBy, of: family).userId } else { String?.none }
        let filter = InteractionFilter(
          search: search, type: type, direction: direction, sentiment: sentiment, period: days, loggedBy: member)
        let found = filter.apply(to: try await session.api.interactions(of: family.id), now: now, in: zone)
        let names = try await session.names(of: family)
        let printed =
          document.pdf == nil
          ? nil
          : RecruitingExport.document(
            of: found, filter, family: family, members: names.members, viewer: try await session.account,
            schools: names.schoolNames, coaches: names.coachNames, now: now, in: zone)
        return (found, names, printed)
      }
      if let printed { return try await document.write(printed, output) }
      if table.csv {
        return Console.writeRawText(
          RecruitingExport.interactions(
            interactions, schools: names.schoolNames, coaches: names.coachNames, people: names.memberNames, in: zone))
      }
      output.writeList(interactions) {
        (RecruitingCommands.Interactions.document($0, names), RecruitingText.line($0, names))
      }
      let figures = InteractionFigures(interactions, now: now, in: zone)
      if output.json { Console.writeJSON(RecruitingDocument("figures", figures)) }
      output.writeRemark(RecruitingText.figures(figures))
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show an interaction")

    @Argument(help: "ID of the interaction, or at least its first four characters.") var id: String
    @Option(help: "Folder for the attached pictures. Existing files are not replaced.", completion: .directory)
    var save: String?
    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let (interaction, names) = try await RecruitingCommands.withFamily(family, output) { session, family in
        let interaction = try await session.api.interaction(id, in: family.id)
        if let save { try await session.saveAttachments(of: interaction, to: absolutePath(save)) }
        return (interaction, try await session.names(of: family))
      }
      output.writeEntry(
        RecruitingCommands.Interactions.document(interaction, names), text: RecruitingText.details(interaction, names))
    }
  }

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Log an interaction, for athletes",
      discussion: """
        EXAMPLES:
          bsc recruiting interactions add email outbound --coach "Ann Lee" --subject "Introduction"
          bsc recruiting interactions add phone_call inbound --school Rice --at "2026-02-03 14:15"
        """)

    @Argument(help: "Type: \(InteractionType.allCases.map(\.rawValue).joined(separator: ", ")).")
    var type: InteractionType
    @Argument(help: "outbound (you contacted the coach) or inbound (the coach contacted you).")
    var direction: InteractionDirection
    @OptionGroup var values: InteractionOptions
    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      try await RecruitingCommands.Interactions.write("logged", family, output) { session, family in
        let change = try await values.change(type: type, direction: direction, session, family)
        return try await session.api.addInteraction(change, id: RecruitingAPI.newID(), to: family.id)
      }
    }
  }

  struct Edit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "edit", abstract: "Change an interaction that you logged")

    @Argument(help: "ID of the interaction, or at least its first four characters.") var id: String
    @Option(help: "Type: \(InteractionType.allCases.map(\.rawValue).joined(separator: ", ")).")
    var type: InteractionType?
    @Option(help: "Direction: outbound or inbound.") var direction: InteractionDirection?
    @OptionGroup var values: InteractionOptions
    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
      if type == nil, direction == nil, values.isEmpty {
        throw ValidationError("nothing to change; specify --type, --direction, --coach, --subject or another value.")
      }
    }

    func run() async throws {
      try await RecruitingCommands.Interactions.write("changed", family, output) { session, family in
        let known = try await session.api.interaction(id, in: family.id)
        let change = try await values.change(type: type, direction: direction, session, family)
        return try await session.api.changeInteraction(known.id, change)
      }
    }
  }

  struct Attach: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "attach", abstract: "Attach pictures to an interaction that you logged",
      discussion: """
        EXAMPLES:
          bsc recruiting interactions attach 3f2a letter.jpg message.png
          bsc recruiting interactions show 3f2a --save pictures/

        Pictures can be JPEG, PNG or WebP files with at most 4 MiB. Their metadata, such as the location, is removed. \
        Your family's parents see them.
        """)

    @Argument(help: "ID of the interaction, or at least its first four characters.") var id: String
    @Argument(help: "Pictures.", completion: .file()) var files: [String]
    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      try await RecruitingCommands.Interactions.write("changed", family, output) { session, family in
        var interaction = try await session.api.interaction(id, in: family.id)
        for file in files { interaction = try await session.attach(absolutePath(file), to: interaction) }
        return interaction
      }
    }
  }

  struct Detach: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "detach", abstract: "Remove an attachment from an interaction that you logged")

    @Argument(help: "ID of the interaction, or at least its first four characters.") var id: String
    @Argument(help: "Name of the attachment, as \"show\" lists it.") var name: String
    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      try await RecruitingCommands.Interactions.write("changed", family, output) { session, family in
        try await session.detach(name, from: try await session.api.interaction(id, in: family.id))
      }
    }
  }

  struct Delete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "delete", abstract: "Delete an interaction that you logged")

    @Argument(help: "ID of the interaction, or at least its first four characters.") var id: String
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      try await RecruitingCommands.withFamily(family, output) { session, family in
        let known = try await session.api.interaction(id, in: family.id)
        let names = try await session.names(of: family)
        let question: StyledText = "Delete \(RecruitingText.line(known, names))? This cannot be undone."
        guard try confirmation.confirm(question, "the interaction \(known.id)") else {
          return Console.writeError("Not deleted.\n")
        }
        try await session.api.deleteInteraction(known.id)
        output.write(RecruitingActionDocument(action: .deleteInteraction, id: known.id), text: "deleted \(known.id)\n")
      }
    }
  }

  struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "import", abstract: "Log the interactions of a CSV file, for athletes",
      discussion: """
        Columns: type and direction, and optionally occurred_at, coach, school, subject, content and sentiment. Coaches \
        and schools must exist. Interactions that exist with the same values are skipped.

        EXAMPLES:
          bsc recruiting interactions import contacts.csv --dry-run
        """)

    @OptionGroup var options: ImportOptions
    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      try await options.run(.interactions, family, output) { session, family, table in
        try table.previewInteractions(
          existing: try await session.api.interactions(of: family.id),
          coaches: try await session.api.coaches(of: family.id), schools: try await session.api.schools(of: family.id),
          in: TimeArgument.zone)
      } describe: { entry in
        let parts = [
          entry.occurredAt.map { LocalTime.format($0) }, entry.type.label, entry.direction.label, entry.subject,
        ]
        return StyledText(parts.compactMap(\.self).joined(separator: "  ").onOneLine)
      } store: { session, family, interactions in
        try await session.api.importInteractions(interactions, to: family.id)
        return nil
      }
    }
  }
}

extension InteractionFilter.Period: ExpressibleByArgument {
  public init?(argument: String) {
    guard let days = Int(argument), let period = Self(rawValue: days) else { return nil }
    self = period
  }

  /// The values that the help lists.
  public static var allValueStrings: [String] { allCases.map { "\($0.rawValue)" } }
}
#endif
