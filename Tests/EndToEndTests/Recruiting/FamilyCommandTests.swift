import Foundation
import Recruiting
import ShareEngine
import TestSupport
import Testing

extension EndToEnd {
  /// `bsc recruiting family`, `schools` and `coaches` with accounts of a local backend.
  @Suite struct FamilyCommandTests {
    private static func run(
      _ home: BSCHome, _ arguments: String..., status: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [RecruitingAnswer] {
      try await RecruitingAnswer.all(
        of: home, ["recruiting"] + arguments, status: status, sourceLocation: sourceLocation)
    }

    private static func expect(
      _ home: BSCHome, _ id: String, _ status: Int32, _ arguments: [String],
      sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      let run = try await home.run(["recruiting"] + arguments + ["--json"], sourceLocation: sourceLocation)
      #expect(run.status == status && run.failures.map(\.id) == [id], "\(run)", sourceLocation: sourceLocation)
    }

    @Test func codeAddsOneMemberOnce() async throws {
      let project = try await StandInProject(try BSCHome())
      let (ann, bob, eve) = (
        try await project.member("ann"), try await project.member("bob"), try await project.member("eve")
      )
      try await Self.expect(ann, "recruiting.no-family", 5, ["coaches"])
      let created = try #require(try await Self.run(ann, "family", "create", "Silva").first?.family)
      #expect(created.name == "Silva")
      #expect(try await Self.run(ann, "family").first?.role == "parent")

      let invite = try #require(try await Self.run(ann, "family", "invite", "athlete", "--days", "2").first)
      let code = try #require(invite.code)
      #expect(invite.invite?.role == .athlete && code.count == 14)
      #expect(try await Self.run(ann, "family", "invites").map(\.invite?.id) == [invite.invite?.id])
      try await Self.expect(bob, "recruiting.not-found", 66, ["family", "join", "0000-0000-0000"])
      // The code comes from stdin, which is empty at first.
      try await Self.expect(bob, "recruiting.no-text", 64, ["family", "join"])
      let join = try BSCProcess(
        ["recruiting", "family", "join", "--json"],
        input: Data((code.lowercased().replacing("-", with: " ") + "\n").utf8), environment: bob.environment,
        folder: bob.folder.path)
      let joined = await join.outcome()
      #expect(joined.status == 0 && joined.output.contains(created.id), "\(joined)")
      try await Self.expect(eve, "recruiting.gone", 4, ["family", "join", code])
      #expect(try await Self.run(ann, "family", "invites").isEmpty)

      let members = try await Self.run(bob, "family", "members").compactMap(\.member)
      #expect(members.map(\.role) == [.athlete, .parent])
      // An athlete can't remove a parent, and can't invite.
      try await Self.expect(bob, "recruiting.not-found", 66, ["family", "remove", members[1].userId, "--force"])
      try await Self.expect(bob, "recruiting.forbidden", 4, ["family", "invite", "parent"])
      try await Self.expect(ann, "recruiting.unconfirmed", 64, ["family", "remove", members[0].userId])
      #expect(try await Self.run(ann, "family", "remove", members[0].userId, "-f").first?.action == "remove-member")
      try await Self.expect(bob, "recruiting.no-family", 5, ["family"])
      _ = try await Self.run(ann, "family", "leave", "--force")
      try await Self.expect(ann, "recruiting.no-family", 5, ["family", "members"])
    }

    @Test func listsAreWrittenAsCSV() async throws {
      let project = try await StandInProject(try BSCHome())
      let ann = try await project.member("ann")
      _ = try await Self.run(ann, "family", "create", "=Silva")
      let invite = try #require(try await Self.run(ann, "family", "invite", "athlete").first)
      func records(_ arguments: String...) async throws -> [[Substring]] {
        let run = try await ann.run(["recruiting", "family"] + arguments + ["--csv"])
        #expect(run.status == 0, "\(run)")
        return run.output.split(separator: "\r\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
      }
      let families = try await records("list")
      #expect(families.count == 2 && families[1].prefix(2) == ["'=Silva", "yes"])
      let members = try await records("members")
      #expect(members.count == 2 && members[1][2] == "parent" && RecruitingDate.parse(String(members[1][3])) != nil)
      let invites = try await records("invites")
      #expect(invites.count == 2 && invites[1][0] == "athlete" && invites[1][2] == (invite.invite?.id ?? ""))
      // The file must not contain the code.
      let code = try #require(invite.code)
      #expect(!invites.joined().contains { $0.contains(code) })
      for list in ["list", "members", "invites"] {
        try await Self.expect(ann, "usage.arguments", 64, ["family", list, "--csv"])
      }
    }

    /// Without a connection, a command fails after its attempts, and changes nothing; with it again, it works.
    @Test func commandReportsAMissingConnection() async throws {
      let place = try BSCHome()
      var project: StandInProject? = try await StandInProject(place)
      let ann = try #require(try await project?.member("ann"))
      _ = try await Self.run(ann, "family", "create", "Silva")
      let server = try #require(project?.server)
      server.process.send(SIGKILL)
      _ = await server.process.outcome()
      project = nil
      try await Self.expect(ann, "backend.unreachable", 6, ["schools", "add", "Rice"])

      let again = try await ServeProcess(place, ["--password-rounds", "64"])
      defer { withExtendedLifetime(again) {} }
      #expect(try await Self.run(ann, "schools").isEmpty)
      #expect(try await Self.run(ann, "schools", "add", "Rice").first?.school?.row?.name == "Rice")
    }

    @Test func withdrawnCodeNoLongerWorks() async throws {
      let project = try await StandInProject(try BSCHome())
      let (ann, bob) = (try await project.member("ann"), try await project.member("bob"))
      _ = try await Self.run(ann, "family", "create", "Silva")
      let invite = try #require(try await Self.run(ann, "family", "invite", "parent").first)
      _ = try await Self.run(ann, "family", "withdraw", try #require(invite.invite?.id))
      try await Self.expect(bob, "recruiting.not-found", 66, ["family", "join", try #require(invite.code)])
    }

    @Test func oneOfSeveralFamiliesIsActive() async throws {
      let project = try await StandInProject(try BSCHome())
      let ann = try await project.member("ann")
      for name in ["Silva", "Okafor"] { _ = try await Self.run(ann, "family", "create", name) }
      #expect(try await Self.run(ann, "family").first?.family?.name == "Okafor")
      _ = try await Self.run(ann, "schools", "add", "Rice")
      _ = try await Self.run(ann, "family", "switch", "silva")
      #expect(try await Self.run(ann, "schools").isEmpty)
      #expect(try await Self.run(ann, "schools", "--family", "okafor").compactMap(\.school?.row?.name) == ["Rice"])
      #expect(try await Self.run(ann, "family", "list").map(\.status) == [nil, "active"])
      try await Self.expect(ann, "recruiting.unknown-name", 66, ["family", "switch", "Lee"])
      // Without the stored choice, the user must choose.
      try FileManager.default.removeItem(atPath: try ann.places.activeFamiliesFile)
      try await Self.expect(ann, "recruiting.several-families", 64, ["schools"])
      #expect(try await Self.run(ann, "family", "list").map(\.status) == [nil, nil])
      #expect(try await Self.run(ann, "family", "rename", "Lee", "--family", "silva").first?.family?.name == "Lee")
    }

    @Test func schoolsAndCoachesAreChanged() async throws {
      let project = try await StandInProject(try BSCHome())
      let (ann, eve) = (try await project.member("ann"), try await project.member("eve"))
      for home in [ann, eve] { _ = try await Self.run(home, "family", "create", "Silva") }
      let school = try #require(
        try await Self.run(ann, "schools", "add", "Rice", "--x", "https://x.com/RiceVB").first?.school?.row)
      #expect(school.twitterHandle == "RiceVB")
      let added = try await Self.run(
        ann, "coaches", "add", "Ann", "Lee", "--school", "rice", "--role", "head_coach", "--x", "@annlee")
      let coach = try #require(added.first?.coach?.row)
      #expect(coach.twitterHandle == "annlee" && added.first?.school?.name == "Rice")
      _ = try await Self.run(ann, "coaches", "edit", "ann lee", "--role", "", "--school", "", "--last-name", "Lu")
      let shown = try #require(try await Self.run(ann, "coaches", "show", "Ann Lu").first)
      #expect(shown.coach?.row?.role == nil && shown.school?.name == nil && shown.coach?.row?.id == coach.id)

      let coaches: [([String], String, Int32)] = [
        (["add", "Bo", "Diaz", "--x", "bo diaz"], "recruiting.handle-character", 64),
        (["add", "Bo", "Diaz", "--school", "Iowa"], "recruiting.unknown-name", 66),
        (["add", " ", "Diaz"], "recruiting.no-text", 64), (["show", "Cy Wu"], "recruiting.unknown-name", 66),
        (["list", "--csv"], "usage.arguments", 64),
      ]
      for (arguments, id, status) in coaches { try await Self.expect(ann, id, status, ["coaches"] + arguments) }
      // Another family sees and changes nothing.
      #expect(try await Self.run(eve, "coaches").isEmpty)
      try await Self.expect(eve, "recruiting.unknown-name", 66, ["coaches", "edit", coach.id, "--role", "x"])

      _ = try await Self.run(ann, "coaches", "archive", "Ann Lu")
      #expect(try await Self.run(ann, "coaches").isEmpty)
      #expect(try await Self.run(ann, "coaches", "--archived").first?.coach?.row?.archivedAt != nil)
      _ = try await Self.run(ann, "coaches", "restore", coach.id)
      #expect(try await Self.run(ann, "coaches", "list", "--search", "LU").count == 1)
      _ = try await Self.run(ann, "schools", "edit", "Rice", "--name", "Rice University")
      _ = try await Self.run(ann, "schools", "archive", "rice university")
      #expect(try await Self.run(ann, "schools").isEmpty)
    }

    /// The exported table is a table for the import.
    @Test func importShowsItsEffectAndAddsOnce() async throws {
      let project = try await StandInProject(try BSCHome())
      let ann = try await project.member("ann")
      _ = try await Self.run(ann, "family", "create", "Silva")
      let file = ann.folder.path("coaches.csv")
      let text = """
        First;Last;School;Twitter
        Ann;Lee;Rice;@annlee
        Bo;Diaz;rice;
        Cy;;Iowa;
        Di;Wu;Iowa;not a handle
        ann;LEE;Rice;
        """
      try Data(text.utf8).write(to: URL(filePath: file))
      let preview = try #require(try await Self.run(ann, "coaches", "import", file, "--dry-run").first)
      #expect(preview.added == 2 && preview.isDryRun == true && preview.duplicateLines == [6])
      #expect(preview.problems?.map(\.line) == [4, 5])
      #expect(try await Self.run(ann, "coaches").isEmpty)
      try await Self.expect(ann, "recruiting.unconfirmed", 64, ["coaches", "import", file])
      _ = try await Self.run(ann, "coaches", "import", file, "--force")
      #expect(try await Self.run(ann, "schools").compactMap(\.school?.row?.name) == ["Rice"])
      #expect(try await Self.run(ann, "coaches").map(\.school?.name) == ["Rice", "Rice"])
      #expect(try await Self.run(ann, "coaches", "import", file, "--force").first?.added == 0)

      let export = try await ann.run("recruiting", "coaches", "--csv")
      let exported = ann.folder.path("export.csv")
      try Data(export.output.utf8).write(to: URL(filePath: exported))
      let again = try #require(try await Self.run(ann, "coaches", "import", exported, "--dry-run").first)
      #expect(again.added == 0 && again.duplicateLines == [2, 3])

      try Data("name\n\"open".utf8).write(to: URL(filePath: file))
      try await Self.expect(ann, "recruiting.import-syntax", 66, ["schools", "import", file, "-f"])
      try Data("color\nred".utf8).write(to: URL(filePath: file))
      try await Self.expect(ann, "recruiting.import-columns", 66, ["schools", "import", file, "-f"])
      try await Self.expect(ann, "file.not-found", 66, ["schools", "import", ann.folder.path("missing.csv")])
    }
  }
}
