#if Recruiting
import ArgumentParser
import ClipModel
import Foundation
import Recruiting
import Reports
import ShareEngine

extension RecruitingCommands {
  struct Coaches: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "coaches", abstract: "List, add, edit, archive and import coaches",
      subcommands: [List.self, Show.self, Add.self, Edit.self, Archive.self, Restore.self, Import.self],
      defaultSubcommand: List.self)
  }
}

extension RecruitingCommands.Coaches {
  /// Prints a coach with the name of the school.
  private static func write(
    _ verb: String, _ family: FamilyOptions, _ output: OutputOptions,
    _ change: (RecruitingSession, FamilyUnit) async throws -> Coach
  ) async throws {
    let (coach, school) = try await RecruitingCommands.withFamily(family, output) { session, family in
      let coach = try await change(session, family)
      let schools = coach.schoolId == nil ? [] : try await session.api.schools(of: family.id)
      return (coach, schools.first { $0.id == coach.schoolId }?.name)
    }
    output.write(
      RecruitingDocument("coach", coach, ["school": school]),
      text: "\(verb) \(RecruitingText.line(coach, school: school))\n")
  }

  /// The ID of a school that an option names. An empty text removes the school.
  fileprivate static func schoolID(
    _ name: String?, _ session: RecruitingSession, _ family: FamilyUnit
  ) async throws -> String? {
    guard let name, !name.isEmpty else { return name }
    return try await session.school(name, in: family).id
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the coaches by last name",
      discussion: """
        EXAMPLES:
          bsc recruiting coaches list --school Stanford
          bsc recruiting coaches list --csv > coaches.csv
        """)

    @Option(help: "Coaches of this school: a name or an ID.") var school: String?
    @Option(help: "Coaches whose name or role contains this text.") var search: String?
    @OptionGroup var archive: ArchiveOptions
    @OptionGroup var table: TableOptions
    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws { try output.check(table) }

    func run() async throws {
      let (coaches, names) = try await RecruitingCommands.withFamily(family, output) { session, family in
        let names = try await session.names(of: family)
        let school = try await RecruitingCommands.Coaches.schoolID(self.school, session, family)
        let coaches = names.coaches.filter { coach in
          (archive.archived || coach.archivedAt == nil) && (school == nil || coach.schoolId == school)
            && (search.map { "\(coach.fullName) \(coach.roleLabel ?? "")".localizedCaseInsensitiveContains($0) }
              != false)
        }
        return (coaches, names)
      }
      if table.csv { return Console.writeRawText(RecruitingExport.coaches(coaches, schools: names.schoolNames)) }
      output.writeList(coaches, none: "No coaches.") {
        let school = names.school($0.schoolId)
        return (RecruitingDocument("coach", $0, ["school": school]), RecruitingText.line($0, school: school))
      }
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show a coach with handles, posts, sent highlights and interactions")

    @Argument(help: "Name or ID of the coach.") var coach: String
    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let (coach, names, text) = try await RecruitingCommands.withFamily(family, output) { session, family in
        let coach = try await session.coach(self.coach, in: family)
        let names = try await session.names(of: family)
        let posts = try await session.api.statistics(of: family.id, coach: coach.id)
        let links = try await session.api.links(of: family.id).filter { $0.coachId == coach.id }
        let interactions = try await session.api.interactions(of: family.id).filter { $0.coachId == coach.id }
        let text =
          RecruitingText.details(coach, school: names.school(coach.schoolId), posts)
          + links.prefix(10).map { RecruitingText.line($0, names, now: Date()) }
          + interactions.prefix(10).map { RecruitingText.line($0, names) }
        return (coach, names, text)
      }
      output.writeEntry(RecruitingDocument("coach", coach, ["school": names.school(coach.schoolId)]), text: text)
    }
  }

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add a coach",
      discussion: """
        EXAMPLES:
          bsc recruiting coaches add Ann Lee --school Stanford --role "Head Coach" --x annlee
        """)

    @Argument(help: "First name, at most 100 characters.") var firstName: String
    @Argument(help: "Last name, at most 100 characters.") var lastName: String
    @Option(help: "Name or ID of a school that exists.") var school: String?
    @Option(help: "Role, such as head_coach or \"Head Coach\".") var role: String?
    @OptionGroup var handles: HandleOptions
    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      try await RecruitingCommands.Coaches.write("added", family, output) { session, family in
        let values = CoachChange(
          firstName: firstName, lastName: lastName,
          schoolId: try await RecruitingCommands.Coaches.schoolID(school, session, family),
          role: role, twitterHandle: handles.x, instagramHandle: handles.instagram)
        return try await session.api.addCoach(values, id: RecruitingAPI.newID(), to: family.id)
      }
    }
  }

  struct Edit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "edit", abstract: "Change a coach")

    @Argument(help: "Name or ID of the coach.") var coach: String
    @Option(help: "First name, at most 100 characters.") var firstName: String?
    @Option(help: "Last name, at most 100 characters.") var lastName: String?
    @Option(help: "Name or ID of a school that exists; an empty text removes it.") var school: String?
    @Option(help: "Role, such as head_coach; an empty text removes it.") var role: String?
    @OptionGroup var handles: HandleOptions
    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
      if [firstName, lastName, school, role, handles.x, handles.instagram].allSatisfy({ $0 == nil }) {
        throw ValidationError(
          "nothing to change; specify --first-name, --last-name, --school, --role, --x or --instagram.")
      }
    }

    func run() async throws {
      try await RecruitingCommands.Coaches.write("changed", family, output) { session, family in
        let change = CoachChange(
          firstName: firstName, lastName: lastName,
          schoolId: try await RecruitingCommands.Coaches.schoolID(school, session, family),
          role: role, twitterHandle: handles.x, instagramHandle: handles.instagram)
        return try await session.api.changeCoach(try await session.coach(self.coach, in: family).id, change)
      }
    }
  }

  struct Archive: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "archive", abstract: "Archive a coach; interactions keep the name")

    @Argument(help: "Name or ID of the coach.") var coach: String
    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      try await RecruitingCommands.Coaches.write("archived", family, output) { session, family in
        try await session.api.archiveCoach(try await session.coach(self.coach, in: family).id, at: Date())
      }
    }
  }

  struct Restore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "restore", abstract: "Restore an archived coach")

    @Argument(help: "ID of the coach.") var coach: String
    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      try await RecruitingCommands.Coaches.write("restored", family, output) { session, family in
        try await session.api.archiveCoach(try await session.coach(self.coach, in: family).id, at: nil)
      }
    }
  }

  struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "import", abstract: "Add the coaches of a CSV file",
      discussion: """
        Columns: first_name and last_name, or name, and optionally school, role, twitter_handle and instagram_handle. \
        Existing coaches are skipped. Missing schools are added.

        EXAMPLES:
          bsc recruiting coaches import coaches.csv --dry-run
        """)

    @OptionGroup var options: ImportOptions
    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      try await options.run(.coaches, family, output) { session, family, table in
        try table.previewCoaches(
          existing: try await session.api.coaches(of: family.id), schools: try await session.api.schools(of: family.id))
      } describe: { coach in
        StyledText(
          "\(coach.firstName) \(coach.lastName)\(coach.newSchool.map { ", new school \($0)" } ?? "")".onOneLine)
      } store: { session, family, coaches in
        try await session.api.importCoaches(coaches, to: family.id)
        return nil
      }
    }
  }
}
#endif
