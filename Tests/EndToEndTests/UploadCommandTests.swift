import Foundation
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
      #expect(again.status == 0 && again.output.contains("sent film.mp4"), "\(again)")
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

    /// A server that keeps nothing, an end in the middle, and the rest by another run.
    @Test func anInterruptedUploadGoesOn() async throws {
      let home = try BSCHome()
      let server = try await FaultServer([.init(.stall(after: 10), .always, skip: 2)])
      let bytes = Self.bytes(1_000_000)
      try Self.write(home, server.url, bytes)
      let first = try home.start(["upload", "film.mp4", "--url-file", "url.txt"])
      while server.bytes.count < 262_144 * 2 { try await Task.sleep(for: .milliseconds(20)) }
      first.send(SIGINT)
      #expect(await first.outcome().status == 130)
      let other = try await FaultServer(stored: server.bytes)
      try Self.write(home, other.url, bytes)
      let second = try await home.run("upload", "film.mp4", "--url-file", "url.txt")
      #expect(second.status == 0 && Data(other.bytes) == bytes, "\(second)")
    }

    @Test(arguments: [
      (["upload", "film.mp4"], "nobody said where to", Int32(64)),
      (["upload", "film.mp4", "--url-file", "none.txt"], "none.txt", 66),
      (["upload", "film.mp4", "--url-file", "text.txt"], "no http or https URL", 64),
      (["upload", "nothing.mp4", "--url-file", "url.txt"], "nothing.mp4", 66),
      (["upload", "empty.mp4", "--url-file", "url.txt"], "empty", 64),
      (["upload", "film.mp4", "--url-file", "url.txt", "--chunk-size", "100"], "chunk_size", 64),
      (["upload", "film.mp4", "--url-file", "url.txt", "--ipv4", "--ipv6"], "one of", 64),
      (["upload", "film.mp4", "--url-file", "gone.txt"], "expired", 6),
    ]) func whatIsWrongIsTold(arguments: [String], words: String, status: Int32) async throws {
      let home = try BSCHome()
      try Self.write(home, "http://127.0.0.1:1/", Self.bytes(1000))
      try Data("not a url".utf8).write(to: URL(filePath: home.folder.path("text.txt")))
      try Data().write(to: URL(filePath: home.folder.path("empty.mp4")))
      let gone = try await FaultServer([.init(.status(410), on: .any, .always)])
      try Data(gone.url.utf8).write(to: URL(filePath: home.folder.path("gone.txt")))
      let run = await (try home.start(arguments)).outcome()
      #expect(run.status == status && run.errors.contains(words), "\(run)")
      #expect(!run.errors.contains(FaultServer.token))
    }
  }
}
