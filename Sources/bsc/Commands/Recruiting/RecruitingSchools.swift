#if Recruiting
import ArgumentParser
import ClipModel
import Foundation
import Recruiting
import Reports
import ShareEngine

extension RecruitingCommands {
  struct Schools: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "schools", abstract: "List, add, edit, archive and import schools",
      subcommands: [List.self, Show.self, Add.self, Edit.self, Archive.self, Restore.self, Import.self],
      defaultSubcommand: List.self)
  }
}

/// The handles of a school or a coach.
struct HandleOptions: ParsableArguments {
  @Option(help: "Handle on X: a name, or the address of a profile. An empty text removes it.") var x: String?
  @Option(help: "Handle on Instagram: a name, or the address of a profile. An empty text removes it.")
  var instagram: String?
}

/// Which schools or coaches a list contains.
struct ArchiveOptions: ParsableArguments {
  @Flag(help: "Also list archived ones.") var archived = false
}

extension RecruitingCommands.Schools {
  private static func write(
    _ verb: String, _ family: FamilyOptions, _ output: OutputOptions,
    _ change: (RecruitingSession, FamilyUnit) async throws -> School
  ) async throws {
    let school = try await RecruitingCommands.withFamily(family, output, change)
    output.write(RecruitingDocument("school", school), text: "\(verb) \(RecruitingText.line(school))\n")
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the schools by name")

    @OptionGroup var archive: ArchiveOptions
    @OptionGroup var table: TableOptions
    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws { try output.check(table) }

    func run() async throws {
      let schools = try await RecruitingCommands.withFamily(family, output) { try await $0.api.schools(of: $1.id) }
        .filter { archive.archived || $0.archivedAt == nil }
      if table.csv { return Console.writeRawText(RecruitingExport.schools(schools)) }
      output.writeList(schools, none: "No schools.") { (RecruitingDocument("school", $0), RecruitingText.line($0)) }
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show a school and its coaches")

    @Argument(help: "Name or ID of the school.") var school: String
    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let (school, coaches) = try await RecruitingCommands.withFamily(family, output) { session, family in
        let school = try await session.school(self.school, in: family)
        return (school, try await session.api.coaches(of: family.id).filter { $0.schoolId == school.id })
      }
      output.writeEntry(
        RecruitingDocument("school", school),
        text: RecruitingText.details(school) + coaches.map { RecruitingText.line($0, school: nil) })
    }
  }

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add a school",
      discussion: """
        EXAMPLES:
          bsc recruiting schools add "Stanford" --x stanfordwvb --instagram https://instagram.com/stanfordwvb
        """)

    @Argument(help: "Name, at most 200 characters.") var name: String
    @OptionGroup var handles: HandleOptions
    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let values = SchoolChange(name: name, twitterHandle: handles.x, instagramHandle: handles.instagram)
      try await RecruitingCommands.Schools.write("added", family, output) {
        try await $0.api.addSchool(values, id: RecruitingAPI.newID(), to: $1.id)
      }
    }
  }

  struct Edit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "edit", abstract: "Change a school")

    @Argument(help: "Name or ID of the school.") var school: String
    @Option(help: "New name, at most 200 characters.") var name: String?
    @OptionGroup var handles: HandleOptions
    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    private var change: SchoolChange {
      SchoolChange(name: name, twitterHandle: handles.x, instagramHandle: handles.instagram)
    }

    func validate() throws {
      if change.isEmpty { throw ValidationError("nothing to change; specify --name, --x or --instagram.") }
    }

    func run() async throws {
      try await RecruitingCommands.Schools.write("changed", family, output) { session, family in
        try await session.api.changeSchool(try await session.school(self.school, in: family).id, change)
      }
    }
  }

  struct Archive: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "archive", abstract: "Archive a school; interactions keep its name")

    @Argument(help: "Name or ID of the school.") var school: String
    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      try await RecruitingCommands.Schools.write("archived", family, output) { session, family in
        try await session.api.archiveSchool(try await session.school(self.school, in: family).id, at: Date())
      }
    }
  }

  struct Restore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "restore", abstract: "Restore an archived school")

    @Argument(help: "ID of the school.") var school: String
    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      try await RecruitingCommands.Schools.write("restored", family, output) { session, family in
        try await session.api.archiveSchool(try await session.school(self.school, in: family).id, at: nil)
      }
    }
  }

  struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "import", abstract: "Add the schools of a CSV file",
      discussion: """
        Columns: name, and optionally twitter_handle and instagram_handle. Existing schools are skipped.

        EXAMPLES:
          bsc recruiting schools import schools.csv --dry-run
        """)

    @OptionGroup var options: ImportOptions
    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      try await options.run(.schools, family, output) { session, family, table in
        try table.previewSchools(existing: try await session.api.schools(of: family.id))
      } describe: {
        StyledText($0.name.onOneLine)
      } store: { session, family, schools in
        _ = try await session.api.importSchools(schools, to: family.id)
        return nil
      }
    }
  }
}
#endif
