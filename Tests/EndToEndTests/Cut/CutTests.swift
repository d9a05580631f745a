import ClipModel
import DurableFiles
import Foundation
import TestSupport
import Testing

extension EndToEnd {
  /// `bsc cut` with and without sharing.
  @Suite struct CutTests {
    /// Copied rallies start at their first frame even between key frames; other rallies are cut despite refused ones.
    @Test func ralliesBecomeClipsWithMetadata() async throws {
      let place = try CutHome()
      let before = try Data(contentsOf: URL(filePath: place.match))
      let run = try await place.home.run("cut", "match.mp4", "-o", "rallies", "--json")
      #expect(run.status == 4, "\(run)")
      let answers = try CutAnswer.all(in: run.output).sorted { $0.rally ?? -1 < $1.rally ?? -1 }
      #expect(answers.map(\.status) == ["made", "made", "made", "refused", "refused"], "\(run)")
      #expect(answers.map(\.rally) == [0, 1, 2, 3, 4] && answers.allSatisfy { $0.schema == "bsc.cut/1" })
      #expect(answers[3].findings.map(\.rule) == ["rally.length"] && answers[4].findings.map(\.rule) == ["rally.range"])
      #expect(
        place.names("rallies") == (0...2).flatMap { ["match-rally-0\($0).json", "match-rally-0\($0).mp4"] })
      let source = try CutHome.pictures(place.match)
      for (answer, range) in zip(answers, CutHome.rallies.prefix(3)) {
        let clip = place.home.folder.path(try #require(answer.output))
        #expect(try await FileDigest.sha256(path: clip) == answer.sha256)
        let shown = try CutHome.pictures(clip)
        let first = try #require(source.firstIndex { $0.seconds >= range.lowerBound - 0.001 })
        let count = Int(((range.upperBound - range.lowerBound) * 25).rounded())
        #expect((count...count + 5).contains(shown.count), "\(shown.count) of \(count)")
        #expect(shown.map(\.digest) == source[first..<first + shown.count].map(\.digest))
        // The clip has no location data.
        #expect(try await place.home.run("audit", clip).status == 0)
      }
      #expect(try #require(answers[0].hiddenLead) > 0.39 && answers[1].hiddenLead == nil)
      #expect(try Data(contentsOf: URL(filePath: place.match)) == before)
    }

