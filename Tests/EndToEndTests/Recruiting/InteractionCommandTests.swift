import Foundation
import Recruiting
import TestSupport
import Testing

extension EndToEnd {
  /// `bsc recruiting interactions` with a parent and an athlete.
  @Suite struct InteractionCommandTests {
    @Test func athletesLogAndParentsRead() async throws {
      let family = try await RecruitingProject()
      let (ann, pat, eve) = (family.athlete, family.parent, family.other)
      try await family.run(ann, "schools", "add", "Rice")
      try await family.run(ann, "coaches", "add", "Bo", "Diaz", "--school", "Rice")
      let logged = try await family.run(
        ann, "interactions", "add", "email", "outbound", "--coach", "bo diaz", "--subject", "Hello", "--at",
        "2026-02-03 14:15")
      let first = try #require(logged.first?.interaction)
      #expect(logged.first?.coach?.name == "Bo Diaz" && logged.first?.school?.name == "Rice")
      try await family.run(ann, "interactions", "add", "phone_call", "inbound", "--sentiment", "positive")
      #expect(try await family.run(pat, "coaches", "show", "Bo Diaz").first?.coach?.row?.lastContactDate != nil)

      let list = try await family.run(pat, "interactions")
      #expect(list.compactMap(\.interaction?.type) == ["phone_call", "email"])
      #expect(list.last?.figures == InteractionFigures(total: 2, outbound: 1, inbound: 1, thisWeek: 1))
      let filtered = try await family.run(pat, "interactions", "list", "--direction", "outbound", "--logged-by", "ann")
      #expect(filtered.compactMap(\.interaction?.id) == [first.id] && filtered.last?.figures?.total == 1)
      #expect(try await family.run(eve, "interactions").count == 1)

      try await family.expect(pat, "recruiting.forbidden", 4, "interactions", "add", "email", "outbound")
      try await family.expect(pat, "recruiting.not-found", 66, "interactions", "edit", first.id, "--subject", "x")
      try await family.expect(eve, "recruiting.unknown-name", 66, "interactions", "show", first.id)
      try await family.expect(ann, "usage.arguments", 64, "interactions", "add", "email", "outbound", "--at", "soon")
      try await family.expect(ann, "usage.arguments", 64, "interactions", "list", "--days", "8")

      let short = String(first.id.prefix(8))
      // The school is that of the coach, who has none.
      try await family.run(ann, "coaches", "add", "Cy", "Wu")
      let moved = try await family.run(ann, "interactions", "edit", short, "--coach", "Cy Wu")
      #expect(moved.first?.coach?.name == "Cy Wu" && moved.first?.school == nil)
      let edited = try await family.run(ann, "interactions", "edit", short, "--subject", "Hi", "--coach", "")
      #expect(edited.first?.interaction?.subject == "Hi" && edited.first?.coach == nil)
      try await family.expect(ann, "recruiting.unconfirmed", 64, "interactions", "delete", short)
      try await family.run(ann, "interactions", "delete", short, "--force")
      #expect(try await family.run(ann, "interactions").last?.figures?.total == 1)
    }

