import Foundation
import ShareEngine
import TestSupport
import Testing

extension EndToEnd {
  /// `bsc upload`: any file to any direct-upload URL.
  @Suite struct UploadCommandTests {
    private static func bytes(_ count: Int) -> Data {
      var generator = SeededGenerator(seed: 5)
      return Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    private static func write(_ home: BSCHome, _ url: String, _ bytes: Data) throws {
      try bytes.write(to: URL(filePath: home.folder.path("film.mp4")))
      try Data((url + "\n").utf8).write(to: URL(filePath: home.folder.path("url.txt")))
    }

    @Test func aFileArrivesAndTheURLIsToldNobody() async throws {
      let home = try BSCHome()
      let server = try await FaultServer([
        .init(.reset(after: 100_000, keeping: 50_000)), .init(.status(503), on: .query),
      ])
      let bytes = Self.bytes(1_000_000)
      try Self.write(home, server.url, bytes)
      let run = try await home.run("upload", "film.mp4", "--url-file", "url.txt", "--json", "--progress", "json")
      #expect(run.status == 0 && Data(server.bytes) == bytes, "\(run)")
      let object = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
      #expect(object["schema"] as? String == "bsc.upload/1" && object["byteCount"] as? Int == bytes.count)
      #expect(!(run.output + run.errors).contains(FaultServer.token), "\(run)")
      // Again, with the same URL: everything is there.
      let again = try await home.run("upload", "film.mp4", "--url-file", "url.txt")
      #expect(again.status == 0 && again.output.contains("nothing was sent of film.mp4"), "\(again)")
      #expect(again.output.contains("was finished before, with 1.0 MB"), "\(again)")
      #expect(object["wasThere"] as? Bool == false)
      #expect(server.requests.last?.bodyByteCount == 0)
    }

    @Test func theURLMayComeFromTheEnvironment() async throws {
      var home = try BSCHome()
      let server = try await FaultServer()
      let bytes = Self.bytes(300_000)
      try Self.write(home, "", bytes)
      home.environment["BSC_UPLOAD_URL"] = server.url
      let run = try await home.run("upload", "film.mp4", "--chunk-size", "256KiB", "--limit-rate", "400KB")
      #expect(run.status == 0 && Data(server.bytes) == bytes, "\(run)")
      #expect(server.requests.map(\.bodyByteCount) == [0, 262_144, 37_856])
    }

    /// Nothing is made of the file: what it tells is published, and that is said before.
    @Test func aFileThatTellsAPlaceIsSentWithAWord() async throws {
      var home = try BSCHome()
      for (name, tells) in [("rally-portrait", true), ("no-video", false)] {
        let server = try await FaultServer()
        home.environment["BSC_UPLOAD_URL"] = server.url
        let clip = try home.clip(name)
        let run = try await home.run("upload", clip)
        #expect(run.status == 0 && run.errors.contains("a copy without that: bsc strip ") == tells, "\(run)")
        #expect(Data(server.bytes) == (try Data(contentsOf: URL(filePath: SharedMedia.sample("\(name).mp4")))))
        let quiet = try await home.run("upload", clip, "-q")
        #expect(!quiet.errors.contains("bsc strip"), "\(quiet)")
      }
    }

    /// A server that keeps nothing, an end in the middle, and the rest by another run.
    @Test func anInterruptedUploadGoesOn() async throws {
      let home = try BSCHome()
      let server = try await FaultServer([.init(.stall(after: 10), .always, skip: 2)])
      let bytes = Self.bytes(1_000_000)
      try Self.write(home, server.url, bytes)
      let first = try home.start(["upload", "film.mp4", "--url-file", "url.txt"])
      try await Patience.wait { server.bytes.count >= 262_144 * 2 }
      first.send(SIGINT)
      #expect(await first.outcome().status == 130)
      let other = try await FaultServer(stored: server.bytes)
      try Self.write(home, other.url, bytes)
      let second = try await home.run("upload", "film.mp4", "--url-file", "url.txt")
      #expect(second.status == 0 && Data(other.bytes) == bytes, "\(second)")
    }

    /// The rest of another file would make a film that nobody made.
    @Test func anotherFileIsNotGoneOnWith() async throws {
      let home = try BSCHome()
      let server = try await FaultServer([.init(.status(403), .counted(1), skip: 1)])
      try Self.write(home, server.url, Self.bytes(600_000))
      #expect(try await home.run("upload", "film.mp4", "--url-file", "url.txt").status == 6)
      var other = Self.bytes(600_000)
      other[599_999] ^= 1
      try other.write(to: URL(filePath: home.folder.path("film.mp4")))
      let refused = try await home.run("upload", "film.mp4", "--url-file", "url.txt")
      #expect(refused.status == 4 && refused.errors.contains("another file"), "\(refused)")
      #expect(!server.isComplete)
      // The old bytes under a new name are the old file.
      try Self.bytes(600_000).write(to: URL(filePath: home.folder.path("copy.mp4")))
      let done = try await home.run("upload", "copy.mp4", "--url-file", "url.txt")
      #expect(done.status == 0 && Data(server.bytes) == Self.bytes(600_000), "\(done)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: home.places.uploadsFolder).isEmpty)
      try home.expectNoSecretInState()
    }

    /// Trap 17: whatever the file's length and the chunks', the memory is that of the program.
    @Test func aLongFileTakesNoMemory() async throws {
      let home = try BSCHome()
      let path = home.folder.path("film.mp4")
      #expect(FileManager.default.createFile(atPath: path, contents: nil))
      #expect(truncate(path, 400 << 20) == 0)
      let server = try await FaultServer(traits: .init(keepsBytes: false))
      try Data(server.url.utf8).write(to: URL(filePath: home.folder.path("url.txt")))
      let run = try home.start(["upload", "film.mp4", "--url-file", "url.txt", "--chunk-size", "256MiB"])
      var peak = 0
      while let status = try? String(contentsOfFile: "/proc/\(run.identifier)/status", encoding: .utf8) {
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        guard let line, let count = line.split(whereSeparator: \.isWhitespace).dropFirst().first else { break }
        peak = max(peak, Int(count) ?? 0)
        try await Task.sleep(for: .milliseconds(5))
      }
      let outcome = await run.outcome()
      #expect(outcome.status == 0 && server.byteCount == 400 << 20, "\(outcome)")
      // Kilobytes; the program alone takes about 65,000, and three times that under a sanitizer.
      #expect((1..<250_000).contains(peak), "\(peak) kB")
    }

    /// Trap 20: two processes, one URL.
    @Test func oneProcessAtATimeSendsToAURL() async throws {
      let home = try BSCHome()
      let server = try await FaultServer([.init(.stall(after: 10), .always)])
      try Self.write(home, server.url, Self.bytes(600_000))
      let first = try home.start(["upload", "film.mp4", "--url-file", "url.txt"])
      try await Patience.wait { server.requests.count >= 2 }
      let second = try await home.run("upload", "film.mp4", "--url-file", "url.txt")
      #expect(
        second.status == 7 && second.errors.contains("process \(first.identifier) "), "\(second)")
      first.send(SIGINT)
      #expect(await first.outcome().status == 130)
    }

