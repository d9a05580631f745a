import ClipModel
import Foundation
import ShareEngine
import Social
import TestSupport
import Testing

extension EndToEnd {
  /// The programs of `Samples/programs`, which use the libraries as other packages do.
  @Suite struct SampleProgramsTests {
    private static let clip = SharedMedia.sample("rally-4k.mp4")

    private static func run(
      _ program: String, _ arguments: String..., input: Data? = nil, in home: BSCHome
    ) async throws -> BSCProcess.Outcome {
      let process = try BSCProcess(
        arguments, program: program, input: input, environment: home.environment, folder: home.folder.path)
      let outcome = await process.outcome()
      home.expectConventions(of: outcome)
      return outcome
    }

    @Test(arguments: [
      "probe-clip", "judge-clip", "box-tree", "decode-location", "strip-clip", "upload-clip", "share-clip",
    ])
    func invalidCommandLinePrintsUsage(program: String) async throws {
      let run = try await Self.run(program, "one", "two", "three", in: try BSCHome())
      #expect(run.status == 64 && run.errors.contains("usage: ") && run.errors.contains(program), "\(run)")
      #expect(run.output.isEmpty)
    }

    @Test(arguments: ["probe-clip", "box-tree", "upload-clip", "share-clip"])
    func missingFileIsReported(program: String) async throws {
      var home = try BSCHome()
      home.environment["UPLOAD_URL"] = "http://127.0.0.1:1/"
      let run = try await Self.run(program, home.folder.path("nothing.mp4"), in: home)
      #expect(run.status == 1, "\(run)")
      #expect(run.errors.contains("error: ") && run.errors.contains("next: see "), "\(run)")
    }

    @Test func clipIsTranscodedWithoutOverwriting() async throws {
      let home = try BSCHome()
      let output = home.folder.path("small.mp4")
      let made = try await Self.run("transcode-clip", Self.clip, output, in: home)
      #expect(made.status == 0 && made.output.contains("gopro-gpmf"), "\(made)")
      try Verdicts.expectNoLocation(in: output, butIn: Self.clip)
      let before = try Data(contentsOf: URL(filePath: output))
      let again = await
        (try BSCProcess(
          [Self.clip, output], program: "transcode-clip", environment: home.environment, folder: home.folder.path
        )).outcome()
      #expect(again.status != 0, "\(again)")
      #expect(try Data(contentsOf: URL(filePath: output)) == before)
    }

    @Test func clipFactsArePrinted() async throws {
      let run = try await Self.run("probe-clip", Self.clip, in: try BSCHome())
      #expect(run.status == 0, "\(run)")
      #expect(run.output.contains("video: h264, 3840x2160, 29.97"), "\(run)")
      #expect(run.output.contains("location: gopro-gpmf"), "\(run)")
    }

    @Test func clipIsCheckedByProvidedFacts() async throws {
      let home = try BSCHome()
      let facts = try await Self.run("probe-clip", "--json", Self.clip, in: home)
      let metadata = SharedMedia.sample("rally-4k.json")
      let good = try await Self.run("judge-clip", metadata, input: Data(facts.output.utf8), in: home)
      #expect(good.status == 0, "\(good)")
      #expect(good.output.contains("rally: 0 of 1") && good.output.contains("plan: video: "), "\(good)")

      let short = try await Self.run("probe-clip", "--json", SharedMedia.sample("too-short.mp4"), in: home)
      let bad = try await Self.run("judge-clip", input: Data(short.output.utf8), in: home)
      #expect(bad.status == 4 && bad.output.contains("error: clip.duration: "), "\(bad)")

      let nonsense = try await Self.run("judge-clip", input: Data("no facts".utf8), in: home)
      #expect(nonsense.status == 1 && nonsense.errors.contains("next: "), "\(nonsense)")
    }

    @Test func boxesArePrintedAsTree() async throws {
      let home = try BSCHome()
      let run = try await Self.run("box-tree", Self.clip, in: home)
      let lines = run.output.split(separator: "\n").map(String.init)
      #expect(run.status == 0 && lines.first?.hasPrefix("ftyp 0..<") == true, "\(run)")
      #expect(lines.contains { $0.hasPrefix("    mdia ") } && lines.last == "3 tracks", "\(run)")

      let text = try home.folder.write("This is not a video at all.", to: "text.mp4")
      let refused = try await Self.run("box-tree", text, in: home)
      #expect(refused.status == 1 && refused.errors.contains("text.mp4"), "\(refused)")
    }

    @Test func locationIsDecoded() async throws {
      let home = try BSCHome()
      let text = try await Self.run("decode-location", input: Data("+42.2043-072.6162+060/".utf8), in: home)
      #expect(text.status == 0 && text.output == "iso6709-text: 1 positions\n42.2043 -72.6162\n", "\(text)")
      let telemetry = try await Self.run("decode-location", input: Data(Self.gps5), in: home)
      #expect(telemetry.output == "gopro-gpmf: 1 positions\n48.137 11.575\n", "\(telemetry)")
      let nothing = try await Self.run("decode-location", input: Data("Match point".utf8), in: home)
      #expect(nothing.status == 1 && nothing.output.isEmpty, "\(nothing)")
    }

    /// A GPMF stream with one position in units of 1e-7 degrees: SCAL and GPS5 with five numbers each.
    private static let gps5: [UInt8] = {
      func element(_ key: String, _ type: UInt8, _ size: UInt8, _ count: UInt16, _ payload: [UInt8]) -> [UInt8] {
        Array(key.utf8) + [type, size, UInt8(count >> 8), UInt8(count & 0xFF)] + payload
      }
      func longs(_ values: [Int32]) -> [UInt8] {
        values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
      }
      let long = UInt8(ascii: "l")
      let stream =
        element("SCAL", long, 4, 5, longs([10_000_000, 10_000_000, 1000, 1000, 100]))
        + element("GPS5", long, 20, 1, longs([481_370_000, 115_750_000, 520_000, 10, 1]))
      return element("STRM", 0, 1, UInt16(stream.count), stream)
    }()