    @Test func picturesAreAttachedWithoutMetadata() async throws {
      let family = try await RecruitingProject()
      let (ann, pat, eve) = (family.athlete, family.parent, family.other)
      let id = try #require(
        try await family.run(ann, "interactions", "add", "email", "inbound").first?.interaction?.id)
      let jpeg: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xFE, 0, 8] + Array("secret".utf8) + [0xFF, 0xDA, 0, 2, 1, 2, 0xFF, 0xD9]
      let path = ann.folder.path("Letter of Ünal.jpg")
      try Data(jpeg).write(to: URL(filePath: path))
      // The same file is attached once.
      for _ in 0..<2 { try await family.run(ann, "interactions", "attach", id, path) }
      let entry = try #require(try await family.run(pat, "interactions", "show", id).first?.interaction?.attachments)
      #expect(entry.count == 1 && entry[0].hasPrefix("attachments/\(id)/Letter-of--nal-"), "\(entry)")
      try await family.run(pat, "interactions", "show", id, "--save", "files")
      let name = try #require(entry.first?.split(separator: "/").last.map(String.init))
      let saved = pat.folder.path("files/\(name)")
      #expect(try Data(contentsOf: URL(filePath: saved)).count == jpeg.count - 10)
      #expect(try FileManager.default.attributesOfItem(atPath: saved)[.posixPermissions] as? Int == 0o600)
      try await family.expect(pat, "file.exists", 64, "interactions", "show", id, "--save", "files")
      try await family.expect(pat, "recruiting.forbidden", 4, "interactions", "attach", id, path)
      try await family.expect(eve, "recruiting.unknown-name", 66, "interactions", "attach", id, path)
      try Data("text".utf8).write(to: URL(filePath: path))
      try await family.expect(ann, "social.picture-unreadable", 4, "interactions", "attach", id, path)
      try await family.expect(ann, "recruiting.unknown-name", 66, "interactions", "detach", id, "other.jpg")
      try await family.expect(pat, "recruiting.not-found", 66, "interactions", "detach", id, name)
      try await family.run(ann, "interactions", "detach", id, name)
      #expect(try await family.run(pat, "interactions", "show", id).first?.interaction?.attachments == [])
    }

    /// The exported table is a table for the import.
    @Test func exportedTableIsImportedOnce() async throws {
      let family = try await RecruitingProject()
      let ann = family.athlete
      try await family.run(ann, "coaches", "add", "Bo", "Diaz")
      let file = ann.folder.path("contacts.csv")
      let text = """
        Date,Type,Direction,Coach,Subject,Notes
        2/3/2026 2:15 PM,Email,outbound,Bo Diaz,"Hello, coach","two
        lines"
        2026-02-04,Camp,inbound,,=1+1,
        2026-02-30,camp,inbound,,,
        ,email,sideways,,,
        ,email,inbound,Cy Unknown,,
        """
      try Data(text.utf8).write(to: URL(filePath: file))
      let imported = try #require(try await family.run(ann, "interactions", "import", file, "-f").first)
      #expect(imported.added == 2 && imported.problems?.map(\.column) == ["occurred_at", "direction", "coach"])
      let export = try await ann.run("recruiting", "interactions", "--csv")
      // Spreadsheets don't execute the subject.
      #expect(export.output.contains("'=1+1") && !export.output.contains(",=1+1"))
      let exported = ann.folder.path("export.csv")
      try Data(export.output.utf8).write(to: URL(filePath: exported))
      let again = try #require(try await family.run(ann, "interactions", "import", exported, "-f").first)
      #expect(again.added == 0 && again.duplicateLines?.count == 2)
    }

    @Test func aListIsWrittenAsPDFOnce() async throws {
      let family = try await RecruitingProject()
      let (ann, pat) = (family.athlete, family.parent)
      try await family.run(ann, "interactions", "add", "email", "outbound", "--subject", "First camp")
      try await family.run(ann, "interactions", "add", "phone_call", "inbound", "--subject", "Call back")
      let file = pat.folder.path("list.pdf")
      struct Written: Decodable, Equatable {
        var schema, file: String
        var interactions, pages: Int
      }
      let run = try await pat.run(
        "recruiting", "interactions", "list", "--type", "email", "--pdf", file, "--json")
      #expect(run.status == 0, "\(run)")
      let written = try JSONDecoder().decode(Written.self, from: Data(run.output.utf8))
      #expect(written == Written(schema: "bsc.recruiting-export/1", file: file, interactions: 1, pages: 1))
      let bytes = try Data(contentsOf: URL(filePath: file))
      let text = try PDFReader(bytes).pages.joined()
      #expect(text.contains("First camp") && !text.contains("Call back") && text.contains("Logged By"))

      try await family.expect(pat, "file.exists", 64, "interactions", "list", "--pdf", file)
      #expect(try Data(contentsOf: URL(filePath: file)) == bytes)
      try await family.run(pat, "interactions", "list", "--pdf", file, "--force", "--paper", "a4")
      let replaced = try PDFReader(try Data(contentsOf: URL(filePath: file)))
      #expect(replaced.pages.joined().contains("Call back") && replaced.info["Page size"]?.hasPrefix("841.89") == true)

      let own = ann.folder.path("own.pdf")
      try await family.run(ann, "interactions", "list", "--pdf", own)
      let ownText = try PDFReader(try Data(contentsOf: URL(filePath: own))).pages.joined()
      #expect(ownText.contains("Call back") && !ownText.contains("Logged By"))

      for arguments in [
        ["--csv", "--pdf", "x.pdf"], ["--paper", "a4"], ["--force"], ["--pdf", "x.pdf", "--paper", "a0"],
      ] {
        let run = try await ann.run(["recruiting", "interactions", "list", "--json"] + arguments)
        #expect(run.status == 64 && run.failures.map(\.id) == ["usage.arguments"], "\(run)")
      }
    }

    @Test func nothingRemainsOfAPDFThatCannotBeWritten() async throws {
      let family = try await RecruitingProject()
      let ann = family.athlete
      try await family.expect(ann, "file.bad-path", 74, "interactions", "list", "--pdf", "/dev/null/list.pdf")
      let folder = ann.folder.path("missing")
      try await family.expect(ann, "file.no-folder", 74, "interactions", "list", "--pdf", "\(folder)/list.pdf")
      #expect(!FileManager.default.fileExists(atPath: folder))
    }
  }
}
