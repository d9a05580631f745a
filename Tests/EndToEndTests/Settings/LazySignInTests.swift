import ClipModel
import Foundation
import ShareEngine
import Social
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension EndToEnd {
  /// `share` with `backend = "supabase"` signs in when the upload starts, which is after processing for small clips.
  @Suite struct LazySignInTests {
    private static func home(_ server: ProjectServer) throws -> BSCHome {
      var home = try BSCHome()
      home.environment["BSC_BACKEND"] = "supabase"
      home.environment["BSC_SUPABASE_URL"] = server.auth.url.absoluteString
      home.environment["BSC_SUPABASE_KEY"] = "sb_publishable_abc"
      // No browser is opened.
      home.environment["BROWSER"] = "/bin/true"
      return home
    }

    /// Signs in as the browser does, whose address the program prints.
    private static func signIn(to server: ProjectServer, _ run: TerminalRun) async throws {
      let address = run.screen.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("http") }
      let items = try #require(address.flatMap { URLComponents(string: String($0)) }?.queryItems)
      func item(_ name: String) -> String { items.first { $0.name == name }?.value ?? "" }
      let code = server.auth.makeCode(challenge: item("code_challenge"))
      let back = try #require(URL(string: "\(item("redirect_to"))?code=\(code)"))
      _ = try await URLSession.shared.data(from: back)
    }

    @Test func jobIsSavedWithoutTerminal() async throws {
      let server = try await ProjectServer()
      var home = try Self.home(server)
      let run = try await home.run("share", try home.clip("rally-portrait"), "--json")
      #expect(run.status == 5 && run.failures.map(\.id) == ["account.not-authorized"], "\(run)")
      #expect(run.failures.first?.next?.contains("\"bsc resume\"") == true, "\(run)")
      #expect(try await home.jobs().map(\.stage.name) == ["processed"] && server.auth.requests.isEmpty)
      home.environment["BSC_SUPABASE_REFRESH_TOKEN"] = server.auth.startSession()
      let resume = try await home.run("resume")
      #expect(resume.status == 0 && server.state.highlights.count == 1, "\(resume)")
    }

    @Test func shareContinuesAfterSignInInBrowser() async throws {
      let server = try await ProjectServer()
      let home = try Self.home(server)
      let run = try TerminalRun(
        ["share", try home.clip("rally-portrait"), "--caption", "Ace #serve", "--json"], environment: home.environment,
        folder: home.folder.path)
      // Without a session, the answer of an earlier share is unknown.
      try await run.wait(for: "[y/N]")
      run.type("y\n")
      try await run.wait(for: "code_challenge_method=s256")
      // The clip is processed, and nothing was sent.
      #expect(try await home.jobs().map(\.stage.name) == ["processed"] && server.auth.requests.isEmpty)
      try await Self.signIn(to: server, run)
      let end = try await run.end()
      #expect(end.status == 0 && run.screen.contains(AuthServer.email), "\(run.screen)")
      let answer = try #require(try ShareAnswer.all(in: end.output).first)
      #expect(answer.highlight?.caption == "Ace #serve" && answer.highlight?.authorID == AuthServer.userID)
      #expect(try await home.run("whoami").output.contains(AuthServer.email))
    }

    @Test func likeIsSentAfterSignIn() async throws {
      let server = try await ProjectServer()
      let home = try Self.home(server)
      let highlight = UUID().uuidString.lowercased()
      let plain = try await home.run("social", "like", highlight, "--json")
      #expect(plain.status == 5 && plain.failures.map(\.category) == [.notConfigured], "\(plain)")
      #expect(plain.failures.allSatisfy { $0.id.hasPrefix("account.") }, "\(plain)")
      let run = try TerminalRun(
        ["social", "like", highlight], environment: home.environment, folder: home.folder.path)
      try await run.wait(for: "code_challenge_method=s256")
      #expect(server.state.likes.isEmpty && server.auth.requests.isEmpty)
      try await Self.signIn(to: server, run)
      #expect(try await run.end().status == 0, "\(run.screen)")
      #expect(server.state.likes == [#"{"highlight_id":"\#(highlight)","user_id":"\#(AuthServer.userID)"}"#])
    }

    /// The account stores the answer, and bsc asks only on a terminal.
    @Test func firstPublicHighlightIsConfirmedOnce() async throws {
      let project = try await StandInProject(try BSCHome())
      let member = try await project.member("ann")
      func share(_ name: String, _ options: [String] = []) throws -> TerminalRun {
        let clip = try member.distinctClip("rally-portrait", named: name)
        return try TerminalRun(
          ["share", clip, "--json"] + options, environment: member.environment, folder: member.folder.path)
      }
      func confirmedAt() async throws -> String? {
        try await SocialAnswer.all(of: member, ["social", "settings"]).first?.settings?.firstPostConfirmedAt
      }
      for options in [["--privacy", "public"], ["--privacy", "private"]] {
        let run = try share("given \(options[1])", options)
        #expect(try await run.end().status == 0 && !run.screen.contains("[y/N]"), "\(run.screen)")
      }
      let count = try await member.jobs().count
      let refused = try share("first")
      try await refused.wait(for: "[y/N]")
      refused.type("n\n")
      let end = try await refused.end()
      #expect(end.status == 0 && end.output.isEmpty, "\(refused.screen)")
      #expect(try await member.jobs().count == count)
      #expect(try await confirmedAt() == nil)
      let confirmed = try share("first again")
      try await confirmed.wait(for: "[y/N]")
      confirmed.type("y\n")
      #expect(try await confirmed.end().status == 0, "\(confirmed.screen)")
      #expect(try await confirmedAt() != nil)
      let second = try share("second")
      #expect(try await second.end().status == 0 && !second.screen.contains("[y/N]"), "\(second.screen)")
      #expect(try await member.highlights().count == 4)
    }

    /// The two forms that a function of a project can store.
    @Test(arguments: ["id", "url"]) func urlsAreThoseOfMux(playbackAs: String) async throws {
      let server = try await ProjectServer()
      server.set { $0.playbackAs = playbackAs }
      var home = try Self.home(server)
      home.environment["BSC_SUPABASE_REFRESH_TOKEN"] = server.auth.startSession()
      let run = try await home.run("share", try home.clip("rally-portrait"), "--json")
      #expect(run.status == 0, "\(run)")
      let answer = try #require(try ShareAnswer.all(in: run.output).first)
      #expect(answer.status == "registered" && answer.videoURL == "https://stream.mux.com/pb1.m3u8")
      #expect(answer.watch == "https://player.mux.com/pb1")
      #expect(answer.thumbnailURL == "https://image.mux.com/pb1/thumbnail.jpg?time=2")
      let id = try #require(answer.highlight).id.uuidString.lowercased()
      let open = try await home.run("highlights", "open", String(id.prefix(8)))
      #expect(
        open.status == 0 && open.output.contains("watch      https://player.mux.com/pb1\n")
          && open.output.contains("stream     https://stream.mux.com/pb1.m3u8"), "\(open)")
      #expect(!open.output.contains("bsc serve"))
    }
  }
}
