import Foundation
import TestSupport
import Testing

extension EndToEnd {
  /// `bsc account delete`, and its effect on `whoami`.
  @Suite struct AccountTests {
    private static func home(_ server: ProjectServer) throws -> BSCHome {
      var home = try BSCHome()
      home.environment["BSC_SUPABASE_URL"] = server.auth.url.absoluteString
      home.environment["BSC_SUPABASE_KEY"] = "sb_publishable_abc"
      home.environment["BSC_SUPABASE_REFRESH_TOKEN"] = server.auth.startSession()
      return home
    }

    private static func answer(_ run: BSCProcess.Outcome) throws -> [String: Any] {
      try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any], "\(run)")
    }

    @Test func deletionWithoutTerminalRequiresName() async throws {
      let server = try await ProjectServer()
      let home = try Self.home(server)
      let silent = try await home.run("account", "delete")
      #expect(silent.status == 64 && silent.errors.contains("--yes-delete ana"), "\(silent)")
      let wrong = try await home.run("account", "delete", "--yes-delete", "bob", "--json")
      #expect(wrong.status == 64 && wrong.failures.map(\.id) == ["account.other"], "\(wrong)")
      #expect(wrong.failures.first?.facts?["current"] == "ana", "\(wrong)")
      #expect(server.state.deletesAt == nil)
      let right = try await home.run("account", "delete", "--yes-delete", "Ana", "--json")
      #expect(right.status == 0, "\(right)")
      #expect(try Self.answer(right)["deletesAt"] as? String == ProjectServer.deletesAt)
      #expect(server.state.deletesAt == ProjectServer.deletesAt)
    }

    /// A repeated request changes nothing, and the deletion can be cancelled.
    @Test func deletionIsReportedAndCancelled() async throws {
      let server = try await ProjectServer()
      let home = try Self.home(server)
      // `whoami` requires an earlier sign-in.
      let nothing = try await home.run("account", "restore", "--json")
      let account = try Self.answer(nothing)
      #expect(nothing.status == 0 && account["deletesAt"] == nil && account["username"] as? String == "ana")
      #expect(try await !home.run("whoami").output.contains("--cancel"))
      let first = try await home.run("account", "delete", "--yes-delete", AuthServer.email)
      #expect(first.output.contains("2026-11-29 12:30 UTC"), "\(first)")
      let again = try await home.run("account", "delete", "--yes-delete", "ana")
      #expect(again.status == 0 && again.output.contains("2026-11-29"), "\(again)")
      let who = try await home.run("whoami")
      #expect(who.status == 0 && who.output.contains("2026-11-29 12:30 UTC"), "\(who)")
      #expect(
        try Self.answer(try await home.run("whoami", "--json"))["deletesAt"] as? String == ProjectServer.deletesAt)
      let cancel = try await home.run("account", "delete", "--cancel")
      #expect(cancel.status == 0 && cancel.output.contains("ana") && server.state.deletesAt == nil, "\(cancel)")
      #expect(try await !home.run("whoami").output.contains("--cancel"))
    }

    /// The built-in account needs no sign-in. Its profile is hidden from others at once.
    @Test func localAccountIsDeletedAndRestored() async throws {
      let home = try BSCHome()
      let who = try Self.answer(try await home.run("whoami", "--json"))
      #expect(who["project"] as? String == "local" && who["deletesAt"] == nil, "\(who)")
      let id = try #require(who["userID"] as? String)
      let silent = try await home.run("account", "delete", "--json")
      #expect(silent.failures.map(\.id) == ["account.delete-unconfirmed"], "\(silent)")
      let deletion = try await home.run("account", "delete", "--yes-delete", id, "--json")
      #expect(deletion.status == 0, "\(deletion)")
      let end = try #require(try Self.answer(deletion)["deletesAt"] as? String)
      #expect(try Self.answer(try await home.run("whoami", "--json"))["deletesAt"] as? String == end)
      #expect(try await home.run("account", "restore").status == 0)
      #expect(try Self.answer(try await home.run("whoami", "--json"))["deletesAt"] == nil)
    }

    @Test func lostResponseIsNotFailure() async throws {
      let server = try await ProjectServer()
      let home = try Self.home(server)
      #expect(try await home.run("account", "delete", "--cancel").status == 0)
      server.set { $0.lostAnswers = 1 }
      let run = try await home.run("account", "delete", "--yes-delete", "ana")
      #expect(run.status == 0 && run.output.contains("2026-11-29"), "\(run)")
    }

    @Test(arguments: [
      (["n"], false), ([""], false), (["y", "bob"], false), (["y", ""], false), (["y", "ana"], true),
      (["yes", AuthServer.email], true),
    ])
    func deletionIsConfirmedTwice(answers: [String], isDeleted: Bool) async throws {
      let server = try await ProjectServer()
      let home = try Self.home(server)
      let run = try TerminalRun(["account", "delete"], environment: home.environment, folder: home.folder.path)
      try await run.wait(for: "[y/N]")
      run.type(answers[0] + "\n")
      if answers.count > 1 {
        try await run.wait(for: "Type ana to confirm")
        run.type(answers[1] + "\n")
      }
      let end = try await run.end()
      #expect(end.status == 0, "\(run.screen)")
      #expect((server.state.deletesAt != nil) == isDeleted)
      #expect(end.output.contains("2026-11-29 12:30 UTC") == isDeleted)
    }

    @Test func deletionRequiresSignIn() async throws {
      let server = try await ProjectServer()
      var home = try Self.home(server)
      home.environment["BSC_SUPABASE_REFRESH_TOKEN"] = nil
      let run = try await home.run("account", "delete", "--yes-delete", "ana")
      #expect(run.status == 5 && run.errors.contains("bsc login"), "\(run)")
    }
  }
}