    @Test(arguments: [
      (["upload", "film.mp4"], "upload.no-url", Int32(64)),
      (["upload", "film.mp4", "--url-file", "none.txt"], "file.not-found", 66),
      (["upload", "film.mp4", "--url-file", "text.txt"], "upload.bad-url", 64),
      (["upload", "nothing.mp4", "--url-file", "url.txt"], "file.not-found", 66),
      (["upload", "empty.mp4", "--url-file", "url.txt"], "source.empty", 64),
      (["upload", "film.mp4", "--url-file", "url.txt", "--chunk-size", "100"], "settings.invalid-value", 64),
      (["upload", "film.mp4", "--url-file", "url.txt", "--ipv4", "--ipv6"], "usage.arguments", 64),
      (["upload", "film.mp4", "--url-file", "gone.txt"], "upload.url-expired", 6),
    ]) func failuresHaveTheirIDs(arguments: [String], id: String, status: Int32) async throws {
      let home = try BSCHome()
      try Self.write(home, "http://127.0.0.1:1/", Self.bytes(1000))
      try Data("not a url".utf8).write(to: URL(filePath: home.folder.path("text.txt")))
      try Data().write(to: URL(filePath: home.folder.path("empty.mp4")))
      let gone = try await FaultServer([.init(.status(410), on: .any, .always)])
      try Data(gone.url.utf8).write(to: URL(filePath: home.folder.path("gone.txt")))
      let run = await (try home.start(arguments + ["--json"])).outcome()
      #expect(run.status == status && run.output.contains("\"id\":\"\(id)\""), "\(run)")
      #expect(!(run.output + run.errors).contains(FaultServer.token))
    }
  }
}
