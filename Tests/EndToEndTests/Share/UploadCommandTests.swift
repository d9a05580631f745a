import Foundation
import ShareEngine
import Synchronization
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
      try bytes.write(to: URL(filePath: home.folder.path("video.mp4")))
      try Data((url + "\n").utf8).write(to: URL(filePath: home.folder.path("url.txt")))
    }

    @Test func fileIsUploadedAndURLIsNotPrinted() async throws {
      let home = try BSCHome()
      let server = try await FaultServer([
        .init(.reset(after: 100_000, keeping: 50_000)), .init(.status(503), on: .query),
      ])
      let bytes = Self.bytes(1_000_000)
      try Self.write(home, server.url, bytes)
      let run = try await home.run("upload", "video.mp4", "--url-file", "url.txt", "--json", "--progress", "json")
      #expect(run.status == 0 && Data(server.bytes) == bytes, "\(run)")
      let object = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
      #expect(object["schema"] as? String == "bsc.upload/1" && object["byteCount"] as? Int == bytes.count)
      #expect(!(run.output + run.errors).contains(FaultServer.token), "\(run)")
      // A second upload to the same URL has nothing to send.
      let again = try await home.run("upload", "video.mp4", "--url-file", "url.txt", "--json")
      let rest = try #require(try JSONSerialization.jsonObject(with: Data(again.output.utf8)) as? [String: Any])
      #expect(again.status == 0 && rest["sentByteCount"] as? Int == 0, "\(again)")
      #expect(rest["wasThere"] as? Bool == true && rest["byteCount"] as? Int == bytes.count, "\(again)")
      #expect(object["wasThere"] as? Bool == false)
      #expect(server.requests.last?.bodyByteCount == 0)
    }

    @Test func urlIsReadFromEnvironment() async throws {
      var home = try BSCHome()
      let server = try await FaultServer()
      let bytes = Self.bytes(300_000)
      try Self.write(home, "", bytes)
      home.environment["BSC_UPLOAD_URL"] = server.url
      let run = try await home.run("upload", "video.mp4", "--chunk-size", "256KiB", "--limit-rate", "400KB")
      #expect(run.status == 0 && Data(server.bytes) == bytes, "\(run)")
      #expect(server.requests.map(\.bodyByteCount) == [0, 262_144, 37_856])
    }

    /// The file is uploaded unchanged, so its location data would be published.
    @Test func locationDataIsNoted() async throws {
      var home = try BSCHome()
      for (name, hasLocation) in [("rally-portrait", true), ("no-video", false)] {
        let server = try await FaultServer()
        home.environment["BSC_UPLOAD_URL"] = server.url
        let clip = try home.clip(name)
        let run = try await home.run("upload", clip)
        #expect(
          run.status == 0 && run.errors.contains("bsc strip ") == hasLocation,
          "\(run)")
        #expect(Data(server.bytes) == (try Data(contentsOf: URL(filePath: SharedMedia.sample("\(name).mp4")))))
        let quiet = try await home.run("upload", clip, "-q")
        #expect(!quiet.errors.contains("bsc strip"), "\(quiet)")
      }
    }

    /// Another run sends the rest after an interruption.
    @Test func interruptedUploadIsResumed() async throws {
      let home = try BSCHome()
      let server = try await FaultServer([.init(.stall(after: 10), .always, skip: 2)])
      let bytes = Self.bytes(1_000_000)
      try Self.write(home, server.url, bytes)
      let first = try home.start(["upload", "video.mp4", "--url-file", "url.txt"])
      try await TestTimeout.wait { server.bytes.count >= 262_144 * 2 }
      first.send(SIGINT)
      #expect(await first.outcome().status == 130)
      let other = try await FaultServer(stored: server.bytes)
      try Self.write(home, other.url, bytes)
      let second = try await home.run("upload", "video.mp4", "--url-file", "url.txt")
      #expect(second.status == 0 && Data(other.bytes) == bytes, "\(second)")
    }

    /// The rest of another file would corrupt the upload.
    @Test func uploadIsNotResumedWithAnotherFile() async throws {
      let home = try BSCHome()
      let server = try await FaultServer([.init(.status(403), .counted(1), skip: 1)])
      try Self.write(home, server.url, Self.bytes(600_000))
      #expect(try await home.run("upload", "video.mp4", "--url-file", "url.txt").status == 6)
      var other = Self.bytes(600_000)
      other[599_999] ^= 1
      try other.write(to: URL(filePath: home.folder.path("video.mp4")))
      let refused = try await home.run("upload", "video.mp4", "--url-file", "url.txt", "--json")
      #expect(refused.status == 4 && refused.failures.map(\.id) == ["upload.other-file"], "\(refused)")
      #expect(!server.isComplete)
      // A copy with the same bytes is accepted.
      try Self.bytes(600_000).write(to: URL(filePath: home.folder.path("copy.mp4")))
      let done = try await home.run("upload", "copy.mp4", "--url-file", "url.txt")
      #expect(done.status == 0 && Data(server.bytes) == Self.bytes(600_000), "\(done)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: home.places.uploadsFolder).isEmpty)
      try home.expectNoSecretInState()
    }

    /// Memory does not depend on the size of the file or of its chunks.
    @Test(.enabled(if: TestScope.isFull, "slow: Scripts/test --all")) func memoryIsIndependentOfFileSize() async throws
    {
      let home = try BSCHome()
      let path = home.folder.path("video.mp4")
      #expect(FileManager.default.createFile(atPath: path, contents: nil))
      #expect(truncate(path, 400 << 20) == 0)
      let server = try await FaultServer(traits: .init(keepsBytes: false))
      try Data(server.url.utf8).write(to: URL(filePath: home.folder.path("url.txt")))
      let peak = Mutex(0)
      let arguments = ["upload", "video.mp4", "--url-file", "url.txt", "--chunk-size", "256MiB", "--progress", "json"]
      let run = try home.start(arguments) { _, process in
        peak.withLock { $0 = max($0, process.peakKilobytes ?? 0) }
      }
      let outcome = await run.outcome()
      #expect(outcome.status == 0 && server.byteCount == 400 << 20, "\(outcome)")
      // In kilobytes. The program needs about 65,000, and three times as much under a sanitizer.
      let kilobytes = peak.withLock(\.self)
      #expect((1..<250_000).contains(kilobytes), "\(kilobytes) kB")
    }

    /// Two processes upload to the same URL.
    @Test func concurrentUploadToSameURLIsRefused() async throws {
      let home = try BSCHome()
      let server = try await FaultServer([.init(.stall(after: 10), .always)])
      try Self.write(home, server.url, Self.bytes(600_000))
      let first = try home.start(["upload", "video.mp4", "--url-file", "url.txt"])
      try await TestTimeout.wait { server.requests.count >= 2 }
      let second = try await home.run("upload", "video.mp4", "--url-file", "url.txt")
      #expect(
        second.status == 7 && second.errors.contains("process \(first.identifier) "), "\(second)")
      first.send(SIGINT)
      #expect(await first.outcome().status == 130)
    }

    @Test(arguments: [
      (["upload", "video.mp4"], "upload.no-url", Int32(64)),
      (["upload", "video.mp4", "--url-file", "none.txt"], "file.not-found", 66),
      (["upload", "video.mp4", "--url-file", "text.txt"], "upload.bad-url", 64),
      (["upload", "nothing.mp4", "--url-file", "url.txt"], "file.not-found", 66),
      (["upload", "empty.mp4", "--url-file", "url.txt"], "source.empty", 64),
      (["upload", "video.mp4", "--url-file", "url.txt", "--chunk-size", "100"], "settings.invalid-value", 64),
      (["upload", "video.mp4", "--url-file", "url.txt", "--ipv4", "--ipv6"], "usage.arguments", 64),
      (["upload", "video.mp4", "--url-file", "gone.txt"], "upload.url-expired", 6),
    ]) func failureHasID(arguments: [String], id: String, status: Int32) async throws {
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
