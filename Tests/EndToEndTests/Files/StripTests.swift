import DurableFiles
import Foundation
import TestSupport
import Testing

extension EndToEnd {
  /// `bsc audit` and `bsc strip` as users run them.
  @Suite struct StripTests {
    @Test func auditNamesEverythingAndNoPlace() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-4k")
      let audit = try await home.run("audit", clip)
      #expect(audit.status == 4, "\(audit)")
      for words in ["moov/udta/©xyz", "com.apple.quicktime.location.ISO6709", "(gpmd)", "points near"] {
        #expect(audit.output.contains(words), "\(words): \(audit)")
      }
      // To a degree: no fraction of a degree, no link to a map.
      #expect(!audit.output.contains(/\d\.\d{2}/), "\(audit)")
      #expect(!audit.output.contains("http"), "\(audit)")
      let exact = try await home.run("audit", "--show-values", clip)
      #expect(exact.output.contains(/-?\d+\.\d{6}, -?\d+\.\d{6}/), "\(exact)")
    }

    /// What counts by a flag goes by the same flag.
    @Test func theNextStepTakesAwayWhatWasFound() async throws {
      let home = try BSCHome()
      let clip = try home.clip("no-metadata", named: "two words")
      let audit = try await home.run("audit", "--identifiers", "--dates", clip)
      #expect(audit.status == 4, "\(audit)")
      #expect(audit.output.hasSuffix("  next       bsc strip --identifiers --dates '\(clip)'\n"), "\(audit)")
      let strip = try await home.run("strip", "--identifiers", "--dates", "--in-place", clip)
      #expect(strip.status == 0, "\(strip)")
      #expect(try await home.run("audit", "--identifiers", "--dates", clip).status == 0)
    }

    @Test func auditAsJSON() async throws {
      let home = try BSCHome()
      let audit = try await home.run("audit", "--json", try home.clip("rally-portrait"), try home.clip("no-metadata"))
      #expect(audit.status == 4, "\(audit)")
      let documents = try audit.output.split(separator: "\n").map {
        try JSONDecoder().decode(AuditAnswer.self, from: Data($0.utf8))
      }
      #expect(documents.map(\.schema) == ["bsc.audit/1", "bsc.audit/1"])
      #expect(documents.map(\.verdict) == ["found", "clean"])
      let found = try #require(documents.first).carriers.filter { $0.disclosure == "location" }
      #expect(found.count >= 3)
      let position = try #require(found.compactMap(\.firstPosition).first)
      #expect(position.latitude == position.latitude.rounded() && position.longitude == position.longitude.rounded())
    }

    @Test func identifiersAndDatesCountWhenAskedFor() async throws {
      let home = try BSCHome()
      let clip = try home.clip("no-metadata")
      #expect(try await home.run("audit", clip).status == 0)
      #expect(try await home.run("audit", "--identifiers", clip).status == 4)
      #expect(try await home.run("audit", "--dates", clip).status == 4)
    }

    @Test func whatCannotBeJudgedIsNotClean() async throws {
      let home = try BSCHome()
      let text = home.folder.path("text.mp4")
      try Data("no film at all".utf8).write(to: URL(filePath: text))
      let audit = try await home.run("audit", text)
      #expect(audit.status == 3 && audit.output.contains("unknown"), "\(audit)")
      #expect(try await home.run("audit", home.folder.path("missing.mp4")).status == 66)
    }

