import Foundation
import Testing

@testable import LocalBackend

@Suite(.timeLimit(.minutes(10))) struct MuxAccessControlTests {
  @Test func onlyTheRightTokenIsAccepted() async throws {
    try await TestBackend.run { backend in
      let keys = try await ServerKeys.open(backend.folder + "/keys.json")
      func status(_ header: String?) async throws -> Int {
        let reply = try await backend.send(
          "GET", "/video/v1/assets", headers: header.map { ["Authorization": $0] } ?? [:])
        if reply.status == 401 {
          #expect(try Object(reply).object("error").text("type") == "unauthorized")
          #expect(reply.headers["www-authenticate"]?.hasPrefix("Basic") == true)
        }
        return reply.status
      }
      func basic(_ text: String) -> String { "Basic " + Data(text.utf8).base64EncodedString() }
      let right = "\(keys.muxTokenID):\(keys.muxTokenSecret)"
      #expect(try await status(basic(right)) == 200)
      #expect(try await status("basic  " + Data(right.utf8).base64EncodedString()) == 200)
      for wrong in [
        nil, "", "Basic", "Basic ", "Basic !!!", basic(""), basic(":"), basic(keys.muxTokenID), basic(right + "x"),
        basic("\(keys.muxTokenID):\(keys.secretKey)"), basic(String(right.dropLast())),
        "Bearer \(keys.muxTokenSecret)", "Bearer \(keys.secretKey)", basic("\u{0}" + right),
      ] {
        #expect(try await status(wrong) == 401, "\(wrong ?? "none")")
      }
      // Unknown paths are not revealed either.
      #expect(try await backend.send("GET", "/video/v1/nothing").status == 401)
      #expect(try await backend.send("POST", "/video/v1/uploads", body: Array("{}".utf8)).status == 401)
    }
  }

  @Test func theRateIsLimited() async throws {
    let clock = WallClock()
    var options = TestBackend.Options(now: { clock.now })
    options.change = {
      $0.muxPostLimit = .init(capacity: 2, perSecond: 0.5)
      $0.muxRequestLimit = .init(capacity: 3, perSecond: 1)
    }
    try await TestBackend.run(options: options) { backend in
      let mux = try await MuxClient(backend)
      let first = try await mux.send("POST", "uploads", "{}")
      #expect(first.headers["x-ratelimit-limit"] == "2" && first.headers["x-ratelimit-remaining"] == "1")
      // A rejected request counts too.
      #expect(try await mux.send("POST", "uploads", "[]").headers["x-ratelimit-remaining"] == "0")
      let limited = try await mux.send("POST", "uploads", "{}")
      #expect(limited.status == 429 && limited.headers["retry-after"] == "2")
      #expect(limited.headers["x-ratelimit-remaining"] == "0")
      #expect(try Object(limited).object("error").text("type") == "rate_limit")
      // Other methods have a separate bucket. Requests without credentials use none of it.
      for _ in 0..<10 { #expect(try await backend.send("GET", "/video/v1/assets").status == 401) }
      let get = try await mux.send("GET", "uploads")
      #expect(get.status == 200 && get.headers["x-ratelimit-limit"] == "3")
      #expect(get.headers["x-ratelimit-remaining"] == "2")
      #expect(try Object(get).list("data").count == 1)
      clock.advance(2)
      #expect(try await mux.send("POST", "uploads", "{}").status == 201)
      clock.advance(-100)
      #expect(try await mux.send("POST", "uploads", "{}").status == 429)
    }
  }

  @Test func theBucketRefillsToItsCapacity() {
    let bucket = RateBucket(.init(capacity: 2, perSecond: 1))
    let start = Date(timeIntervalSince1970: 1000)
    #expect(bucket.takeTokens(at: start) == .init(remaining: 1))
    #expect(bucket.takeTokens(at: start) == .init(remaining: 0))
    #expect(bucket.takeTokens(at: start + 0.25) == .init(remaining: 0, waitSeconds: 0.75))
    #expect(bucket.takeTokens(0, at: start + 0.25) == .init(remaining: 0))
    #expect(bucket.takeTokens(at: start + 1000) == .init(remaining: 1))
  }

  @Test func keysAreCreatedOnceAndKeptPrivate() async throws {
    let folder = TestBackend.newFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/keys.json"
    try await TestBackend.run(in: folder) { _ in }
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    let keys = try await ServerKeys.open(path)
    #expect(keys.publishableKey.hasPrefix("sb_publishable_") && keys.secretKey.hasPrefix("sb_secret_"))
    #expect(keys.jwtSecret.count == 64)
    let again = try await ServerKeys.open(path)
    #expect(again == keys)
    try Data("[]".utf8).write(to: URL(filePath: path))
    await #expect(throws: LocalBackendError.self) { try await ServerKeys.open(path) }
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    await #expect(throws: LocalBackendError.self) { try await ServerKeys.open(path) }
  }
}
