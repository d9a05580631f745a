import ClipModel
import Foundation
import Recruiting
import ShareEngine
import TestSupport
import Testing

extension EndToEnd {
  /// `bsc recruiting send` and `links`.
  @Suite struct SendCommandTests {
    private static func share(_ home: BSCHome) async throws -> String {
      let clip = try home.distinctClip("rally-portrait", named: "clip")
      let run = await (try home.start(["share", clip, "--caption", "Match point", "--json"])).outcome()
      #expect(run.status == 0, "\(run)")
      return try #require(try ShareAnswer.all(in: run.output).first?.highlight).id.uuidString.lowercased()
    }

    /// The names of the stored secrets of links.
    private static func pending(_ home: BSCHome) throws -> [String] {
      let names = try? FileManager.default.contentsOfDirectory(atPath: try home.places.secretsFolder)
      return (names ?? []).filter { $0.hasPrefix("link-") }
    }

    @Test func linkIsSentLoggedAndRevoked() async throws {
      let family = try await RecruitingProject()
      var ann = family.athlete
      let pat = family.parent
      let highlight = try await Self.share(ann)
      try await family.run(ann, "coaches", "add", "Bo", "Diaz")
      try await family.expect(ann, "recruiting.no-base-url", 5, "send", highlight, "--to", "Bo Diaz")
      ann.environment["BSC_SHARE_BASE_URL"] = "https://clips.example.org/"
      let sent = try #require(
        try await family.run(ann, "send", String(highlight.prefix(8)), "--to", "Bo Diaz", "--via", "dm").first)
      let address = try #require(sent.address)
      let link = try #require(sent.link)
      #expect(address.wholeMatch(of: /https:\/\/clips\.example\.org\/s\/[A-Za-z0-9_-]{32}/) != nil, "\(address)")
      #expect(try Self.pending(ann).isEmpty)

      let interaction = try #require(try await family.run(pat, "interactions").first?.interaction)
      #expect(interaction.type == "dm" && interaction.direction == "outbound" && interaction.subject == "Match point")
      #expect(interaction.content?.contains(address) == true)
      #expect(try await family.run(pat, "coaches", "show", "Bo Diaz").first?.coach?.row?.lastContactDate != nil)
      let listed = try #require(try await family.run(pat, "links").first)
      #expect(listed.link?.id == link.id && listed.state == "active" && listed.coach?.name == "Bo Diaz")
      #expect(try await family.run(family.other, "links").isEmpty)

      try await family.expect(pat, "recruiting.unknown-name", 66, "send", highlight, "--to", "Cy Wu")
      try await family.expect(family.other, "recruiting.unknown-name", 66, "links", "revoke", link.id)
      try await family.run(pat, "links", "revoke", String(link.id.prefix(8)))
      #expect(try await family.run(ann, "links", "list", "--coach", "Bo Diaz").first?.state == "revoked")
      let csv = try await ann.run("recruiting", "links", "--csv")
      #expect(csv.status == 0 && csv.output.contains("revoked"))
    }

    #if os(Linux)
    /// The backend has stored the link, but the process ends before it has shown it to the user.
    @Test func linkExistsOnceAfterAnInterruption() async throws {
      let (family, ann, highlight) = try await Self.makeInterruptedSend()
      #expect(try Self.pending(ann).count == 1)
      let stored = try await family.run(ann, "links").compactMap(\.link?.id)
      #expect(stored.count == 1)

      let sent = try #require(try await family.run(ann, "send", highlight, "--to", "Bo Diaz").first)
      #expect(sent.link?.id == stored.first && sent.address != nil)
      #expect(try Self.pending(ann).isEmpty)
      #expect(try await family.run(ann, "interactions").last?.figures?.total == 1)
      // A confirmed link is not sent again: the next command creates another one.
      try await family.run(ann, "send", highlight, "--to", "Bo Diaz")
      #expect(try await family.run(ann, "links").count == 2)
    }

    /// The next command sends a link that works, and not the one that was revoked.
    @Test func revokedLinkIsReplacedAfterAnInterruption() async throws {
      let (family, ann, highlight) = try await Self.makeInterruptedSend()
      let stored = try #require(try await family.run(ann, "links").first?.link?.id)
      try await family.run(ann, "links", "revoke", stored)
      let sent = try #require(try await family.run(ann, "send", highlight, "--to", "Bo Diaz").first?.link)
      #expect(sent.id != stored)
      #expect(try await Set(family.run(ann, "links").map(\.state)) == ["active", "revoked"])
      #expect(try Self.pending(ann).isEmpty)
    }

    /// Sends a highlight to Bo Diaz. The backend stores the link, but the process can't print it.
    private static func makeInterruptedSend() async throws -> (RecruitingProject, athlete: BSCHome, highlight: String) {
      let family = try await RecruitingProject()
      var ann = family.athlete
      let highlight = try await share(ann)
      try await family.run(ann, "coaches", "add", "Bo", "Diaz")
      ann.environment["BSC_SHARE_BASE_URL"] = "https://clips.example.org"
      let arguments = ["recruiting", "send", highlight, "--to", "Bo Diaz", "--json"]
      #expect(try await runWithFullOutput(ann, arguments) == 74)
      return (family, ann, highlight)
    }

    /// Runs a command whose stdout is a full disk, and returns its exit code.
    static func runWithFullOutput(_ home: BSCHome, _ arguments: [String]) async throws -> Int32 {
      let process = Process()
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = ["-c", #"exec "$0" "$@" > /dev/full"#, try BuiltProgram.path()] + arguments
      process.environment = home.environment
      process.currentDirectoryURL = URL(filePath: home.folder.path, directoryHint: .isDirectory)
      process.standardInput = FileHandle.nullDevice
      return try await withCheckedThrowingContinuation { continuation in
        process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
        do { try process.run() } catch { continuation.resume(throwing: error) }
      }
    }
    #endif
  }
}
