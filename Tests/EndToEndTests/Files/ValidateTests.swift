import ClipModel
import Foundation
import TestSupport
import Testing

extension EndToEnd {
  /// `bsc validate` with files, folders, reports and configurations.
  @Suite struct ValidateTests {
    private static func lines(_ run: BSCProcess.Outcome) throws -> [[String: Any]] {
      try run.output.split(separator: "\n").map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any], "\(run)")
      }
    }

    private static func write(_ text: String, _ path: String) throws {
      try Data(text.utf8).write(to: URL(filePath: path))
    }

    @Test func goodClipPassesWithLocationNoted() async throws {
      let home = try BSCHome()
      let run = try await home.run("validate", try home.clip("rally-portrait"))
      #expect(run.status == 0 && run.output.contains("✓") && run.output.contains("privacy.location"), "\(run)")
      // Published clips must not contain location data.
      let published = try await home.run("validate", home.folder.path("rally-portrait.mp4"), "--rules", "published")
      #expect(published.status == 4, "\(published)")
      let strict = try await home.run("validate", home.folder.path("rally-portrait.mp4"), "--fail-on", "warning")
      #expect(strict.status == 4, "\(strict)")
    }

    @Test func filesOfFolderAreCheckedInOrder() async throws {
      let home = try BSCHome()
      let season = home.folder.path("season")
      try FileManager.default.createDirectory(atPath: season, withIntermediateDirectories: true)
      for (index, name) in ["rally-portrait", "too-short", "no-video"].enumerated() {
        try FileManager.default.moveItem(atPath: home.clip(name), toPath: "\(season)/\(index)-\(name).mp4")
      }
      try Self.write("not a video", season + "/3-text.mp4")
      let run = try await home.run("validate", "season", "--json", "--allow-no-metadata", "--jobs", "3")
      #expect(run.status == 3, "\(run)")
      let files = try Self.lines(run)
      #expect(files.compactMap { $0["verdict"] as? String } == ["pass", "fail", "fail", "unjudged"])
      #expect(files.compactMap { ($0["file"] as? String)?.suffix(10) }.count == 4)
      #expect(files.allSatisfy { $0["schema"] as? String == "bsc.validate/2" })
      let checks = try #require(files[0]["checks"] as? [[String: Any]])
      #expect(checks.contains { $0["rule"] as? String == "mux.closed-gop" && $0["outcome"] as? String == "pass" })
    }

    @Test func reportsAreWrittenInAddition() async throws {
      let home = try BSCHome()
      let run = try await home.run(
        "validate", try home.clip("too-short"), "--allow-no-metadata", "--report", "junit=a.xml", "--report",
        "sarif=a.sarif", "--report", "tap=a.tap", "--report", "json=a.json")
      #expect(run.status == 4 && run.output.contains("clip.duration"), "\(run)")
      let junit = try String(contentsOfFile: home.folder.path("a.xml"), encoding: .utf8)
      #expect(junit.contains("name=\"clip.duration\"") && junit.contains("<failure"))
      #expect(try String(contentsOfFile: home.folder.path("a.tap"), encoding: .utf8).contains("not ok 1"))
      for name in ["a.sarif", "a.json"] {
        let bytes = try Data(contentsOf: URL(filePath: home.folder.path(name)))
        #expect(try JSONSerialization.jsonObject(with: bytes) is [String: Any])
      }
    }

    @Test(arguments: ["json=rally-portrait.mp4", "json=rally-portrait.json", "junit=/dev/null", "tap=no/folder/a.tap"])
    func reportDoesNotOverwriteOtherFiles(report: String) async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-portrait")
      let before = try Data(contentsOf: URL(filePath: clip))
      let run = try await home.run("validate", clip, "--report", report, "--json")
      #expect(run.status == 64 && run.failures.map(\.id) == ["output.report"], "\(run)")
      #expect(try Data(contentsOf: URL(filePath: clip)) == before)
      let twice = try await home.run("validate", clip, "--report", "json=a", "--report", "sarif=a")
      #expect(twice.status == 64)
    }

    /// An interrupted run writes no report.
    @Test func interruptedRunWritesNoReport() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-4k")
      let folder = home.folder.path("many")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      for index in 0..<200 {
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/\(index).mp4", withDestinationPath: clip)
      }
      let process = try home.start(
        ["validate", "many", "--allow-no-metadata", "--deep", "--json", "--report", "sarif=a.sarif"])
      var lines = process.outputLines.makeAsyncIterator()
      _ = await lines.next()
      process.send(SIGINT)
      let outcome = await process.outcome()
      #expect(outcome.status == 130, "\(outcome)")
      #expect(!FileManager.default.fileExists(atPath: home.folder.path("a.sarif")))
    }

    /// A container that cannot be searched for location data fails the rules for publishing.
    @Test func unknownContainerMustNotBePublished() async throws {
      let home = try BSCHome()
      let path = try ClipFactory.clip(
        "old.flv", ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=4", "-c:v", "flv1"])
      let run = try await home.run("validate", path, "--allow-no-metadata", "--rules", "published")
      #expect(run.status == 4 && run.output.contains("privacy.location"), "\(run)")
    }

    /// Of a match, only the given rally is checked; rules that cannot be checked are unknown.
    @Test func givenRallyOfMatchIsChecked() async throws {
      let home = try BSCHome()
      let match = try ClipFactory.clip(
        "match.mp4",
        ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=5:d=120", "-c:v", "libx264", "-preset", "ultrafast", "-g", "25"])
      func metadata(_ segments: [[String: Any]]) throws -> String {
        let object: [String: Any] = [
          "id": UUID().uuidString, "videoId": UUID().uuidString, "processingDate": "2026-02-20T00:00:00Z",
          "rallySegments": segments,
        ]
        let path = home.folder.path("match-\(segments.count).json")
        try JSONSerialization.data(withJSONObject: object).write(to: URL(filePath: path))
        return path
      }
      func segment(_ start: Double, _ end: Double) -> [String: Any] {
        [
          "id": UUID().uuidString, "startTime": start, "endTime": end, "confidence": 0.9, "quality": 0.9,
          "detectionCount": 9, "averageTrajectoryLength": 0.5,
        ]
      }
      let file = try metadata([segment(10, 20), segment(30, 32), segment(40, 110)])
      let good = try await home.run("validate", match, "--metadata", file, "--rally", "0")
      #expect(good.status == 0, "\(good)")
      for rally in ["1", "2"] {
        let run = try await home.run("validate", match, "--metadata", file, "--rally", rally, "--json")
        let line = try #require(try Self.lines(run).first)
        let findings = try #require(line["findings"] as? [[String: Any]]).compactMap { $0["rule"] as? String }
        #expect(run.status == 4 && findings.contains("rally.length") && !findings.contains("clip.duration"), "\(run)")
      }
      // Without --rally all rallies are checked, and each failing one is listed.
      let all = try await home.run("validate", match, "--metadata", file, "--json")
      let found = try #require(try Self.lines(all).first?["findings"] as? [[String: Any]])
      let places = found.filter { $0["rule"] as? String == "rally.length" }.compactMap { $0["place"] as? String }
      #expect(all.status == 4 && places == ["rallySegments[1]", "rallySegments[2]"], "\(all)")
      #expect(!found.contains { ["rally.index", "clip.duration"].contains($0["rule"] as? String) }, "\(all)")
      // The limits for the length of clips apply.
      let settings = home.folder.path(".bsc.toml")
      try Self.write("[rules.\"clip.duration\"]\nmin = 2\nmax = 70\n", settings)
      let bounded = try await home.run("validate", match, "--metadata", file)
      #expect(bounded.status == 0, "\(bounded)")
      try Self.write("[rules.\"clip.duration\"]\nmax = 9\n", settings)
      let strict = try await home.run("validate", match, "--metadata", file, "--rally", "0")
      #expect(strict.status == 4 && strict.output.contains("3 to 9 s"), "\(strict)")
      try FileManager.default.removeItem(atPath: settings)
      // The severity applies, too; rules that were not checked do not pass.
      try Self.write("[rules.\"clip.duration\"]\nseverity = \"warning\"\n", settings)
      let graded = try await home.run("validate", match, "--metadata", file, "--json")
      #expect(graded.status == 0, "\(graded)")
      let asked = try #require(try Self.lines(graded).first?["checks"] as? [[String: Any]])
      func outcome(_ rule: String) -> String? {
        asked.first { $0["rule"] as? String == rule }?["outcome"] as? String
      }
      #expect(outcome("rally.clip-length") == "unknown" && outcome("rally.index") == "unknown")
      #expect(outcome("rally.range") == "pass" && outcome("rally.length") == "fail")
      try FileManager.default.removeItem(atPath: settings)
      // Invalid times are not measured.
      let reversed = try await home.run(
        "validate", match, "--metadata", try metadata([segment(10, 9), segment(30, 32)]), "--json")
      let findings = try #require(try Self.lines(reversed).first?["findings"] as? [[String: Any]])
      let aboutFirst = findings.filter { ($0["place"] as? String)?.hasPrefix("rallySegments[0]") == true }
      #expect(aboutFirst.compactMap { $0["rule"] as? String } == ["rally.times"], "\(reversed)")
      #expect(findings.contains { $0["rule"] as? String == "rally.length" }, "\(reversed)")
      // --rally is required if the file is one rally and its metadata has several.
      let clip = try ClipFactory.clip(
        "rally.mp4",
        ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=5:d=10", "-c:v", "libx264", "-preset", "ultrafast", "-g", "25"])
      let alone = try await home.run("validate", clip, "--metadata", file)
      #expect(alone.status == 4 && alone.output.contains("--rally N"), "\(alone)")
      #expect(alone.output.contains("rally.length, rally.clip-length: "), "\(alone)")
      let none = try await home.run("validate", match, "--metadata", try metadata([]), "--json")
      let checks = try #require(try Self.lines(none).first?["checks"] as? [[String: Any]])
      let times = try #require(checks.first { $0["rule"] as? String == "rally.times" })
      #expect(times["outcome"] as? String == "unknown")
      #expect((times["reason"] as? String)?.isEmpty == false)
    }

    @Test func annotationsAreWrittenInWorkflow() async throws {
      var home = try BSCHome()
      let clip = try home.clip("too-short")
      #expect(!(try await home.run("validate", clip)).output.contains("::error"))
      home.environment["GITHUB_ACTIONS"] = "true"
      let run = try await home.run("validate", clip)
      #expect(run.output.contains("::error file=") && run.output.contains("title=clip.duration"), "\(run)")
    }

    @Test func configurationChangesRules() async throws {
      let home = try BSCHome()
      let clip = try home.clip("too-short")
      let settings = home.folder.path(".bsc.toml")
      try Self.write("[rules.\"clip.duration\"]\nmin = 1\n", settings)
      #expect(try await home.run("validate", clip, "--allow-no-metadata").status == 0)
      try Self.write("[rules.\"clip.duration\"]\nseverity = \"warning\"\n", settings)
      let run = try await home.run("validate", clip, "--allow-no-metadata")
      #expect(run.status == 0 && run.output.contains("warning  clip.duration"), "\(run)")
      for (text, id) in [
        ("[rules.\"clip.durtion\"]\nmin = 1\n", "unknown-rule"),
        ("[rules.\"clip.video\"]\nmin = 1\n", "rule-without-bounds"),
        ("[rules.\"clip.video\"]\nseverity = \"bad\"\n", "rule-severity"),
        ("[rules.\"clip.duration\"]\nmim = 1\n", "rule-field"),
        ("[rules.\"clip.duration\"]\nmin = 9\nmax = 3\n", "rule-bounds"),
      ] {
        try Self.write(text, settings)
        let wrong = try await home.run("validate", clip, "--json")
        #expect(wrong.status == 5 && wrong.output.contains("\"id\":\"settings.\(id)\""), "\(wrong)")
      }
    }

    @Test func rulesAreListedAndExplained() async throws {
      let home = try BSCHome()
      let list = try await home.run("validate", "--list-rules", "--json")
      #expect(try Self.lines(list).count == RuleCatalog.rules.count)
      let one = try await home.run("validate", "--explain", "clip.duration")
      #expect(one.output.contains("3 to 60 s") && one.output.contains("source"))
      // The printed configuration has no effect until it is edited.
      let example = try #require(one.output.range(of: "[rules."))
      try Self.write(String(one.output[example.lowerBound...]), home.folder.path(".bsc.toml"))
      #expect(one.output.contains("min = 3\nmax = 60\nseverity = \"error\""), "\(one)")
      #expect(try await home.run("validate", try home.clip("rally-portrait")).status == 0)
      let none = try await home.run("validate", "--explain", "clip.durtion", "--json")
      #expect(none.status == 64 && none.failures.map(\.id) == ["usage.unknown-rule"], "\(none)")
      #expect(none.failures.first?.facts?["nearest"] == "clip.duration", "\(none)")
    }

    /// Damage inside frames is not visible in the headers.
    @Test(arguments: ["--decode", "--deep"])
    func damagedFramesAreFoundByDecoding(flag: String) async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-portrait")
      let whole = try await home.run("validate", clip, flag, "--json")
      let good = try #require(try Self.lines(whole).first?["checks"] as? [[String: Any]])
      let decodes = try #require(good.first { $0["rule"] as? String == "clip.decodes" })
      #expect(decodes["outcome"] as? String == "pass")
      #expect(decodes["depth"] as? String == (flag == "--deep" ? "everything" : "frames"))
      var bytes = try Data(contentsOf: URL(filePath: clip))
      let middle = bytes.count / 2
      bytes.replaceSubrange(middle - 200_000..<middle + 200_000, with: Data(repeating: 0xFF, count: 400_000))
      let broken = home.folder.path("broken.mp4")
      try bytes.write(to: URL(filePath: broken))
      let shallow = try await home.run("validate", broken, "--allow-no-metadata")
      #expect(!shallow.output.contains("clip.decodes"), "\(shallow)")
      let run = try await home.run("validate", broken, "--allow-no-metadata", "--deep")
      #expect(run.status == 4 && run.output.contains("clip.decodes"), "\(run)")
    }

    @Test(arguments: [
      ("color=black:s=320x240:r=25:d=4", "clip.black"),
      ("testsrc=s=320x240:r=25:d=4,trim=end_frame=1,loop=100:1", "clip.frozen"),
    ])
    func blankVideoIsReported(filter: String, rule: String) async throws {
      let home = try BSCHome()
      let path = try ClipFactory.clip(
        "nothing.mp4", ["-f", "lavfi", "-i", filter, "-c:v", "libx264", "-pix_fmt", "yuv420p", "-t", "4"])
      let run = try await home.run("validate", path, "--allow-no-metadata", "--decode")
      #expect(run.output.contains("warning  \(rule)"), "\(run)")
    }

    @Test(arguments: [
      ["--format", "xml"], ["--report", "junit"], ["--rules", "mux"], ["--fail-on", "no"], ["--jobs", "0"], [],
    ])
    func invalidOptionsAreUsageErrors(flags: [String]) async throws {
      let home = try BSCHome()
      let outcome = try await home.start(["validate"] + (flags.isEmpty ? [] : ["x.mp4"]) + flags).outcome()
      #expect(outcome.status == 64, "\(outcome)")
    }
  }
}
