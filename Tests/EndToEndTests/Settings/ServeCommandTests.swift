import ClipModel
import Foundation
import ShareEngine
import TestSupport
import Testing

extension EndToEnd {
  /// `bsc serve`: pages, and servers that are already running.
  @Suite struct ServeCommandTests {
    private let home: BSCHome

    init() throws { home = try BSCHome() }

    private func highlight() async throws -> String {
      let share = try await home.run("share", try home.clip("rally-portrait"))
      #expect(share.status == 0, "\(share)")
      return try #require(try await home.highlights().first).id.uuidString.lowercased()
    }

    @Test func unknownIDIsErrorWithoutServer() async throws {
      let id = try await highlight()
      let none = try await home.run("serve", "--open", "nosuchid", "--json")
      #expect(none.status == 66 && none.failures.map(\.id) == ["highlight.not-found"], "\(none)")
      #expect(none.failures.first?.facts?["highlight"] == "nosuchid", "\(none)")
      let turned = String(id.prefix(6)) + (id.dropFirst(6).first == "0" ? "1" : "0")
      let near = try await home.run("serve", turned, "--json")
      #expect(near.status == 66 && near.failures.map(\.id) == ["highlight.not-found"], "\(near)")
      #expect(near.failures.first?.facts?["nearest"] == String(id.prefix(7)), "\(near)")
      // The id belongs to the local backend even if another one is set, and its start is sufficient.
      let server = try await ServeProcess(home, [String(id.prefix(6))])
      let again = try await home.run("serve", String(id.prefix(6)), "--json")
      #expect(again.output.contains("\"pageURL\":\"\(server.baseURL.absoluteString)/h/\(id)\""), "\(again)")
    }

    @Test func runningServerIsReported() async throws {
      let server = try await ServeProcess(home)
      let again = try await home.run("serve")
      #expect(again.status == 0 && again.output == "\(server.baseURL.absoluteString)\n", "\(again)")
      let folder = try home.places.localBackendFolder
      #expect(again.errors.contains(folder) && !again.errors.contains("Ctrl-C"), "\(again)")
      // Options that require a new server are refused.
      let other = try await home.run("serve", "--webhook", "http://127.0.0.1:9/x", "--report", "out", "--json")
      #expect(other.status == 7 && other.failures.map(\.id) == ["backend.already-serving"], "\(other)")
      #expect(other.failures.first?.facts?["options"] == "--webhook and --report", "\(other)")
    }

    /// The option takes precedence over the setting, and commands use the address of the running server.
    @Test func linksHavePublicAddressOfServer() async throws {
      var home = home
      home.environment["BSC_SHARE_BASE_URL"] = "https://setting.example.org"
      let highlight = try await highlight()
      for command in [["family", "create", "Silva", "--as", "athlete"], ["coaches", "add", "Bo", "Diaz"]] {
        _ = try await RecruitingAnswer.all(of: home, ["recruiting"] + command)
      }
      func send() async throws -> String? {
        try await RecruitingAnswer.all(of: home, ["recruiting", "send", highlight, "--to", "Bo Diaz"]).first?.address
      }
      #expect(try await send()?.hasPrefix("https://setting.example.org/s/") == true)
      let address = "https://option.example.org"
      let server = try await ServeProcess(home, ["--public-url", address])
      #expect(try await send()?.hasPrefix("\(address)/s/") == true)
      let page = String(decoding: try await server.get("h/\(highlight)"), as: UTF8.self)
      #expect(page.contains("og:url\" content=\"\(address)/h/\(highlight)\""))
      let again = try await home.run("serve", "--public-url", address, "--json")
      #expect(again.status == 0 && again.output.contains("\"publicURL\":\"\(address)\""), "\(again)")
      let other = try await home.run("serve", "--public-url", "https://other.example.org", "--json")
      #expect(other.status == 7 && other.failures.map(\.id) == ["backend.already-serving"], "\(other)")
    }

    @Test(arguments: ["http://clips.example.org", "clips.example.org", "https://ada:secret@clips.example.org"])
    func insecurePublicAddressIsRefused(address: String) async throws {
      let run = try await home.run("serve", "--public-url", address, "--json")
      #expect(run.status == 64 && run.failures.map(\.id) == ["settings.invalid-value"], "\(run)")
      #expect(!(run.output + run.errors).contains("secret"), "\(run)")
    }

    @Test(arguments: [true, false]) func laterCommandPrintsToken(isOpen: Bool) async throws {
      var home = home
      home.environment["BSC_SERVE_TOKEN"] = "0123456789abcdef0123"
      let server = try await ServeProcess(home, isOpen ? ["--host", "127.0.0.1"] : [])
      let again = try await home.start(["serve"]).outcome()
      #expect(again.status == 0 && again.output == "\(server.baseURL.absoluteString)\n", "\(again)")
      #expect(again.errors.contains("?token=") == isOpen && !again.errors.contains("0123456789"), "\(again)")
    }

    /// `--web` requires a running server and a browser.
    @Test func browserOpensOnlyWithServer() async throws {
      let id = try await highlight()
      let alone = try await home.run("highlights", "open", id, "--web")
      #expect(alone.status == 6 && alone.errors.contains("bsc serve --open \(id)"), "\(alone)")
      let server = try await ServeProcess(home)
      let none = try await home.run("highlights", "open", id, "--web")
      #expect(none.status == 0 && none.errors.contains("note: "), "\(none)")
      #expect(none.output.contains("\(server.baseURL.absoluteString)/h/\(id)"), "\(none)")
    }

    @Test func pageShowsDecisions() async throws {
      var home = home
      let clip = try home.clip("rally-portrait")
      let share = try await home.run(
        "share", clip, "--caption", "Up #Ace #dig", "--privacy", "private", "--hide-likes")
      #expect(share.status == 0, "\(share)")
      home.environment["TZ"] = "Asia/Kolkata"
      let id = try #require(try await home.highlights().first).id.uuidString
      let open = try await home.run("highlights", "open", id)
      for line in ["  tags       ace, dig\n", "  privacy    private\n", "  likes      hidden\n"] {
        #expect(open.output.contains(line), "\(open)")
      }
      // In local time, five and a half hours ahead of UTC.
      let stored = try #require(try await home.highlights().first).createdAt
      let list = try await home.run("highlights")
      let shown = try #require(list.output.firstMatch(of: #/  ([0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}):([0-9]{2})  /#))
      let minutes = try #require(stored.firstMatch(of: /T([0-9]{2}):([0-9]{2})/))
      let utc = (Int(minutes.1) ?? 0) * 60 + (Int(minutes.2) ?? 0)
      let ahead = (Int(shown.1.suffix(2)) ?? 0) * 60 + (Int(shown.2) ?? 0)
      #expect((ahead - utc + 1440) % 1440 == 330, "\(stored) is \(list)")
      #expect(list.output.contains("  private  "), "\(list)")
    }
  }
}
