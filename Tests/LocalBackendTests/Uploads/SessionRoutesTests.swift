import Foundation
import Testing

@testable import LocalBackend

/// Uploads that are opened as in Google Cloud Storage. `Scripts/upload-oracles` tests them with other clients.
@Suite(.timeLimit(.minutes(10))) struct SessionRoutesTests {
  private static let target = "/upload/storage/v1/b/clips/o?uploadType=resumable&name=a%20b.mp4"

  @Test func sessionsAreDisabledByDefault() async throws {
    try await TestBackend.run { backend in
      let reply = try await backend.send("POST", Self.target, body: [])
      #expect(reply.status == 404)
    }
  }

  @Test func aStoredObjectIsReportedWithItsDigests() async throws {
    try await TestBackend.run(options: .init(opensSessions: true)) { backend in
      let opened = try await backend.send("POST", Self.target, body: [])
      #expect(opened.status == 200)
      let location = try #require(opened.headers["location"].flatMap { URL(string: $0) })
      let target = "\(location.path)?\(location.query ?? "")"
      let done = try await backend.send(
        "PUT", target, headers: ["Content-Range": "bytes 0-8/9"], body: Array("123456789".utf8))
      struct Object: Decodable, Equatable {
        var kind, bucket, name, size, crc32c, md5Hash: String
      }
      let expected = Object(
        kind: "storage#object", bucket: "clips", name: "a b.mp4", size: "9",
        // The check values of CRC-32C (0xE3069283) and MD5 (25f9e794323b453885f5181f1b624d0b).
        crc32c: "4waSgw==", md5Hash: "JfnnlDI7RTiF9RgfG2JNCw==")
      #expect(done.status == 200)
      #expect(try done.json() as Object == expected)
      // A repeated query, as after a lost response, gets the same response.
      let again = try await backend.send("PUT", target, headers: ["Content-Range": "bytes */*"], body: [])
      #expect(try again.json() as Object == expected)
      let stored = try await backend.send("GET", "/download/storage/v1/b/clips/o/a%20b.mp4?alt=media")
      #expect(stored.status == 200 && stored.body == Array("123456789".utf8))
      #expect(try await backend.highlights().isEmpty)
    }
  }

  @Test(arguments: ["?uploadType=media&name=a", "?uploadType=resumable", ""])
  func invalidSessionRequestsAreRejected(query: String) async throws {
    try await TestBackend.run(options: .init(opensSessions: true)) { backend in
      let reply = try await backend.send("POST", "/upload/storage/v1/b/clips/o" + query, body: Array("{}".utf8))
      #expect(reply.status == 400)
    }
  }

  /// Stored objects survive a restart and the cleanup.
  @Test func objectsSurviveARestart() async throws {
    let folder = TestBackend.newFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await TestBackend.run(in: folder, options: .init(opensSessions: true)) { backend in
      let opened = try await backend.send("POST", Self.target, body: [])
      let location = try #require(opened.headers["location"].flatMap { URL(string: $0) })
      let bytes = pattern(1000)
      _ = try await backend.send("PUT", "\(location.path)?\(location.query ?? "")", body: bytes)
    }
    // A server that has stopped has cleaned up, so unused files are gone.
    let stray = "\(folder)/uploads/\(UUID().uuidString.lowercased()).part"
    #expect(FileManager.default.createFile(atPath: stray, contents: Data([1])))
    try await TestBackend.run(in: folder, options: .init(opensSessions: true)) { _ in }
    #expect(!FileManager.default.fileExists(atPath: stray))
    try await TestBackend.run(in: folder, options: .init(opensSessions: true)) { backend in
      let stored = try await backend.send("GET", "/download/storage/v1/b/clips/o/a%20b.mp4?alt=media")
      #expect(stored.body == pattern(1000))
    }
  }
}
