import ClipModel
import Foundation
import ISOMedia
import TestSupport
import Testing

extension EndToEnd {
  /// The findings of each depth of `bsc validate`.
  @Suite struct ValidateDepthTests {
    private struct Verdict {
      var status: Int32
      var outcomes: [String: String] = [:]
      var depths: [String: String] = [:]
      var findings: [[String: Any]] = []

      func messages(_ rule: String) -> [String] {
        findings.filter { $0["rule"] as? String == rule }.compactMap { $0["message"] as? String }
      }
    }

    private static func validate(_ path: String, in home: BSCHome, _ options: String...) async throws -> Verdict {
      let run = await (try home.start(["validate", path, "--allow-no-metadata", "--json"] + options)).outcome()
      let line = try #require(run.output.split(separator: "\n").first, "\(run)")
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      var verdict = Verdict(status: run.status, findings: object["findings"] as? [[String: Any]] ?? [])
      for check in object["checks"] as? [[String: Any]] ?? [] {
        let rule = try #require(check["rule"] as? String)
        verdict.outcomes[rule] = check["outcome"] as? String
        verdict.depths[rule] = check["depth"] as? String
      }
      return verdict
    }

    private static func scene(_ name: String, sound: [String]) throws -> String {
      try ClipFactory.clip(
        name,
        ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=10:d=4"] + sound + [
          "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "10", "-c:a", "pcm_s16le",
        ])
    }

    @Test(arguments: [
      ("loud.mov", ["-f", "lavfi", "-i", "sine=d=4,volume=40dB"], "fail", "fail", "clipped"),
      ("silent.mov", ["-f", "lavfi", "-i", "anullsrc=d=4"], "fail", "pass", "silent"),
      ("usual.mov", ["-f", "lavfi", "-i", "sine=d=4,volume=-3dB"], "pass", "pass", ""),
      ("mute.mov", [], "pass", "pass", ""),
    ])
    func audioIsMeasured(name: String, sound: [String], loudness: String, clipping: String, words: String) async throws
    {
      let home = try BSCHome()
      let clip = try Self.scene(name, sound: sound)
      let plain = try await Self.validate(clip, in: home)
      #expect(plain.outcomes["clip.loudness"] == nil && plain.outcomes["clip.decodes"] == nil)
      for (depth, name) in [("--decode", "frames"), ("--deep", "everything")] {
        let verdict = try await Self.validate(clip, in: home, depth)
        #expect(verdict.status == 0, "\(verdict)")
        #expect(verdict.outcomes["clip.loudness"] == loudness, "\(verdict)")
        #expect(verdict.outcomes["clip.clipping"] == clipping, "\(verdict)")
        #expect(verdict.depths["clip.loudness"] == name)
        let messages = (verdict.messages("clip.loudness") + verdict.messages("clip.clipping")).joined(separator: "; ")
        #expect(words.isEmpty ? messages.isEmpty : messages.contains(words), "\(messages)")
      }
    }

