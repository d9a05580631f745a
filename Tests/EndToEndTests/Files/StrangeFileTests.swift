import ClipModel
import Foundation
import TestSupport
import Testing

extension EndToEnd {
  /// Unusual files: commands report what they cannot use and what they omit.
  @Suite struct StrangeFileTests {
    private static let picture = ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=4"]
    private static let sound = ["-f", "lavfi", "-i", "sine=d=4"]

    /// Creates a clip with ffmpeg in the home's folder and modifies it.
    private func clip(
      _ name: String, _ arguments: [String], in home: BSCHome, change: (inout Data) -> Void = { _ in }
    ) throws -> String {
      var data = try Data(contentsOf: URL(fileURLWithPath: ClipFactory.clip(name, arguments)))
      change(&data)
      let path = home.folder.path(name)
      try data.write(to: URL(fileURLWithPath: path))
      return path
    }

    private func document(_ run: BSCProcess.Outcome) throws -> [String: Any] {
      let line = try #require(run.output.split(separator: "\n").last, "\(run)")
      return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    /// Packets of a raw stream have no times, so the stream cannot be processed.
    @Test(arguments: [["compress"], ["compress", "--dry-run"], ["validate"], ["share"]])
    func rawStreamIsReported(command: [String]) async throws {
      let home = try BSCHome()
      let path = try clip("raw.h264", Self.picture + ["-c:v", "libx264"], in: home)
      let run = try await home.run(command + [path])
      #expect(run.status != 0)
      #expect(!run.errors.isEmpty || run.output.contains("clip.duration"))
      let machine = try await home.run(command + [path, "--json"])
      #expect(machine.status == run.status)
      #expect(!machine.output.isEmpty)
    }

    @Test(arguments: ["live.webm", "unfinished.avi"])
    func missingDurationIsMeasured(name: String) async throws {
      let home = try BSCHome()
      let codec = name.hasSuffix("webm") ? ["-c:v", "libvpx", "-live", "1"] : ["-c:v", "mpeg4"]
      let path = try clip(name, Self.picture + codec, in: home)
      for command in [["compress", path], ["thumbs", path], ["share", path, "--dry-run", "--allow-no-metadata"]] {
        let run = try await home.run(command)
        #expect(run.status == 0, "\(run)")
      }
    }

    /// An unknown codec is a finding at every depth, and the other rules are still checked.
    @Test(arguments: [[], ["--decode"], ["--deep"]])
    func unknownCodecIsFinding(depth: [String]) async throws {
      let home = try BSCHome()
      let path = try clip("unknown.mp4", Self.picture + Self.sound + ["-c:v", "libx264"], in: home) { data in
        while let entry = data.range(of: Data("avc1".utf8), in: 200..<data.count) {
          data.replaceSubrange(entry, with: Data("zzz1".utf8))
        }
      }
      let run = try await home.run(["validate", path, "--json", "--allow-no-metadata"] + depth)
      #expect(run.status == 4, "\(run)")
      let findings = try #require(try document(run)["findings"] as? [[String: Any]])
      #expect(findings.contains { $0["rule"] as? String == "clip.video" && $0["next"] is String })
      let checks = try #require(try document(run)["checks"] as? [[String: Any]])
      #expect(checks.contains { $0["rule"] as? String == "privacy.location" })
      // A clip that cannot be shared leaves no job.
      #expect(try await home.run("share", path, "--allow-no-metadata").status == 4)
      #expect(try await home.run("jobs", "--json").output.isEmpty)
    }

    @Test func audioWithoutDescriptionIsReported() async throws {
      let home = try BSCHome()
      let path = try clip("mute.mp4", Self.picture + Self.sound + ["-c:v", "libx264", "-c:a", "aac"], in: home) {
        guard let entry = $0.range(of: Data("mp4a".utf8)) else { return }
        // The size and type of the surrounding box are 16 bytes before the type of the entry.
        $0.replaceSubrange(entry.lowerBound - 16..<entry.lowerBound - 12, with: Data("free".utf8))
      }
      let validation = try await home.run("validate", path, "--json", "--allow-no-metadata")
      let findings = try #require(try document(validation)["findings"] as? [[String: Any]])
      #expect(findings.contains { $0["rule"] as? String == "container.structure" })
      let made = try await home.run("compress", path, "--json")
      #expect(made.status == 0, "\(made)")
      let notes = try #require(try document(made)["notes"] as? [String])
      #expect(!notes.isEmpty)
    }

    /// An AV1 stream without a container, in a file named like one.
    @Test func rawAV1IsAVideo() async throws {
      let home = try BSCHome()
      let path = try clip(
        "raw.ivf", Self.picture + ["-c:v", "libaom-av1", "-usage", "realtime", "-cpu-used", "8", "-b:v", "200k"],
        in: home)
      try FileManager.default.moveItem(atPath: path, toPath: home.folder.path("raw.mp4"))
      let run = try await home.run("compress", "raw.mp4")
      #expect(run.status == 0, "\(run)")
    }
  }
}
