import DurableFiles
import Foundation
import TestSupport
import Testing

extension EndToEnd {
  /// `bsc audit` and `bsc strip`.
  @Suite struct StripTests {
    @Test func auditListsAllWithoutExactPositions() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-4k")
      let audit = try await home.run("audit", clip)
      #expect(audit.status == 4, "\(audit)")
      for words in ["moov/udta/©xyz", "com.apple.quicktime.location.ISO6709", "(gpmd)", "points near"] {
        #expect(audit.output.contains(words), "\(words): \(audit)")
      }
      // Positions are rounded to a degree, without a link to a map.
      #expect(!audit.output.contains(/\d\.\d{2}/), "\(audit)")
      #expect(!audit.output.contains("http"), "\(audit)")
      let exact = try await home.run("audit", "--show-values", clip)
      #expect(exact.output.contains(/-?\d+\.\d{6}, -?\d+\.\d{6}/), "\(exact)")
    }

    /// Findings of an option are removed with the same option.
    @Test func adviceRemovesFindings() async throws {
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

    @Test func identifiersAndDatesCountIfRequested() async throws {
      let home = try BSCHome()
      let clip = try home.clip("no-metadata")
      #expect(try await home.run("audit", clip).status == 0)
      #expect(try await home.run("audit", "--identifiers", clip).status == 4)
      #expect(try await home.run("audit", "--dates", clip).status == 4)
    }

    @Test func uncheckableFileIsNotClean() async throws {
      let home = try BSCHome()
      let text = home.folder.path("text.mp4")
      try Data("not a video at all".utf8).write(to: URL(filePath: text))
      let audit = try await home.run("audit", text)
      #expect(audit.status == 3 && audit.output.contains("unknown"), "\(audit)")
      #expect(try await home.run("audit", home.folder.path("missing.mp4")).status == 66)
    }

    @Test func stripWritesCopyNextToSource() async throws {
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
      // The recording date and the times of the file are kept.
      let (old, new) = (try times(clip), try times(out))
      #expect(old == new)
      // A second run does not overwrite the copy.
      let again = try await home.run("strip", clip)
      #expect(again.status != 0 && again.errors.contains("rally-4k-stripped.mp4"), "\(again)")
      #expect(try await home.run("strip", "--force", clip).status == 0)
    }

    @Test func folderIsMirroredDespiteBadFile() async throws {
      let home = try BSCHome()
      let season = home.folder.path("season")
      try FileManager.default.createDirectory(atPath: season + "/may", withIntermediateDirectories: true)
      try FileManager.default.moveItem(atPath: home.clip("rally-portrait"), toPath: season + "/may/one clip.mp4")
      try FileManager.default.moveItem(atPath: home.clip("too-short"), toPath: season + "/two.mp4")
      try Data("not a video".utf8).write(to: URL(filePath: season + "/broken.mp4"))
      let strip = try await home.run("strip", season, "-o", home.folder.path("public"))
      #expect(strip.status == 3 && strip.errors.contains("broken.mp4"), "\(strip)")
      #expect(try await home.run("audit", home.folder.path("public")).status == 0)
      let written = try FileManager.default.subpathsOfDirectory(atPath: home.folder.path("public"))
      #expect(Set(written) == ["may", "may/one clip.mp4", "two.mp4"])
    }

    @Test func dryRunWritesNothing() async throws {
      let home = try BSCHome()
      let strip = try await home.run("strip", "--dry-run", try home.clip("rally-portrait"))
      #expect(strip.status == 0 && strip.output.contains("©xyz"), "\(strip)")
      #expect(!FileManager.default.fileExists(atPath: home.folder.path("rally-portrait-stripped.mp4")))
    }

    @Test func identifiersAndDatesAreRemovedIfRequested() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-portrait")
      let strip = try await home.run("strip", "--identifiers", "--dates", clip, "-o", "out.mp4")
      #expect(strip.status == 0, "\(strip)")
      let audit = try await home.run("audit", "--identifiers", "--dates", "out.mp4")
      #expect(audit.status == 0, "\(audit)")
      let output = try OtherPrograms.exiftool(home.folder.path("out.mp4"), ["-Make", "-Model", "-CreateDate"])
      #expect(!output.contains("Make ") && !output.contains("Model ") && !output.contains("20"), "\(output)")
      // Make and model can be kept.
      #expect(try await home.run("strip", "--identifiers", "--keep-model", clip, "-o", "model.mp4").status == 0)
      #expect(try OtherPrograms.exiftool(home.folder.path("model.mp4"), ["-Model"]).contains("Model"))
    }