    /// An invalid length before a unit: headers are unchanged, and decoders conceal errors.
    @Test func invalidLengthIsFoundWithTime() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-portrait")
      let source = try FileBytes(path: clip)
      let file = try #require(try ISOFile.read(from: source))
      let track = try #require(file.tracks.first { $0.handlerType == "vide" })
      let samples = try #require(try track.table?.samples(in: source))
      let sample = samples[samples.count / 2]
      var bytes = try Data(contentsOf: URL(filePath: clip))
      bytes[Int(sample.range.lowerBound) + 2] ^= 0x40
      try bytes.write(to: URL(filePath: clip))
      let plain = try await Self.validate(clip, in: home)
      #expect(plain.outcomes["clip.nal-units"] == nil)
      let verdict = try await Self.validate(clip, in: home, "--decode")
      #expect(verdict.status == 4 && verdict.outcomes["clip.nal-units"] == "fail", "\(verdict)")
      let place = try #require(
        verdict.findings.first { $0["rule"] as? String == "clip.nal-units" }?["place"] as? String)
      let seconds = try #require(Double(place.dropLast(2)))
      #expect(abs(seconds - Double(sample.presentationTicks) / Double(track.timescale)) < 0.2, "\(place)")
      let whole = try await Self.validate(try home.clip("rally-portrait", named: "whole"), in: home, "--decode")
      #expect(whole.outcomes["clip.nal-units"] == "pass" && whole.status == 0, "\(whole)")
    }

    /// A position between frames is not visible in the headers.
    @Test(arguments: ["h264-sei-text", "hevc-sei-text"]) func onlyDeepFindsMessagesBetweenFrames(name: String)
      async throws
    {
      let home = try BSCHome()
      let carrier = try #require(LocationCarrierFile.all.first { $0.name == name })
      let path = try carrier.write(to: home.folder)
      let plain = try await Self.validate(path, in: home, "--rules", "published")
      #expect(plain.outcomes["privacy.location"] == "pass" && plain.depths["privacy.location"] == "samples", "\(plain)")
      let deep = try await Self.validate(path, in: home, "--rules", "published", "--deep")
      #expect(deep.outcomes["privacy.location"] == "fail" && deep.depths["privacy.location"] == "everything", "\(deep)")
      #expect(deep.status == 4)
    }

    @Test func fileHasTimeLimit() async throws {
      let home = try BSCHome()
      let run = try await home.run(
        "validate", try home.clip("rally-4k"), "--allow-no-metadata", "--deep", "--timeout", "0.1", "--json")
      #expect(run.status == 3 && run.output.contains(#""id":"source.timeout""#), "\(run)")
      #expect(run.output.contains(#""seconds":"0.1""#), "\(run)")
    }

    /// `share` decodes a clip before processing.
    @Test func damagedFramesAreNotShared() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-portrait")
      let source = try FileBytes(path: clip)
      let file = try #require(try ISOFile.read(from: source))
      let track = try #require(file.tracks.first { $0.handlerType == "vide" })
      let samples = try #require(try track.table?.samples(in: source))
      var bytes = try Data(contentsOf: URL(filePath: clip))
      bytes[Int(samples[samples.count / 2].range.lowerBound) + 1] ^= 0x7F
      try bytes.write(to: URL(filePath: clip))
      let run = try await home.run("share", clip, "--allow-no-metadata", "--json")
      #expect(run.status == 4 && run.output.contains("clip.nal-units"), "\(run)")
      #expect(try await home.highlights().isEmpty)
    }

    /// Stricter rules of a configuration also apply to `share`; weaker ones do not.
    @Test func configurationCanBeStricter() async throws {
      let home = try BSCHome()
      let settings = home.folder.path(".bsc.toml")
      func write(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: settings)) }
      try write("[rules.\"clip.duration\"]\nmin = 30\n")
      let strict = try await home.run("share", try home.clip("rally-portrait"), "--json")
      #expect(strict.status == 4 && strict.output.contains("clip.duration"), "\(strict)")
      try write("[rules.\"clip.duration\"]\nmin = 1\nseverity = \"warning\"\n")
      let loose = try await home.run("share", try home.clip("too-short"), "--json")
      #expect(loose.status == 4 && loose.output.contains("clip.duration"), "\(loose)")
    }

    @Test func loudnessLimitsAreConfigurable() async throws {
      let home = try BSCHome()
      let clip = try Self.scene("usual.mov", sound: ["-f", "lavfi", "-i", "sine=d=4,volume=-3dB"])
      try Data("[rules.\"clip.loudness\"]\nmin = -20\nmax = -14\nseverity = \"error\"\n".utf8)
        .write(to: URL(filePath: home.folder.path(".bsc.toml")))
      let verdict = try await Self.validate(clip, in: home, "--decode")
      #expect(verdict.status == 4 && verdict.messages("clip.loudness").first?.contains("quiet") == true, "\(verdict)")
    }

    /// The documentation lists all rules.
    @Test func documentationListsAllRules() throws {
      let text = try String(contentsOfFile: SharedMedia.packageFolder + "/Docs/validate.md", encoding: .utf8)
      for rule in RuleCatalog.rules {
        #expect(text.contains("| `\(rule.id)` | \(rule.severity.rawValue) | \(rule.summary)"), "\(rule.id)")
      }
      #expect(text.split(separator: "\n").count { $0.hasPrefix("| `") && $0.contains(".") } >= RuleCatalog.rules.count)
    }
  }
}
