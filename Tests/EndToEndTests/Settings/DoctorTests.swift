import Foundation
import TestSupport
import Testing

extension EndToEnd {
  /// `bsc doctor`: problems have a fix, and bundles contain no private data.
  @Suite struct DoctorTests {
    private struct Document: Decodable {
      var schema: String
      var verdict: String
      var checks: [Check]
    }

    private struct Check: Decodable {
      var group: String
      var name: String
      var status: String
      var detail: String
      var next: String?
    }

    private var home: BSCHome

    init() throws { home = try BSCHome() }

    private func checks(_ home: BSCHome) async throws -> (checks: [Check], status: Int32) {
      let outcome = try await home.run("doctor", "--json")
      // Decoding fails if there is more than one document.
      let document = try JSONDecoder().decode(Document.self, from: Data(outcome.output.utf8))
      #expect(document.schema == "bsc.doctor/1")
      let isFit = document.checks.allSatisfy { $0.status != "problem" }
      #expect(document.verdict == (isFit ? "fit" : "unfit"))
      #expect(outcome.status == (isFit ? 0 : 5), "\(outcome)")
      // Each problem has advice.
      for check in document.checks where ["problem", "warning"].contains(check.status) {
        #expect(check.next != nil, "\(check)")
      }
      return (document.checks, outcome.status)
    }