    @Test func encodedRalliesHaveNoHiddenFrames() async throws {
      let place = try CutHome()
      let run = try await place.home.run("cut", "match.mp4", "--rally", "0,2", "--reencode", "--json")
      #expect(run.status == 0, "\(run)")
      for answer in try CutAnswer.all(in: run.output) {
        let index = try #require(answer.rally)
        let range = CutHome.rallies[index]
        let clip = place.home.folder.path(try #require(answer.output))
        let shown = try CutHome.pictures(clip)
        #expect(shown.count == Int(((range.upperBound - range.lowerBound) * 25).rounded()), "rally \(index)")
        #expect(shown.first?.seconds == 0)
        let packets = try Tool.ffprobe(clip, stream: "v:0", entries: "packet=pts_time")
        #expect(packets.count == shown.count)
        // The first frame is the one at the start of the rally, not an earlier one.
        let (ours, theirs) = (try Tool.pixels(clip), try Tool.pixels(place.match, at: range.lowerBound))
        let other = try Tool.pixels(place.match, at: range.lowerBound - 1)
        #expect(difference(ours, theirs) < 6 && difference(ours, other) > 6, "rally \(index)")
      }
    }

    private func difference(_ left: RGBPicture, _ right: RGBPicture) -> Double {
      let sum = zip(left.bytes, right.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
      return Double(sum) / Double(max(left.bytes.count, 1))
    }

    /// Other commands treat the clip as its rally, with its number in the match.
    @Test func clipsCanBeShared() async throws {
      let place = try CutHome()
      #expect(try await place.home.run("cut", "match.mp4", "--rally", "0-2", "-o", "rallies/", "-q").output.isEmpty)
      let valid = try await place.home.run("validate", "rallies")
      #expect(valid.status == 0, "\(valid)")
      let run = try await place.home.run("share", "rallies/match-rally-02.mp4", "--json")
      #expect(run.status == 0, "\(run)")
      let highlight = try #require(try ShareAnswer.all(in: run.output).last?.highlight)
      #expect(highlight.localRallyIndex == 2 && highlight.localVideoID?.uuidString == CutHome.videoID)
      #expect(abs(try #require(highlight.duration) - 4.64) < 0.3)
    }

    @Test func cutSharesClips() async throws {
      let place = try CutHome()
      let run = try await place.home.run(
        "cut", "match.mp4", "--rally", "1,2", "-o", "out", "--share", "--caption=-1 #ace", "--privacy", "private")
      #expect(run.status == 0, "\(run)")
      let highlights = try await place.home.highlights()
      #expect(Set(highlights.compactMap(\.localRallyIndex)) == [1, 2])
      #expect(highlights.allSatisfy { $0.privacy == .onlyMe && $0.tags == ["ace"] && $0.caption == "-1 #ace" })
      // A second run cuts and shares nothing.
      // The addresses of a video that isn't public contain tokens.
      let again = await
        (try place.home.start([
          "cut", "match.mp4", "--rally", "1,2", "-o", "out", "--share", "--caption=-1 #ace", "--privacy", "private",
          "--json",
        ])).outcome()
      #expect(again.status == 0, "\(again)")
      #expect(again.output.split(separator: "\n").count { $0.contains(#""status":"present""#) } == 2, "\(again)")
      #expect(try await place.home.highlights().count == 2)
    }

    /// Options of `share` apply.
    @Test func cutAppliesShareOptions() async throws {
      let place = try CutHome()
      let run = try await place.home.run(
        "cut", "match.mp4", "--rally", "1,2", "-o", "out", "--share", "--no-wait", "--pace", "off", "-j", "17", "--json"
      )
      #expect(run.status == 0, "\(run)")
      #expect(run.output.split(separator: "\n").count { $0.contains(#""status":"uploaded""#) } == 2, "\(run)")
      for flags in [["--no-wait"], ["--pace", "on"], ["--share", "--pace", "sometimes"]] {
        #expect(try await place.home.start(["cut", "match.mp4"] + flags).outcome().status == 64)
      }
    }

    @Test func dryRunWritesNothing() async throws {
      let place = try CutHome()
      let run = try await place.home.run("cut", "match.mp4", "-o", "out", "-n", "--rally", "0-1")
      #expect(run.status == 0 && run.output.contains("out/match-rally-00.mp4"), "\(run)")
      #expect(run.output.contains("copy h264") && run.errors.contains(/\b2 \w/), "\(run)")
      #expect(place.names("out").isEmpty)
    }

    @Test func savedRalliesAreTrimmed() async throws {
      let place = try CutHome()
      let without = try await place.home.run("cut", "match.mp4", "--saved")
      #expect(without.status == 66 && without.errors.contains("\(CutHome.videoID)_selections.json"), "\(without)")
      try place.home.folder.write(
        #"{"saved":[2,0],"removed":[1]}"#, to: "\(CutHome.videoID.lowercased())_selections.json")
      try place.home.folder.write(#"{"2":{"before":1.32,"after":-1}}"#, to: "mine.json")
      let run = try await place.home.run("cut", "match.mp4", "--saved", "--trims-file", "mine.json", "--json")
      #expect(run.status == 0, "\(run)")
      #expect(
        place.names("").filter { $0.hasSuffix(".mp4") } == ["match-rally-00.mp4", "match-rally-02.mp4", "match.mp4"])
      // From the key frame at 14.00 s to 18.96 s.
      let clip = place.home.folder.path("match-rally-02.mp4")
      let source = try CutHome.pictures(place.match)
      let shown = try CutHome.pictures(clip)
      #expect(shown.first?.digest == source[350].digest && (124...129).contains(shown.count))
      #expect(try await place.home.run("validate", clip).status == 0)
    }

    /// The app exports clips with the metadata of their match.
    @Test func clipOfSingleRallyIsReferredToShare() async throws {
      let home = try BSCHome()
      let run = try await home.run("cut", try home.clip("rally-portrait"), "--json")
      #expect(run.status == 4 && run.errors.contains("[rally.metadata]"), "\(run)")
      let answers = try CutAnswer.all(in: run.output)
      #expect(answers.map(\.status) == ["refused"] && answers.first?.rally == nil, "\(run)")
      let problem = try #require(answers.first?.findings.first { $0.rule == "rally.metadata" }, "\(run)")
      #expect(problem.severity == .error && problem.next?.contains("bsc share") == true, "\(run)")
    }

    /// Invalid metadata of one rally does not prevent cutting or sharing the others.
    @Test func invalidRallyDoesNotAffectOthers() async throws {
      let place = try CutHome([2.4..<7.0, 30.0..<50.0])
      let path = place.home.folder.path("match.json")
      let text = try String(contentsOfFile: path, encoding: .utf8)
      // The rally ends before it starts.
      let reversed = text.replacing(":50", with: ":29")
      try #require(reversed != text)
      try reversed.write(toFile: path, atomically: true, encoding: .utf8)
      for arguments in [["cut", "match.mp4", "--rally", "0", "-n"], ["share", "match.mp4", "--rally", "0", "-n"]] {
        let run = try await place.home.start(arguments).outcome()
        #expect(run.status == 0 && !run.errors.contains("rally"), "\(run)")
      }
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      let outside = try await place.home.run("share", "match.mp4", "--rally", "0", "-n")
      #expect(outside.status == 0 && outside.errors.isEmpty, "\(outside)")
      // The invalid rally itself is refused.
      let invalid = try await place.home.run("share", "match.mp4", "--rally", "1", "-n", "--metadata-mode", "source")
      #expect(invalid.status == 4 && invalid.errors.contains("[rally.range]"), "\(invalid)")
      // `validate` checks all rallies of the metadata.
      let verdict = try await place.home.run("validate", "match.mp4", "--rally", "0")
      #expect(verdict.status == 4 && verdict.output.contains("rallySegments[1]"), "\(verdict)")
    }

    @Test func invalidOptionsAreRefused() async throws {
      let place = try CutHome()
      for flags in [["--rally", "x"], ["--rally", "1", "--saved"], ["-j", "0"], ["--caption", "a"]] {
        let outcome = try await place.home.start(["cut", "match.mp4"] + flags).outcome()
        #expect(outcome.status == 64, "\(outcome)")
      }
      #expect(try await place.home.run("cut", "none.mp4").status == 66)
      #expect(try await place.home.run("cut", "match.mp4", "--metadata", "none.json").status == 66)
      let missing = try await place.home.run("cut", "match.mp4", "--rally", "9")
      #expect(missing.status == 4 && missing.errors.contains("[rally.index]"), "\(missing)")
      try FileManager.default.removeItem(atPath: place.home.folder.path("match.json"))
      let withoutMetadata = try await place.home.run("cut", "match.mp4", "--json")
      let error = try #require(withoutMetadata.failures.first, "\(withoutMetadata)")
      #expect(withoutMetadata.status == 66 && error.id == "cut.no-metadata", "\(withoutMetadata)")
      #expect(error.facts?["sidecar"] == "match.json" && error.why.contains("match.json"), "\(withoutMetadata)")
      try place.home.folder.write("{}", to: "match.json")
      let damaged = try await place.home.run("cut", "match.mp4", "--json")
      #expect(damaged.status == 4 && damaged.output.contains(#""status":"refused""#), "\(damaged)")
      #expect(place.names("").filter { $0.hasSuffix(".mp4") } == ["match.mp4"])
    }
  }
}
