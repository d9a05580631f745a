import ClipModel
import Foundation
import ISOMedia
import ShareEngine
import TestSupport
import Testing

extension EndToEnd {
  /// `plan`, `share --dry-run`, `share --review` and `share` agree on the verdict, reasons and plan for the same clip.
  @Suite struct OneDecisionTests {
    struct Case: Sendable, CustomTestStringConvertible {
      var name: String
      var options: [String] = ["--allow-no-metadata"]
      /// The project's configuration.
      var settings = ""
      /// Creates the clip in the home.
      var make: @Sendable (BSCHome) throws -> String
      var testDescription: String { name }
    }

    /// The part of each document that is compared.
    private struct Decision: Equatable, CustomStringConvertible {
      var isRefused: Bool
      /// The findings with all of their values, as JSON with sorted keys.
      var findings: [String]
      /// The rules of the findings that are errors.
      var errors: Set<String>
      /// The messages of the other findings.
      var remarks: Set<String>
      /// The whole plan, as JSON with sorted keys.
      var plan: String?

      var description: String { "\(isRefused ? "refused" : "planned") \(findings) \(plan ?? "")" }
    }

    @Test(arguments: TestScope.some(8, of: Self.cases)) func previewsAndShareAgree(_ example: Case) async throws {
      let home = try BSCHome()
      if !example.settings.isEmpty {
        try Data(example.settings.utf8).write(to: URL(filePath: home.folder.path(".bsc.toml")))
      }
      let clip = try example.make(home)
      let arguments = [clip, "--json"] + example.options
      let plan = try await home.run(["plan"] + arguments)
      let dryRun = try await home.run(["share", "--dry-run"] + arguments)
      let decoded = try await home.run(["share", "--dry-run", "--decode"] + arguments)
      let share = try await home.run(["share", "--progress", "json"] + arguments)
      guard try Self.schema(share) != "bsc.error/1" else {
        // A file that cannot be opened has no decision, but the same error.
        for run in [plan, dryRun, decoded] { #expect(run.status == share.status, "\(run)\n\(share)") }
        return
      }
      let unchecked = try #require(Self.document(dryRun)["notChecked"] as? [String])
      let headers = try Self.decision(dryRun)
      #expect(try Self.decision(plan) == headers, "\(plan)\n\(dryRun)")
      let (whole, shared) = (try Self.decision(decoded), try Self.decision(share))
      #expect(whole.isRefused == shared.isRefused && whole.errors == shared.errors, "\(decoded)\n\(share)")
      // Decoding only adds findings.
      #expect(whole.findings.starts(with: headers.findings), "\(dryRun)\n\(decoded)")
      #expect(!headers.isRefused || shared.findings == headers.findings, "\(dryRun)\n\(share)")
      let events = Self.events(of: share)
      #expect(headers.remarks.isSubset(of: Self.notes(in: events)), "\(dryRun)\n\(share)")
      // After decoding, a planned clip can still be rejected. A copy is decoded before its plan is reported.
      let planned = try Self.plan(in: events)
      #expect(planned == headers.plan || planned == nil && shared.isRefused, "\(dryRun)\n\(share)")
      if !shared.isRefused { #expect(whole.plan == planned, "\(decoded)\n\(share)") }
      #expect(try await Self.review(arguments, in: home) == headers)
      // Rules that require more than headers are listed as not checked.
      #expect(shared.errors.subtracting(headers.errors).isSubset(of: unchecked), "\(dryRun)\n\(share)")
      #expect(headers.isRefused ? unchecked.isEmpty : unchecked.contains("clip.decodes"), "\(dryRun)")
    }

    /// The processed clip is checked before it and its pictures get their final names.
    @Test func refusalAfterProcessingLeavesNoFiles() async throws {
      let home = try BSCHome()
      try Data("[rules.\"clip.black\"]\nseverity = \"error\"\n".utf8)
        .write(to: URL(filePath: home.folder.path(".bsc.toml")))
      let made = try ClipFactory.clip("dark.avi", Self.scene("color=black:s=320x240:r=10:d=4") + ["-c:v", "mpeg4"])
      let clip = home.folder.path("dark.avi")
      try FileManager.default.copyItem(atPath: made, toPath: clip)
      let share = try await home.run("share", clip, "--allow-no-metadata", "--kind", "poster", "--json")
      #expect(share.status == 4, "\(share)")
      #expect(try Self.decision(share).errors == ["clip.black"])
      let pictures = try FileManager.default.contentsOfDirectory(atPath: home.folder.path).filter {
        $0.hasPrefix("dark-")
      }
      #expect(pictures.isEmpty)
      #expect(try FileManager.default.contentsOfDirectory(atPath: home.places.jobsFolder).isEmpty)
    }

    private static func document(_ run: BSCProcess.Outcome) throws -> [String: Any] {
      let line = try #require(run.output.split(separator: "\n").first, "\(run)")
      return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    private static func schema(_ run: BSCProcess.Outcome) throws -> String {
      try #require(document(run)["schema"] as? String)
    }

    private static func decision(_ run: BSCProcess.Outcome) throws -> Decision {
      try decision(document(run), isRefused: run.status != 0)
    }

    private static func decision(_ document: [String: Any], isRefused: Bool) throws -> Decision {
      let findings = document["findings"] as? [[String: Any]] ?? []
      let errors = findings.filter { $0["severity"] as? String == "error" }.compactMap { $0["rule"] as? String }
      let remarks = findings.filter { $0["severity"] as? String != "error" }.compactMap { $0["message"] as? String }
      return Decision(
        isRefused: isRefused, findings: try findings.map { try canonicalText($0) }, errors: Set(errors),
        remarks: Set(remarks),
        plan: try document["plan"].map(canonicalText))
    }

    private static func canonicalText(_ object: Any) throws -> String {
      String(decoding: try JSONSerialization.data(withJSONObject: object, options: .sortedKeys), as: UTF8.self)
    }

    private static func events(of share: BSCProcess.Outcome) -> [[String: Any]] {
      share.errors.split(separator: "\n").compactMap { line in
        try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      }
    }

    private static func notes(in events: [[String: Any]]) -> Set<String> {
      Set(events.filter { $0["event"] as? String == "note" }.compactMap { $0["detail"] as? String })
    }

    /// Returns the plan from the events of a share, or `nil` if the clip was rejected before.
    private static func plan(in events: [[String: Any]]) throws -> String? {
      for event in events where event["event"] as? String == "ended" {
        if let plan = event["plan"] { return try canonicalText(plan) }
      }
      return nil
    }

    /// Reviews the clip on a terminal, and doesn't confirm it.
    private static func review(_ arguments: [String], in home: BSCHome) async throws -> Decision {
      let run = try TerminalRun(
        ["share", "--review", "--force"] + arguments, environment: home.environment, folder: home.folder.path)
      run.type("n\n")
      let (status, output) = try await run.end()
      let line = try #require(output.split(separator: "\n").first, "\(run.screen)")
      // The question follows the plan.
      if status == 0 { #expect(run.screen.contains((arguments[0] as NSString).lastPathComponent), "\(run.screen)") }
      let document = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return try decision(try #require(document), isRefused: status != 0)
    }

    // MARK: Clips

    private static func made(_ name: String, _ arguments: [String], options: [String]? = nil, settings: String = "")
      -> Case
    {
      var example = Case(name: name, settings: settings) { _ in try ClipFactory.clip(name, arguments) }
      if let options { example.options = options }
      return example
    }

    private static func sample(_ name: String, _ options: String...) -> Case {
      Case(name: ([name] + options).joined(separator: " "), options: options) { try $0.clip(name) }
    }

    private static func scene(_ source: String = "testsrc2=s=320x240:r=10:d=4") -> [String] {
      ["-f", "lavfi", "-i", source]
    }
    private static let h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "10"]
    private static let hevc = ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none"]
    private static let tone = ["-f", "lavfi", "-i", "sine=d=4,volume=-3dB"]

    /// Changes one byte: in the middle of a frame, or in the length of its first unit.
    private static func damaged(_ name: String, at place: Int, flipping mask: UInt8) -> Case {
      Case(name: name) { home in
        let clip = try home.clip("rally-portrait")
        let file = try #require(try ISOFile.read(from: FileBytes(path: clip)))
        let track = try #require(file.tracks.first { $0.handlerType == "vide" })
        let samples = try #require(try track.table?.samples(in: FileBytes(path: clip)))
        var bytes = try Data(contentsOf: URL(filePath: clip))
        bytes[Int(samples[samples.count / 2].range.lowerBound) + place] ^= mask
        try bytes.write(to: URL(filePath: clip))
        return clip
      }
    }

    private static func cut(_ name: String, to share: Double) -> Case {
      Case(name: name) { home in
        let clip = try home.clip("rally-portrait")
        let bytes = try Data(contentsOf: URL(filePath: clip))
        try bytes.prefix(Int(Double(bytes.count) * share)).write(to: URL(filePath: clip))
        return clip
      }
    }

    private static func metadata(_ name: String, rallies: [ClosedRange<Double>], _ options: String...) -> Case {
      Case(name: name, options: options) { home in
        let clip = try home.clip("no-metadata")
        try home.writeMetadata("no-metadata.json", rallies: rallies)
        return clip
      }
    }

    /// Overlapping rallies of a match, which have warnings.
    private static let three = [0...3.1, 0.3...3.5, 0.8...3.9]

    /// The order determines which cases run without `--all`. The slow `rally-4k` is not one of them.
    private static let cases: [Case] = [
      sample("rally-portrait"), sample("rally-4k"), sample("rally-portrait", "--mute"),
      sample("rally-portrait", "--max-size", "500KB"),
      sample("no-metadata"), sample("no-metadata", "--allow-no-metadata"), sample("no-video"), sample("too-short"),
      sample("too-short", "--allow-no-metadata"), sample("rally-portrait", "--from", "1", "--to", "5"),
      sample("rally-portrait", "--from", "1", "--to", "2"), sample("rally-portrait", "--rally", "7"),
      made("plain.mp4", scene() + tone + h264 + ["-c:a", "aac"]),
      made("silent.mov", scene() + h264), made("late.mkv", scene() + ["-itsoffset", "1"] + tone + h264),
      made("rate.avi", scene("testsrc2=s=320x240:r=25:d=4") + ["-c:v", "mpeg4"]),
      made("stream.ts", scene() + tone + h264 + ["-c:a", "aac"]),
      made("web.webm", scene() + ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"]),
      made("hevc.mp4", scene() + hevc + ["-tag:v", "hvc1"]),
      made("wide.mp4", scene("testsrc2=s=2560x1440:r=10:d=4") + h264),
      made("turned.mp4", scene() + h264 + ["-metadata:s:v", "rotate=90"]),
      made("fields.mp4", scene() + h264 + ["-flags", "+ilme+ildct", "-field_order", "tt"]),
      made("fast.mp4", scene("testsrc2=s=320x240:r=240:d=4") + h264),
      made("slow.mp4", scene("testsrc2=s=320x240:r=2:d=4") + h264),
      made("long.mp4", scene("testsrc2=s=64x48:r=5:d=70") + h264),
      made("longcut.mp4", scene("testsrc2=s=64x48:r=5:d=70") + h264, options: ["--allow-no-metadata", "--to", "10"]),
      made("after-end.mp4", scene() + h264, options: ["--allow-no-metadata", "--from", "30", "--to", "40"]),
      made("black.mp4", scene("color=black:s=320x240:r=10:d=4") + h264),
      made(
        "blackrule.mp4", scene("color=black:s=320x240:r=10:d=4") + h264,
        settings: "[rules.\"clip.black\"]\nseverity = \"error\"\n"),
      made(
        "blackmpeg4.mp4", scene("color=black:s=320x240:r=10:d=4") + ["-c:v", "mpeg4"],
        settings: "[rules.\"clip.black\"]\nseverity = \"error\"\n"),
      made(
        "still.mp4", scene("color=gray:s=320x240:r=10:d=4") + ["-c:v", "mpeg4"],
        settings: "[rules.\"clip.frozen\"]\nseverity = \"error\"\n"),
      made(
        "loud.mov", scene() + ["-f", "lavfi", "-i", "sine=d=4,volume=40dB"] + ["-c:v", "mpeg4", "-c:a", "pcm_s16le"],
        settings: "[rules.\"clip.loudness\"]\nseverity = \"error\"\n"),
      made(
        "quiet.mp4", scene() + ["-f", "lavfi", "-i", "anullsrc=d=4"] + ["-c:v", "mpeg4", "-c:a", "aac"],
        settings: "[rules.\"clip.loudness\"]\nseverity = \"error\"\n"),
      made("rule.mp4", scene() + h264, settings: "[rules.\"clip.duration\"]\nmin = 30\n"),
      made("loose.mp4", scene("testsrc2=s=320x240:r=10:d=2") + h264, settings: "[rules.\"clip.duration\"]\nmin = 1\n"),
      made(
        "pq.mp4",
        scene() + hevc + ["-pix_fmt", "yuv420p10le", "-color_trc", "smpte2084", "-color_primaries", "bt2020"]),
      made(
        "hlg.mp4",
        scene() + hevc + ["-pix_fmt", "yuv420p10le", "-color_trc", "arib-std-b67", "-color_primaries", "bt2020"]),
      made("sound.mp4", tone + ["-c:a", "aac"]),
      damaged("a wrong length", at: 1, flipping: 0x7F), damaged("a flipped byte", at: 40, flipping: 0xFF),
      cut("cut in half", to: 0.5), cut("cut at the end", to: 0.95), cut("cut to a tenth", to: 0.1),
      metadata("no rally of three", rallies: three), metadata("a rally of three", rallies: three, "--rally", "1"),
      metadata("a rally outside", rallies: [100...110]), metadata("a rally inside", rallies: [0...4]),
      metadata("no such rally", rallies: [0...4], "--rally", "4"),
      Case(name: "text") { home in
        let path = home.folder.path("text.mp4")
        try Data("This is not a video.".utf8).write(to: URL(filePath: path))
        return path
      },
      Case(name: "empty") { home in
        let path = home.folder.path("empty.mp4")
        try Data().write(to: URL(filePath: path))
        return path
      },
    ]
  }
}