    private func write(_ text: String, _ name: String, mode: Int = 0o600) throws {
      let path = home.folder.path(name)
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      #expect(
        FileManager.default.createFile(
          atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: mode]))
    }

    @Test func machineWithoutProblemsPasses() async throws {
      let (checks, status) = try await checks(home)
      #expect(status == 0, "\(checks.filter { $0.status == "problem" })")
      var groups: [String] = []
      for check in checks where groups.last != check.group { groups.append(check.group) }
      #expect(groups == ["media", "network", "disk", "clock", "settings", "journal", "backend"])
      // Hardware encoding works, or the reason is reported.
      let hardware = checks.filter { $0.name.hasPrefix("encoder h264_") }
      #expect(hardware.count == 3)
      #expect(
        hardware.allSatisfy { ["fine", "absent"].contains($0.status) && !$0.detail.contains("()") }, "\(hardware)")
      let text = try await home.run("doctor")
      #expect(text.status == 0 && !text.output.contains("✗") && text.errors.isEmpty, "\(text)")
      #expect(try await home.run("doctor", "-q").output.isEmpty)
    }

    @Test func misspelledVariableIsReported() async throws {
      var home = home
      home.environment["BSC_BACKND"] = "supabase"
      home.environment["BSC_SHARED_MEDIA"] = "/nowhere"
      let problems = try await checks(home).checks.filter { $0.name == "environment" }
      #expect(
        problems.count == 1 && problems[0].detail.contains("BSC_BACKND")
          && problems[0].next?.contains("BSC_BACKEND") == true,
        "\(problems)")
    }

    @Test func problemsHaveAdvice() async throws {
      try write("token", "state/bsc/secrets/sign-in", mode: 0o644)
      try write("", "state/bsc/jobs/00000000-0000-0000-0000-000000000000/clip.mp4")
      try write("https://storage/secret", "state/bsc/secrets/upload-url-00000000-0000-0000-0000-000000000000")
      try write("qualty = 20", "config/bsc/config.toml")
      let (checks, status) = try await checks(home)
      #expect(status == 5)
      func check(_ group: String, _ name: String) throws -> Check {
        try #require(checks.first { $0.group == group && $0.name == name }, "\(checks)")
      }
      let secrets = try check("settings", "secrets")
      #expect(secrets.status == "problem" && secrets.next?.contains("chmod 600") == true, "\(secrets)")
      let settings = try check("settings", "files")
      #expect(settings.status == "problem" && settings.detail.contains("qualty"), "\(settings)")
      let stray = try check("journal", "left-overs")
      #expect(stray.status == "warning" && stray.detail.hasPrefix("2 files"), "\(stray)")
      // The text has the counts.
      #expect(try await home.run("doctor").output.contains(/\b2 \w+ \w+, 1 \w/))
    }

    @Test func damagedJournalIsReported() async throws {
      #expect(try await home.run("jobs").status == 0)
      let path = home.folder.path("state/bsc/journal.sqlite")
      // Adds pages to the database and overwrites some of them.
      #expect(try await home.run("share", SharedMedia.sample("rally-portrait.mp4")).status == 0)
      let file = try FileHandle(forUpdating: URL(filePath: path))
      try file.seek(toOffset: 4096)
      try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
      try file.close()
      try? FileManager.default.removeItem(atPath: path + "-wal")
      let (checks, status) = try await checks(home)
      let journal = try #require(checks.first { $0.group == "journal" && $0.name == "file" })
      #expect(status == 5 && journal.status == "problem", "\(journal)")
    }

    /// The clock of the server differs, so that tokens would be refused.
    @Test(arguments: [(-7200.0, "2 hours"), (0, ""), (30, "")])
    func clocksAreCompared(_ offset: Double, _ text: String) async throws {
      let format = DateFormatter()
      format.locale = Locale(identifier: "en_US_POSIX")
      format.timeZone = .gmt
      format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
      let date = format.string(from: Date().addingTimeInterval(offset))
      let server = try await FaultAPIServer(answers: [.json(200, "{}", headers: ["Date": date])])
      var home = home
      home.environment["BSC_BACKEND"] = "supabase"
      home.environment["BSC_SUPABASE_URL"] = server.url
      home.environment["BSC_SUPABASE_KEY"] = "sb_publishable_abc"
      let (checks, status) = try await checks(home)
      let clock = try #require(checks.first { $0.name.hasPrefix("against ") }, "\(checks)")
      #expect(clock.status == (offset < -60 ? "problem" : "fine"), "\(clock)")
      #expect(clock.detail.contains("ahead") == (offset < -60), "\(clock)")
      // No user is signed in.
      let session = try #require(checks.first { $0.name == "session" })
      #expect(session.next == "bsc login" && status == 5, "\(session)")
    }

    @Test func unreachableServerIsReported() async throws {
      var home = home
      home.environment["BSC_BACKEND"] = "mux"
      home.environment["BSC_MUX_TOKEN_ID"] = "id"
      home.environment["BSC_MUX_TOKEN_SECRET"] = "very-secret"
      home.environment["BSC_MUX_URL"] = "http://127.0.0.1:\(FreePort.next())"
      let (checks, status) = try await checks(home)
      #expect(status == 5)
      #expect(checks.first { $0.name == "mux" }?.status == "problem", "\(checks)")
      home.environment["BSC_MUX_TOKEN_ID"] = ""
      let (missing, _) = try await self.checks(home)
      #expect(missing.first { $0.group == "backend" }?.detail.contains("BSC_MUX_TOKEN_ID") == true)
    }

    @Test func bundleHasNoPrivateData() async throws {
      let clip = home.folder.path("Ana at home.mp4")
      try FileManager.default.copyItem(atPath: SharedMedia.sample("rally-portrait.mp4"), toPath: clip)
      try FileManager.default.copyItem(
        atPath: SharedMedia.sample("rally-portrait.json"), toPath: home.folder.path("Ana at home.json"))
      #expect(try await home.run("share", clip, "--caption", "Private words #secret").status == 0)
      var home = home
      home.environment["BSC_MUX_TOKEN_SECRET"] = "very-secret"
      home.environment["BSC_MUX_STREAM_URL"] = "https://ana:pass@stream.example.org/x?token=abc"
      home.environment["BSC_SUPABASE_REFRESH_TOKEN"] = "refresh-me"
      let outcome = try await home.run("doctor", "--bundle", "report.json")
      #expect(outcome.errors.contains("report.json"), "\(outcome)")
      let path = home.folder.path("report.json")
      let text = try String(contentsOfFile: path, encoding: .utf8)
      for word in ["very-secret", "refresh-me", "pass@", "token=abc", "Private words", "Ana", home.folder.path] {
        #expect(!text.contains(word), "\(word) is in \(text)")
      }
      for word in ["bsc.bundle/1", "\"registered\"", "BSC_MUX_TOKEN_SECRET", "libavformat", "\"mp4\""] {
        #expect(text.contains(word), "\(word) is not in \(text)")
      }
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      #expect(try await home.run("doctor", "--bundle", "report.json").status == 64)
    }
  }
}
