import Foundation
import ShareEngine
import TestSupport
import Testing

extension EndToEnd {
  /// Messages about settings: rules that a configuration changes, and all errors at once.
  @Suite struct SettingsMessageTests {
    private let home: BSCHome

    init() throws { home = try BSCHome() }

    @Test func changedRulesAreReportedWithFile() async throws {
      _ = try home.clip("rally-portrait")
      #expect(try await home.run("validate", "rally-portrait.mp4").errors.isEmpty)
      try home.folder.write("[rules.\"clip.duration\"]\nmax = 90\nseverity = \"warning\"\n", to: ".bsc.toml")
      let file = home.folder.path(".bsc.toml")
      let run = try await home.run("validate", "rally-portrait.mp4")
      #expect(run.status == 0 && run.errors.contains(/rules\.clip\.duration\.max 90 \(.*60\)/), "\(run)")
      #expect(run.errors.contains(file), "\(run)")
      #expect(try await home.run("validate", "-q", "rally-portrait.mp4").errors.isEmpty)
      let shown = try await home.run("config", "show")
      let row = shown.output.split(separator: "\n").first { $0.hasPrefix("rules.clip.duration.max ") }
      #expect(row?.contains("90") == true && row?.contains(file) == true, "\(shown)")
      let json = try await home.run("config", "show", "--json")
      let rows = try json.output.split(separator: "\n").map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
      let severity = rows.first { $0["key"] as? String == "rules.clip.duration.severity" }
      #expect(severity?["value"] as? String == "warning" && severity?["origin"] as? String == file, "\(json)")
      let doctor = try await home.run("doctor")
      #expect(doctor.output.contains(/\b2 .*: rules\.clip\.duration\.severity/), "\(doctor)")
    }

    @Test func allErrorsAreReportedAtOnce() async throws {
      var home = home
      try FileManager.default.createDirectory(
        atPath: home.places.configurationFolder, withIntermediateDirectories: true)
      try home.folder.write("qualty = 3\nbackend = \"locl\"\n", to: "config/bsc/config.toml")
      try home.folder.write("[rules.\"clip.durtion\"]\nmax = 3\n", to: ".bsc.toml")
      home.environment["BSC_QUALITY"] = "99"
      let run = try await home.run("config", "show", "--json")
      #expect(run.status == 5, "\(run)")
      #expect(run.errors.split(separator: "\n").count { $0.hasPrefix("error: ") } == 4, "\(run)")
      #expect(run.output.split(separator: "\n").count { $0.contains("bsc.error/1") } == 4, "\(run)")
      for text in ["\"quality\"", "\"local\"", "[rules.\"clip.duration\"]", "BSC_QUALITY"] {
        #expect(run.errors.contains(text), "\(text) is not in \(run)")
      }
      let doctor = try await home.run("doctor")
      #expect(doctor.status == 5 && doctor.output.count(where: { $0 == "✗" }) == 4, "\(doctor)")
    }
  }
}