    @Test func motionDataOfGoProTrackIsKept() async throws {
      let home = try BSCHome()
      let camera = try #require(LocationCarrierFile.all.first { $0.name == "gopro-gps5" })
      let clip = try camera.write(to: home.folder)
      #expect(try await home.run("strip", "--keep-motion", "--prove", clip, "-o", "motion.mp4").status == 0)
      let output = try OtherPrograms.exiftool(home.folder.path("motion.mp4"))
      #expect(output.contains("Accelerometer") && !output.contains("GPS"), "\(output)")
      #expect(try await home.run("audit", "motion.mp4").status == 0)
    }

    @Test func fullDiskLeavesNoFiles() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-4k")
      guard let disk = try MountedFolder(home.folder.path("small"), options: "size=1m") else { return }
      let strip = try await home.run("strip", clip, "-o", "small/", "--json")
      let id = try #require(strip.failures.first?.id, "\(strip)")
      #expect(strip.status == 74 && id.hasSuffix(".disk-full"), "\(strip)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: home.folder.path("small")).isEmpty)
      withExtendedLifetime(disk) {}
    }

    /// After a kill during writing, the source is complete, and the next run deletes temporary files.
    @Test func killLosesNoData() async throws {
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
        // The attempts differ in the number of bytes that are written.
        let byteCount = fileSize(clip) * (attempt - 1) / 20
        try await TestTimeout.wait {
          try process.isOver || leftovers(in: home).contains { fileSize(home.folder.path($0)) >= byteCount }
        }
        process.send(SIGKILL)
        let outcome = await process.outcome()
        guard outcome.wasKilled else { break }
        guard try await FileDigest.sha256(path: clip) == digest else {
          // Killed after the rename, so the file is already stripped.
          #expect(try await home.run("audit", clip).status == 0)
          break
        }
        wasCaught = try wasCaught || !leftovers(in: home).isEmpty
      }
      #expect(wasCaught, "no attempt interrupted the writing")
      #expect(try await home.run("strip", "--in-place", clip).status == 0)
      #expect(try leftovers(in: home).isEmpty)
      #expect(try await home.run("audit", clip).status == 0)
    }

    @Test func findingTakesPrecedenceOverUncheckableFile() async throws {
      let home = try BSCHome()
      let text = home.folder.path("text.mp4")
      try Data("not a video at all".utf8).write(to: URL(filePath: text))
      #expect(try await home.run("audit", text, home.clip("rally-portrait"), "none.mp4").status == 4)
      #expect(try await home.run("audit", text, home.clip("no-metadata")).status == 3)
    }

    @Test func nameWithoutExtensionIsKept() async throws {
      let home = try BSCHome()
      try FileManager.default.moveItem(atPath: home.clip("rally-portrait"), toPath: home.folder.path("clip"))
      #expect(try await home.run("strip", "clip").status == 0)
      #expect(FileManager.default.fileExists(atPath: home.folder.path("clip-stripped")))
    }

    @Test func cleanFileIsReported() async throws {
      let home = try BSCHome()
      func removedCount(_ run: BSCProcess.Outcome) throws -> Int? {
        let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        return (document?["removed"] as? [Any])?.count
      }
      let strip = try await home.run("strip", try home.clip("no-metadata"))
      // Kept metadata is reported.
      #expect(strip.status == 0 && strip.output.contains(/kept +2 .*--identifiers/), "\(strip)")
      let preview = try await home.run("strip", "-n", "--force", "no-metadata.mp4", "--json")
      #expect(try removedCount(preview) == 0, "\(preview)")
      let all = try await home.run("strip", "--identifiers", "no-metadata.mp4", "-o", "clean.mp4")
      #expect(all.status == 0, "\(all)")
      let clean = try await home.run("strip", "--identifiers", "clean.mp4", "--json")
      #expect(try clean.status == 0 && removedCount(clean) == 0, "\(clean)")
    }

    @Test(arguments: ["strip", "audit"]) func helpFitsTerminal(_ command: String) async throws {
      let home = try BSCHome()
      let help = try await home.run(command, "--help")
      #expect(help.status == 0)
      // The argument parser formats the rest.
      let text = try #require(help.output.firstRange(of: "USAGE:").map { help.output[..<$0.lowerBound] })
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.allSatisfy { $0.count <= 80 }, "\(help)")
      // Line breaks in the source that remain in a wrapped paragraph would leave short lines.
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

    /// 0 if the file does not exist.
    private func fileSize(_ path: String) -> Int {
      (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    }

    private func times(_ path: String) throws -> Date? {
      try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    }

    /// The names of leftover temporary files.
    private func leftovers(in home: BSCHome) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: home.folder.path).filter { $0.contains(".tmp") }
    }
  }
}