    @Test func videoIsStripped() async throws {
      let home = try BSCHome()
      let clean = home.folder.path("clean.mp4")
      let run = try await Self.run("strip-clip", Self.clip, clean, in: home)
      #expect(run.status == 0 && run.output.contains("removed: quicktime-xyz in moov/udta/©xyz"), "\(run)")
      #expect(run.output.contains(/[1-9]\d* packets/), "\(run)")
      #expect(try await home.run("audit", clean).status == 0)
      // An existing file is kept.
      let again = try await Self.run("strip-clip", Self.clip, clean, in: home)
      #expect(again.status == 1 && again.errors.contains("next: see file.exists "), "\(again)")
    }

    @Test func fileIsUploadedWithProgress() async throws {
      var home = try BSCHome()
      let server = try await FaultServer([
        .init(.reset(after: 300_000, keeping: 100_000)), .init(.status(503), on: .query),
      ])
      home.environment["UPLOAD_URL"] = server.url
      let run = try await Self.run("upload-clip", Self.clip, in: home)
      #expect(run.status == 0 && run.output.hasPrefix("sent "), "\(run)")
      #expect(try Data(server.bytes) == Data(contentsOf: URL(filePath: Self.clip)))
      let percents = run.errors.split(separator: "\n").compactMap { Int($0.prefix { $0.isNumber }) }
      #expect(percents.first == 0 && percents.last == 100 && Set(percents).count > 3, "\(run)")
      #expect(run.errors.contains(/\b503\b/), "\(run)")
      #expect(!(run.output + run.errors).contains(FaultServer.token))
      // A second upload has nothing to send.
      let again = try await Self.run("upload-clip", Self.clip, in: home)
      #expect(again.status == 0 && again.output.hasSuffix(" in 0 requests\n"), "\(again)")
      #expect(server.requests.last?.bodyByteCount == 0)
    }

    @Test func uploadURLIsReadFromStdin() async throws {
      let home = try BSCHome()
      let server = try await FaultServer([.init(.status(403), .always)])
      let refused = try await Self.run("upload-clip", Self.clip, input: Data((server.url + "\n").utf8), in: home)
      #expect(refused.status == 1 && refused.errors.contains("next: see upload.url-expired "), "\(refused)")
      #expect(!(refused.output + refused.errors).contains(FaultServer.token))
      let nowhere = try await Self.run("upload-clip", Self.clip, in: home)
      #expect(nowhere.status == 64 && nowhere.errors.contains("UPLOAD_URL"), "\(nowhere)")
    }

    @Test func clipIsSharedOnceAndListedByBSC() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-portrait")
      let run = try await Self.run("share-clip", clip, "Match point #spike", in: home)
      let id = run.output.trimmingCharacters(in: .whitespacesAndNewlines)
      #expect(run.status == 0 && UUID(uuidString: id) != nil, "\(run)")
      for word in ["a new job", "probe…", "process: ", "upload…", "register…"] {
        #expect(run.errors.contains(word), "no \(word) in \(run)")
      }
      let highlight = try #require(try await home.highlights().first)
      #expect(highlight.id.uuidString.lowercased() == id && highlight.tags == ["spike"])
      #expect(try FileManager.default.contentsOfDirectory(atPath: home.places.jobsFolder).isEmpty)
      try home.expectNoSecretInState()
      // A running backend is used, and there is no second highlight.
      let server = try await ServeProcess(home)
      let again = try await Self.run("share-clip", clip, "Match point #spike", in: home)
      #expect(again.status == 0 && again.output == run.output && again.errors.isEmpty, "\(again)")
      let other = try await Self.run("share-clip", clip, "The same again", in: home)
      #expect(other.status == 1 && other.errors.contains("next: see share.exists "), "\(other)")
      #expect(String(decoding: try await server.get("/"), as: UTF8.self).contains("Match point"))
      // After the highlight is deleted, the clip can be shared again.
      #expect(try await home.run("highlights", "delete", id, "--force").status == 0)
      let third = try await Self.run("share-clip", clip, "The same again", in: home)
      #expect(third.status == 0 && third.output != run.output, "\(third)")
      #expect(String(decoding: try await server.get("/"), as: UTF8.self).contains("The same again"))
    }

    @Test func likeWaitsInTheQueueOnce() async throws {
      let home = try BSCHome()
      let (path, id) = (home.folder.path("queue.sqlite"), UUID())
      let first = try await Self.run("queue-like", path, id.uuidString, in: home)
      #expect(first.status == 0 && first.output == "added, 1 waiting\n", "\(first)")
      let again = try await Self.run("queue-like", path, id.uuidString, in: home)
      #expect(again.output == "duplicate, 1 waiting\n", "\(again)")
      let queue = try await OfflineQueue.open(path: path, account: "ana")
      #expect(try await queue.waitingActions().map(\.action) == [.setLike(highlight: id, isLiked: true)])
    }

    @Test func refusedClipHasReason() async throws {
      let home = try BSCHome()
      let run = try await Self.run("share-clip", try home.clip("too-short"), in: home)
      #expect(run.status == 4 && run.errors.contains(" 1.5 s"), "\(run)")
      #expect(run.output.isEmpty)
    }
  }
}
