import ClipModel
import DurableFiles
import Foundation
import TestSupport
import Testing

extension EndToEnd {
  /// `bsc cut` with existing files under the names of its clips, or without disk space.
  @Suite struct CutPlacesTests {
    private func cut(_ place: CutHome, _ arguments: String...) async throws -> BSCProcess.Outcome {
      let outcome = await (try place.home.start(["cut", "match.mp4"] + arguments)).outcome()
      place.home.expectConventions(of: outcome)
      return outcome
    }

    /// Exports the metadata of the match again, with the same times.
    private func export(_ place: CutHome, quality: Double) throws {
      let file = URL(filePath: place.home.folder.path("match.json"))
      var document = try #require(
        try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
      let segments = try #require(document["rallySegments"] as? [[String: Any]])
      document["rallySegments"] = segments.map { $0.merging(["quality": quality]) { $1 } }
      try JSONSerialization.data(withJSONObject: document).write(to: file)
    }

    private func quality(_ place: CutHome, _ name: String) throws -> Double? {
      let bytes = try Data(contentsOf: URL(filePath: place.home.folder.path(name)))
      let document = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
      return (document["rallySegments"] as? [[String: Any]])?.first?["quality"] as? Double
    }

    @Test func newMetadataIsCopiedToClips() async throws {
      let place = try CutHome()
      try export(place, quality: 0.25)
      #expect(try await cut(place, "--rally", "0,1", "-o", "out").status == 0)
      let clip = place.home.folder.path("out/match-rally-00.mp4")
      let inode = try FileIdentity.of(clip).inode
      try export(place, quality: 0.75)
      let dry = try await cut(place, "--rally", "0,1", "-o", "out", "-n", "--json")
      let planned = try CutAnswer.all(in: dry.output)
      #expect(dry.status == 0 && planned.map(\.status) == ["present", "present"], "\(dry)")
      #expect(planned.map(\.metadataUpdate) == ["planned", "planned"], "\(dry)")
      #expect(try quality(place, "out/match-rally-00.json") == 0.25)
      let second = try await cut(place, "--rally", "0,1", "-o", "out", "--json")
      let updated = try CutAnswer.all(in: second.output)
      #expect(second.status == 0 && updated.map(\.status) == ["present", "present"], "\(second)")
      #expect(updated.map(\.metadataUpdate) == ["made", "made"], "\(second)")
      #expect(try quality(place, "out/match-rally-00.json") == 0.75)
      #expect(try FileIdentity.of(clip).inode == inode)
      #expect(try await place.home.run("validate", "out").status == 0)
      let third = try await cut(place, "--rally", "0,1", "-o", "out", "--json")
      let unchanged = try CutAnswer.all(in: third.output)
      #expect(unchanged.map(\.status) == ["present", "present"], "\(third)")
      #expect(unchanged.allSatisfy { $0.metadataUpdate == nil && $0.notes == nil }, "\(third)")
      // Metadata that the user changed is kept.
      let edited = try place.home.folder.text("out/match-rally-00.json").replacing("0.75", with: "0.5")
      try place.home.folder.write(edited, to: "out/match-rally-00.json")
      try export(place, quality: 1)
      let fourth = try await cut(place, "--rally", "0,1", "-o", "out", "--json")
      #expect(fourth.status == 0, "\(fourth)")
      let answers = try CutAnswer.all(in: fourth.output)
      #expect(answers.first?.notes?.first?.contains("match-rally-00.json") == true, "\(fourth)")
      #expect(answers.map(\.status) == ["present", "present"] && answers.map(\.metadataUpdate) == [nil, "made"])
      #expect(try place.home.folder.text("out/match-rally-00.json") == edited)
      #expect(try quality(place, "out/match-rally-01.json") == 1)
    }

    @Test func dryRunChecksExistingFiles() async throws {
      let place = try CutHome()
      #expect(try await cut(place, "--rally", "0").status == 0)
      try place.home.folder.write("mine", to: "match-rally-01.mp4")
      let run = try await cut(place, "--rally", "0-3", "-n")
      #expect(run.status == 64 && run.output.contains("match-rally-00.mp4, 4.6 s from 0:02.4"), "\(run)")
      // The summary has the count of each status.
      #expect(run.errors.contains(/1 \D+, 1 \D+, 1 \D+, 1 \w/), "\(run)")
      let lines = try CutAnswer.all(in: try await cut(place, "--rally", "0-3", "-n", "--json").output)
      #expect(lines.map(\.status) == ["present", "failed", "planned", "refused"])
      #expect(lines.map(\.error?.id) == [nil, "file.exists", nil, nil])
      #expect(try await cut(place, "--rally", "0,2", "-n", "-o", "a/b").status == 0)
      #expect(place.names("").filter { $0 != "match-rally-00.mp4" && $0.hasPrefix("match-rally-0") }.count == 2)
      #expect(!FileManager.default.fileExists(atPath: place.home.folder.path("a")))
    }

    /// The error has advice, because users cannot choose the names of clips.
    @Test func existingFileIsReported() async throws {
      let place = try CutHome()
      try place.home.folder.write("mine", to: "match-rally-00.mp4")
      for name in ["match-rally-01.mp4", "match-rally-02.json"] {
        try FileManager.default.createDirectory(
          atPath: place.home.folder.path(name), withIntermediateDirectories: false)
      }
      for arguments in [[], ["-n"]] {
        let run = await (try place.home.start(["cut", "match.mp4", "--rally", "0-2", "--json"] + arguments)).outcome()
        let answers = try CutAnswer.all(in: run.output).sorted { $0.rally ?? -1 < $1.rally ?? -1 }
        let errors = answers.compactMap(\.error)
        #expect(errors.map(\.id) == ["file.exists", "file.not-a-file", "file.not-a-file"], "\(run)")
        #expect(errors.first?.next?.contains("--force") == true, "\(run)")
        #expect(errors.allSatisfy { $0.next?.contains("-o") == true }, "\(run)")
      }
    }

    @Test func failureCreatesNoFolder() async throws {
      let place = try CutHome()
      let run = try await cut(place, "--rally", "3,4", "-o", "out")
      #expect(run.status == 4 && run.errors.contains("2 rejected"), "\(run)")
      try place.home.folder.write(#"{"saved":[],"removed":[0,1]}"#, to: "match_selections.json")
      let none = try await cut(place, "--saved", "-o", "out")
      #expect(none.status == 0 && none.output.isEmpty, "\(none)")
      #expect(none.errors.hasPrefix("note: ") && none.errors.contains("match_selections.json"), "\(none)")
      #expect(try await cut(place, "--saved", "-n").errors == none.errors)
      #expect(!FileManager.default.fileExists(atPath: place.home.folder.path("out")))
    }

    @Test(.enabled(if: SmallDisk.isAvailable)) func spaceIsCheckedBeforeCutting() async throws {
      let place = try CutHome()
      let disk = try SmallDisk()
      let run = try await cut(place, "--rally", "0", "-o", disk.folder.path, "--json")
      #expect(run.status == 74, "\(run)")
      let error = try #require(run.failures.first, "\(run)")
      #expect(error.id == "output.disk-full" && error.facts?["operation"]?.hasSuffix("match-rally-00.mp4") == true)
      let (needed, free) = try (#require(error.facts?["needed"]), #require(error.facts?["free"]))
      #expect(error.why.contains(needed) && error.why.contains(free), "\(run)")
      #expect(run.errors.contains("next: "), "\(run)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: disk.folder.path).isEmpty)
    }
  }
}
