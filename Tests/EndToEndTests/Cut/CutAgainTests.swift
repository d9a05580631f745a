import ClipMedia
import ClipModel
import DurableFiles
import Foundation
import TestSupport
import Testing

extension EndToEnd {
  /// Repeated runs of `bsc cut`: after a kill, a signal or damage, and with existing clips.
  @Suite struct CutAgainTests {
    /// Twelve consecutive rallies.
    private static let many: [Range<Double>] = (0..<12).map { index in
      let start: Double = 3.24 * Double(index) + 0.32
      return start..<start + 3.08
    }

    /// Stops a cut at its second clip and returns its outcome.
    private func stopped(_ place: CutHome, by signal: Int32) async throws -> BSCProcess.Outcome {
      let process = try place.home.start(["cut", "match.mp4", "-o", "out", "-j", "1", "--reencode", "--json"])
      var count = 0
      for await line in process.outputLines where line.contains(#""made""#) {
        count += 1
        if count == 2 { process.send(signal) }
      }
      return await process.outcome()
    }

    /// Expects only complete clips and returns their names.
    private func expectWhole(_ place: CutHome, sourceLocation: SourceLocation = #_sourceLocation) async throws
      -> [String]
    {
      let clips = place.names("out").filter { $0.hasSuffix(".mp4") && !$0.hasPrefix(".") }
      for name in clips {
        let clip = place.home.folder.path("out/\(name)")
        let json = try Data(contentsOf: URL(filePath: (clip as NSString).deletingPathExtension + ".json"))
        let document = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
        let digest = (document["bsc"] as? [String: Any])?["clipSHA256"] as? String
        #expect(try await FileDigest.sha256(path: clip) == digest, sourceLocation: sourceLocation)
        // Clips that start at a key frame are copied and have some more frames.
        #expect(try (75...82).contains(CutHome.pictures(clip).count), sourceLocation: sourceLocation)
      }
      return clips
    }

    @Test(arguments: TestScope.some(1, of: [SIGKILL, SIGINT, SIGTERM]))
    func stoppedCutIsResumed(_ signal: Int32) async throws {
      let place = try CutHome(Self.many)
      let outcome = try await stopped(place, by: signal)
      #expect(outcome.status == 128 + signal, "\(outcome)")
      let first = try await expectWhole(place)
      #expect((2..<12).contains(first.count), "\(outcome)")
      if signal != SIGKILL { #expect(!place.names("out").contains { $0.hasPrefix(".") }) }
      let again = try await place.home.run("cut", "match.mp4", "-o", "out", "--reencode", "--json")
      #expect(again.status == 0, "\(again)")
      let answers = try CutAnswer.all(in: again.output)
      #expect(answers.count { $0.status == "present" } == first.count)
      #expect(answers.count { $0.status == "made" } == 12 - first.count)
      #expect(try await expectWhole(place).count == 12)
      // No temporary files remain.
      #expect(place.names("out").count == 24, "\(place.names("out"))")
    }

    /// A rally that takes long to encode.
    @Test func killedEncodeContinues() async throws {
      let place = try CutHome([1.5..<39.5])
      let arguments = ["cut", "match.mp4", "-o", "out", "--reencode", "--quality", "5", "--progress", "json"]
      let process = try place.home.start(arguments)
      let encode = StoredEncode(of: place.home.folder.path("out/match-rally-00.mp4"))
      #expect(try await TestTimeout.wait { encode.readProgress() != nil || process.isOver })
      process.send(SIGKILL)
      #expect(await process.outcome().status == 128 + SIGKILL)
      let stored = try #require(encode.readProgress())
      let hidden = try #require(place.names("out").first { $0.hasSuffix(".bsc-encoding") })
      let path = place.home.folder.path("out/\(hidden)")
      let bytes = try Data(contentsOf: URL(filePath: path))
      let again = try await place.home.run(arguments)
      let event = again.errors.split(separator: "\n").compactMap { ProgressEvent(line: String($0)) }
        .first { $0.event == "continued" }
      #expect(again.status == 0 && event?.detail == stored.text, "\(again)")
      #expect(place.names("out") == ["match-rally-00.json", "match-rally-00.mp4"])
      // A run that was killed right after the clip got its name leaves the stored GOPs.
      try bytes.write(to: URL(filePath: path))
      #expect(try await place.home.run(arguments).status == 0)
      #expect(place.names("out") == ["match-rally-00.json", "match-rally-00.mp4"])
    }

    @Test func existingClipsAreKept() async throws {
      let place = try CutHome()
      let arguments = ["cut", "match.mp4", "--rally", "0,1"]
      func cut(_ more: String...) async throws -> BSCProcess.Outcome {
        let outcome = await (try place.home.start(arguments + more)).outcome()
        place.home.expectConventions(of: outcome)
        return outcome
      }
      #expect(try await cut().status == 0)
      let clip = place.home.folder.path("match-rally-00.mp4")
      let inode = try FileIdentity.of(clip).inode
      let second = try await cut("--json")
      #expect(second.status == 0)
      #expect(try CutAnswer.all(in: second.output).map(\.status) == ["present", "present"])
      #expect(try FileIdentity.of(clip).inode == inode)
      // Other settings require another clip.
      let other = try await cut("--reencode")
      #expect(
        other.status == 64 && other.errors.contains("--force"), "\(other)")
      #expect(try FileIdentity.of(clip).inode == inode)
      #expect(try await cut("--reencode", "--force").status == 0)
      #expect(try FileIdentity.of(clip).inode != inode)
      // A changed clip is not accepted as the result.
      try Data("short".utf8).write(to: URL(filePath: clip))
      let changed = try await cut("--reencode", "--json")
      #expect(try CutAnswer.all(in: changed.output).map(\.status) == ["failed", "present"], "\(changed)")
      #expect(try Data(contentsOf: URL(filePath: clip)) == Data("short".utf8))
    }

    @Test func unknownFilesAreKept() async throws {
      let place = try CutHome()
      try place.home.folder.write("mine", to: "match-rally-00.json")
      try place.home.folder.write("mine", to: "match-rally-01.mp4")
      let run = try await place.home.run("cut", "match.mp4", "--rally", "0-2", "--json")
      #expect(try CutAnswer.all(in: run.output).map(\.status) == ["failed", "failed", "made"], "\(run)")
      #expect(run.status == 64)
      #expect(try place.home.folder.text("match-rally-00.json") == "mine")
      #expect(try place.home.folder.text("match-rally-01.mp4") == "mine")
      #expect(!place.names("").contains("match-rally-00.mp4"))
    }

    /// The advice to use `--salvage` is omitted if it was used.
    @Test func rallyAfterDamageIsReported() async throws {
      let place = try CutHome([2.4..<7.0, 34.0..<39.0])
      let whole = place.home.folder.path("whole.mp4")
      _ = try Tool.run(
        "ffmpeg",
        ["-v", "error", "-nostdin", "-i", place.match, "-c", "copy", "-movflags", "faststart", whole])
      let bytes = try Data(contentsOf: URL(filePath: whole))
      try bytes.prefix(bytes.count / 2).write(to: URL(filePath: place.match))
      let run = try await place.home.run("cut", "match.mp4", "-o", "out", "--salvage", "--json")
      #expect(run.status == 3 && place.names("out") == ["match-rally-00.json", "match-rally-00.mp4"], "\(run)")
      let failed = try CutAnswer.all(in: run.output).filter { $0.status == "failed" }
      #expect(failed.map(\.rally) == [1] && failed.map(\.error?.id) == ["cut.not-salvageable"], "\(run)")
      #expect(run.errors.contains("error: rally 1: "), "\(run)")
      #expect(failed.first?.error?.next?.contains("--salvage") == false, "\(run)")
    }

    /// Damage affects only the damaged rally.
    @Test func otherRalliesAreCutDespiteDamage() async throws {
      let place = try CutHome()
      let packets = try Tool.ffprobe(place.match, stream: "v:0", entries: "packet=pts_time,pos,size")
      let handle = try FileHandle(forUpdating: URL(filePath: place.match))
      for packet in packets where (16.0..<18.0).contains(Double(packet[0]) ?? 0) {
        // Ffprobe prints time, size and position in this order.
        let (size, position) = (Int(packet[1]) ?? 0, UInt64(packet[2]) ?? 0)
        // After the slice header, because decoders ignore slices without a valid header.
        try handle.seek(toOffset: position + UInt64(size / 2))
        try handle.write(contentsOf: Data(repeating: 0xA5, count: size / 2))
      }
      try handle.close()
      let run = try await place.home.run("cut", "match.mp4", "--rally", "0-2", "--reencode", "--json")
      let answers = try CutAnswer.all(in: run.output).sorted { $0.rally ?? -1 < $1.rally ?? -1 }
      #expect(answers.map(\.status) == ["made", "made", "failed"], "\(run)")
      #expect(run.status == 3)
      #expect(
        place.names("").filter { $0.hasSuffix(".mp4") } == ["match-rally-00.mp4", "match-rally-01.mp4", "match.mp4"])
      let third = try await place.home.run("cut", "match.mp4", "--rally", "0-2", "--reencode")
      #expect(third.errors.contains(/2 \D+, 1 \w/) && third.errors.contains(/0:15\.3 \w+ 0:20\.0/), "\(third)")
    }
  }
}
