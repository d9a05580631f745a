import ClipModel
import Foundation
import ShareEngine
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension EndToEnd {
  /// `bsc login`, `whoami` and `logout` against a server that keeps Supabase Auth's rules.
  @Suite struct LoginTests {
    private static func home(_ server: AuthServer) throws -> BSCHome {
      var home = try BSCHome()
      home.environment["BSC_SUPABASE_URL"] = server.url.absoluteString
      home.environment["BSC_SUPABASE_KEY"] = "sb_publishable_abc"
      return home
    }

    /// Signs in with a password on stdin, as a script would.
    private static func login(_ home: BSCHome, password: String) async throws -> (status: Int32, text: String) {
      let process = Process()
      process.executableURL = URL(filePath: try BuiltProgram.path())
      process.arguments = ["login", "--email", AuthServer.email]
      process.environment = home.environment
      let (input, output) = (Pipe(), Pipe())
      process.standardInput = input
      process.standardOutput = output
      process.standardError = output
      try process.run()
      try input.fileHandleForWriting.write(contentsOf: Data((password + "\n").utf8))
      try input.fileHandleForWriting.close()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return (process.terminationStatus, text)
    }

    @Test func passwordSignsInUntilLogout() async throws {
      let server = try await AuthServer()
      let home = try Self.home(server)
      #expect(try await home.run("whoami").status == 5)
      let wrong = try await Self.login(home, password: "not it")
      #expect(wrong.status == 5 && wrong.text.contains("Invalid login credentials") && !wrong.text.contains("not it"))
      let right = try await Self.login(home, password: AuthServer.password)
      #expect(right.status == 0 && right.text == "signed in as \(AuthServer.email)\n", "\(right)")
      let who = try await home.run("whoami", "--json")
      #expect(who.status == 0 && who.output.contains(AuthServer.userID), "\(who)")
      #expect(!(right.text + who.output + who.errors).contains("access-"))
      #expect(try await home.run("logout").status == 0)
      #expect(try await home.run("whoami").status == 5)
      #expect(!FileManager.default.fileExists(atPath: try home.places.secretsFolder + "/sign-in"))
    }

    /// The test acts as the browser: it opens the page and returns with a code.
    @Test func browserReturnsCode() async throws {
      let server = try await AuthServer()
      let home = try Self.home(server)
      let login = try home.start(["login", "--no-browser", "--provider", "google", "--json"])
      var page: URLComponents?
      try await TestTimeout.wait {
        page = login.errorsSoFar.split(separator: "\n").first { $0.hasPrefix("http") }.flatMap {
          URLComponents(string: String($0))
        }
        return page != nil
      }
      let items = try #require(page?.queryItems)
      func item(_ name: String) -> String { items.first { $0.name == name }?.value ?? "" }
      #expect(page?.path == "/auth/v1/authorize" && item("provider") == "google")
      let code = server.makeCode(challenge: item("code_challenge"))
      let back = try #require(URL(string: "\(item("redirect_to"))?code=\(code)"))
      let (body, _) = try await URLSession.shared.data(from: back)
      #expect(String(decoding: body, as: UTF8.self).contains("You are signed in"))
      let outcome = await login.outcome()
      #expect(outcome.status == 0 && outcome.output.contains(AuthServer.email), "\(outcome)")
      #expect(try await home.run("whoami").status == 0)
    }

    @Test func refusalInBrowserIsReported() async throws {
      let server = try await AuthServer()
      let home = try Self.home(server)
      let login = try home.start(["login", "--no-browser", "--json"])
      var back: String?
      try await TestTimeout.wait {
        let page = login.errorsSoFar.split(separator: "\n").first { $0.hasPrefix("http") }
        back = page.flatMap { URLComponents(string: String($0)) }?.queryItems?.first { $0.name == "redirect_to" }?.value
        return back != nil
      }
      let address = try #require(back)
      let url = try #require(URL(string: "\(address)?error=access_denied&error_description=The+user+said+no"))
      _ = try await URLSession.shared.data(from: url)
      let outcome = await login.outcome()
      #expect(outcome.status == 5 && outcome.failures.map(\.category) == [.notConfigured], "\(outcome)")
      // The reason is the text of the provider.
      #expect(outcome.errors.contains("said"), "\(outcome)")
    }

    @Test(arguments: [
      (["BSC_SUPABASE_URL": ""], "settings.supabase"), (["BSC_SUPABASE_KEY": ""], "settings.supabase"),
      (["BSC_SUPABASE_KEY": "sb_secret_hush"], "account.server-key"),
    ]) func unusableSettingsAreReported(environment: [String: String], id: String) async throws {
      var home = try Self.home(try await AuthServer())
      home.environment.merge(environment) { $1 }
      let run = try await home.run("whoami", "--json")
      #expect(run.status == 5 && run.output.contains("\"id\":\"\(id)\""), "\(run)")
      #expect(!(run.output + run.errors).contains("hush"))
    }
  }
}