    @Test func stripWritesACopyBesideTheSource() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-4k")
      let before = try Data(contentsOf: URL(filePath: clip))
      let strip = try await home.run("strip", "--prove", clip)
      #expect(strip.status == 0, "\(strip)")
      #expect(strip.output.contains("proved") && strip.output.contains("verified"), "\(strip)")
      #expect(try Data(contentsOf: URL(filePath: clip)) == before)
      let out = home.folder.path("rally-4k-stripped.mp4")
      #expect(try await home.run("audit", out).status == 0)
      #expect(try OtherPrograms.positions(in: out).isEmpty)
      #expect(try OtherPrograms.streamHashes(of: out) == OtherPrograms.streamHashes(of: clip))
      // The day and hour it was filmed, and the file's own times, stay.
      let (old, new) = (try times(clip), try times(out))
      #expect(old == new)
      // A second run does not overwrite.
      let again = try await home.run("strip", clip)
      #expect(again.status != 0 && again.errors.contains("rally-4k-stripped.mp4"), "\(again)")
      #expect(try await home.run("strip", "--force", clip).status == 0)
    }

    @Test func aFolderIsMirroredAndOneBadFileStopsNothing() async throws {
      let home = try BSCHome()
      let season = home.folder.path("season")
      try FileManager.default.createDirectory(atPath: season + "/may", withIntermediateDirectories: true)
      try FileManager.default.moveItem(atPath: home.clip("rally-portrait"), toPath: season + "/may/one clip.mp4")
      try FileManager.default.moveItem(atPath: home.clip("too-short"), toPath: season + "/two.mp4")
      try Data("no film".utf8).write(to: URL(filePath: season + "/broken.mp4"))
      let strip = try await home.run("strip", season, "-o", home.folder.path("public"))
      #expect(strip.status == 3 && strip.errors.contains("broken.mp4"), "\(strip)")
      #expect(try await home.run("audit", home.folder.path("public")).status == 0)
      let written = try FileManager.default.subpathsOfDirectory(atPath: home.folder.path("public"))
      #expect(Set(written) == ["may", "may/one clip.mp4", "two.mp4"])
    }

    @Test func aDryRunWritesNothing() async throws {
      let home = try BSCHome()
      let strip = try await home.run("strip", "--dry-run", try home.clip("rally-portrait"))
      #expect(strip.status == 0 && strip.output.contains("©xyz"), "\(strip)")
      #expect(!FileManager.default.fileExists(atPath: home.folder.path("rally-portrait-stripped.mp4")))
    }

    @Test func identifiersAndDatesGoWhenAskedFor() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-portrait")
      let strip = try await home.run("strip", "--identifiers", "--dates", clip, "-o", "out.mp4")
      #expect(strip.status == 0, "\(strip)")
      let audit = try await home.run("audit", "--identifiers", "--dates", "out.mp4")
      #expect(audit.status == 0, "\(audit)")
      let said = try OtherPrograms.exiftool(home.folder.path("out.mp4"), ["-Make", "-Model", "-CreateDate"])
      #expect(!said.contains("Make ") && !said.contains("Model ") && !said.contains("20"), "\(said)")
      // Model and make can stay.
      #expect(try await home.run("strip", "--identifiers", "--keep-model", clip, "-o", "model.mp4").status == 0)
      #expect(try OtherPrograms.exiftool(home.folder.path("model.mp4"), ["-Model"]).contains("Model"))
    }

    @Test func motionOfAGoProTrackCanStay() async throws {
      let home = try BSCHome()
      let camera = try #require(LocationCarrierFile.all.first { $0.name == "gopro-gps5" })
      let clip = try camera.write(to: home.folder)
      #expect(try await home.run("strip", "--keep-motion", "--prove", clip, "-o", "motion.mp4").status == 0)
      let said = try OtherPrograms.exiftool(home.folder.path("motion.mp4"))
      #expect(said.contains("Accelerometer") && !said.contains("GPS"), "\(said)")
      #expect(try await home.run("audit", "motion.mp4").status == 0)
    }

    @Test func aFullDiskLeavesNothing() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-4k")
      guard let disk = try MountedFolder(home.folder.path("small"), options: "size=1m") else { return }
      let strip = try await home.run("strip", clip, "-o", "small/")
      #expect(strip.status == 74 && strip.errors.contains("full"), "\(strip)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: home.folder.path("small")).isEmpty)
      withExtendedLifetime(disk) {}
    }

    /// Killed while it writes: the source is whole, nothing has the final name, and the next run clears away what is left.
    @Test func killedInTheMiddleNothingIsLost() async throws {
      let home = try BSCHome()
      let clip = home.folder.path("long.mp4")
      _ = try Tool.run(
        "ffmpeg",
        ["-v", "error", "-nostdin", "-stream_loop", "40", "-i", SharedMedia.sample("rally-4k.mp4"), "-map", "0:v"]
          + ["-c", "copy", "-metadata", "location=+48.1372+011.5755/", clip])
      let digest = try await FileDigest.sha256(path: clip)
      var wasCaught = false
      for attempt in 1...20 {
        let process = try home.start(["strip", "--in-place", clip])
        // From nothing written to all written.
        try await Patience.wait { try process.isOver || !leftovers(in: home).isEmpty }
        try await Task.sleep(for: .milliseconds(5 * (attempt - 1)))
        process.send(SIGKILL)
        let outcome = await process.outcome()
        guard outcome.wasKilled else { break }
        guard try await FileDigest.sha256(path: clip) == digest else {
          // Killed after the rename: then it is the finished one.
          #expect(try await home.run("audit", clip).status == 0)
          break
        }
        wasCaught = try wasCaught || !leftovers(in: home).isEmpty
      }
      #expect(wasCaught, "no attempt hit the writing")
      #expect(try await home.run("strip", "--in-place", clip).status == 0)
      #expect(try leftovers(in: home).isEmpty)
      #expect(try await home.run("audit", clip).status == 0)
    }

    @Test func aFindingWinsOverWhatCannotBeJudged() async throws {
      let home = try BSCHome()
      let text = home.folder.path("text.mp4")
      try Data("no film at all".utf8).write(to: URL(filePath: text))
      #expect(try await home.run("audit", text, home.clip("rally-portrait"), "none.mp4").status == 4)
      #expect(try await home.run("audit", text, home.clip("no-metadata")).status == 3)
    }

    @Test func aNameWithoutAnExtensionGetsNone() async throws {
      let home = try BSCHome()
      try FileManager.default.moveItem(atPath: home.clip("rally-portrait"), toPath: home.folder.path("clip"))
      #expect(try await home.run("strip", "clip").status == 0)
      #expect(FileManager.default.fileExists(atPath: home.folder.path("clip-stripped")))
    }

    @Test func whatIsCleanIsSaidToBe() async throws {
      let home = try BSCHome()
      let strip = try await home.run("strip", try home.clip("no-metadata"))
      // What is kept is private, too.
      #expect(strip.status == 0 && strip.output.contains("nothing in it told where it was filmed"), "\(strip)")
      #expect(strip.output.contains(/kept +\d names? of camera or owner/), "\(strip)")
      let all = try await home.run("strip", "--identifiers", "no-metadata.mp4", "-o", "clean.mp4")
      #expect(all.status == 0, "\(all)")
      let clean = try await home.run("strip", "--identifiers", "clean.mp4")
      #expect(clean.status == 0 && clean.output.contains("nothing private was in it"), "\(clean)")
    }

    @Test(arguments: ["strip", "audit"]) func helpFitsATerminal(_ command: String) async throws {
      let home = try BSCHome()
      let help = try await home.run(command, "--help")
      #expect(help.status == 0)
      // What follows is laid out by the argument parser.
      let text = try #require(help.output.firstRange(of: "USAGE:").map { help.output[..<$0.lowerBound] })
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.allSatisfy { $0.count <= 80 }, "\(help)")
      // A paragraph that breaks by itself and by its author leaves short lines between long ones.
      for (line, next) in zip(lines, lines.dropFirst()) where !line.hasPrefix(" ") && !next.isEmpty && line.count > 0 {
        let word = next.prefix { $0 != " " }
        #expect(next.hasPrefix(" ") || line.count + 1 + word.count >= 80, "\(line)")
      }
    }

    private struct AuditAnswer: Decodable {
      struct Carrier: Decodable {
        var disclosure: String
        var firstPosition: Position?
      }
      struct Position: Decodable {
        var latitude: Double
        var longitude: Double
      }
      var schema: String
      var verdict: String
      var carriers: [Carrier]
    }

    private func times(_ path: String) throws -> Date? {
      try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    }

    /// Temporaries that nobody cleared away.
    private func leftovers(in home: BSCHome) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: home.folder.path).filter { $0.contains(".tmp") }
    }
  }
}
