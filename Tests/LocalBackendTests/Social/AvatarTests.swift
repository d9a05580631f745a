import Foundation
import TestSupport
import Testing

@testable import LocalBackend

/// Avatars: who writes where, the limits, and what is served. Supabase's Storage has no conformance scenarios.
@Suite(.timeLimit(.minutes(10))) struct AvatarTests {
  /// The smallest file with a comment that the server must remove.
  static let picture: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xFE, 0, 8] + Array("secret".utf8) + [0xFF, 0xDA, 0, 2, 1, 2, 0xFF, 0xD9]
  private static let stored: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDA, 0, 2, 1, 2, 0xFF, 0xD9]

  private struct Stage {
    let backend: TestBackend
    let ann: AuthRoutesTests.Session
    let bob: AuthRoutesTests.Session

    func write(
      _ method: String, _ path: String, as session: AuthRoutesTests.Session, type: String = "image/jpeg",
      headers: [String: String] = [:], _ body: [UInt8] = AvatarTests.picture
    ) async throws -> HTTPReply {
      let all = AuthRoutesTests.bearer(session.accessToken).merging(["Content-Type": type]) { $1 }
      return try await backend.send(
        method, "/storage/v1/object/avatars/" + path, headers: all.merging(headers) { $1 }, body: body)
    }

    func read(_ path: String, headers: [String: String] = [:]) async throws -> HTTPReply {
      try await backend.send("GET", "/storage/v1/object/public/avatars/" + path, headers: headers)
    }
  }

  private static func run(_ test: (Stage) async throws -> Void) async throws {
    try await TestBackend.run { backend in
      try await test(
        Stage(
          backend: backend, ann: AuthRoutesTests.signUp(backend, "ann@example.org"),
          bob: AuthRoutesTests.signUp(backend, "bob@example.org")))
    }
  }

  /// The form of `/settings`: the picture is shown without its metadata, until it is removed.
  @Test func theSettingsChangeThePicture() async throws {
    try await TestBackend.run { backend in
      _ = try await AuthRoutesTests.signUp(backend, "ann@example.org", password: PageReactionTests.password)
      let browser = PageBrowser(backend)
      #expect(try await browser.signIn("ann@example.org", PageReactionTests.password).status == 303)
      let page = try await browser.get("/settings").text
      let token = try #require(try PageBrowser.fields(of: "/settings/avatar", in: page)["token"])
      func send(_ bytes: [UInt8], remove: Bool = false, token: String = token) async throws -> HTTPReply {
        var body = "--x\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\n\(token)\r\n"
        if remove { body += "--x\r\nContent-Disposition: form-data; name=\"remove\"\r\n\r\n1\r\n" }
        body +=
          "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\nContent-Type: image/jpeg\r\n\r\n"
        return try await browser.post(
          "/settings/avatar", body: Array(body.utf8) + bytes + Array("\r\n--x--\r\n".utf8),
          type: "multipart/form-data; boundary=x")
      }
      #expect(try await send(Self.picture, token: "other").status == 403)
      #expect(try await send(Array("<svg/>".utf8)).status == 422)
      #expect(try await send(Self.picture).status == 303)
      let changed = try await browser.get("/settings").text
      let source = try #require(changed.firstMatch(of: /<img class="avatar" src="([^"]+)"/)).output.1
      let reply = try await backend.send("GET", String(source))
      #expect(reply.status == 200 && reply.body == Self.stored)
      #expect(try await send([], remove: true).status == 303)
      #expect(try await !browser.get("/settings").text.contains("<img class=\"avatar\""))
      #expect(try await backend.send("GET", String(source)).status == 404)
    }
  }

  /// Pages load nothing from other servers, and nothing but pictures from this one.
  @Test(arguments: [
    "https://evil.example/x.jpg", "https://evil.example/storage/v1/object/public/avatars/x/avatar",
    "https://evil.example/storage/v1/object/public/avatars/\(Caller.localUserID)/avatar?v=1&next=2",
    "http://a/storage/v1/object/public/avatars/\(Caller.localUserID)/../../x",
  ])
  func otherAddressesAreNotLoaded(address: String) throws {
    let json = """
      {"id":"\(Caller.localUserID)","display_name":"a","username":"a","followers_count":0,"following_count":0,
      "highlights_count":0,"privacy_level":"public","avatar_url":"\(address)"}
      """
    let person = try JSONDecoder.snakeCase.decode(Person.self, from: Data(json.utf8))
    #expect(person.picture == nil)
  }

  @Test func anAccountHasTenFiles() async throws {
    try await Self.run { stage in
      let folder = stage.ann.user.id
      for number in 1...10 {
        #expect(try await stage.write("POST", "\(folder)/\(number).jpg", as: stage.ann).status == 200)
      }
      let excess = try await stage.write("POST", "\(folder)/11.jpg", as: stage.ann)
      #expect(excess.status == 403, "\(excess.text)")
      #expect(
        try await stage.write("POST", "\(folder)/1.jpg", as: stage.ann, headers: ["x-upsert": "true"]).status == 200)
      #expect(try await stage.write("POST", stage.bob.user.id + "/1.jpg", as: stage.bob).status == 200)
      #expect(try await stage.write("DELETE", "\(folder)/2.jpg", as: stage.ann, []).status == 200)
      #expect(try await stage.write("POST", "\(folder)/11.jpg", as: stage.ann).status == 200)
    }
  }

  @Test func aFileIsStoredWithoutItsMetadata() async throws {
    try await Self.run { stage in
      let path = stage.ann.user.id + "/a.jpg"
      #expect(try await stage.read(path).status == 404)
      #expect(try await stage.write("PUT", path, as: stage.ann).status == 404)
      #expect(try await stage.write("POST", path, as: stage.ann).status == 200)
      let reply = try await stage.read(path)
      #expect(reply.status == 200 && reply.body == Self.stored)
      #expect(reply.headers["content-type"] == "image/jpeg")
      #expect(reply.headers["x-content-type-options"] == "nosniff")
      #expect(reply.headers["content-security-policy"]?.contains("default-src 'none'") == true)
      let tag = try #require(reply.headers["etag"])
      #expect(try await stage.read(path, headers: ["If-None-Match": tag]).status == 304)

      #expect(try await stage.write("POST", path, as: stage.ann).status == 409)
      #expect(try await stage.write("POST", path, as: stage.ann, headers: ["x-upsert": "true"]).status == 200)
      #expect(try await stage.write("PUT", path, as: stage.ann).status == 200)
      #expect(try await stage.read(path).headers["etag"] != tag)
      #expect(try await stage.write("DELETE", path, as: stage.ann, []).status == 200)
      #expect(try await stage.read(path).status == 404)
    }
  }

  @Test func accountsWriteOnlyToTheirOwnFolder() async throws {
    try await Self.run { stage in
      let path = stage.ann.user.id + "/a.jpg"
      #expect(try await stage.write("POST", path, as: stage.ann).status == 200)
      for method in ["POST", "PUT"] {
        let reply = try await stage.write(method, path, as: stage.bob, headers: ["x-upsert": "true"])
        #expect(reply.status == 403, "\(method)")
      }
      #expect(try await stage.write("DELETE", path, as: stage.bob, []).status == 403)
      let list = Array(#"{"prefixes":["\#(path)"]}"#.utf8)
      let deleted = try await stage.backend.send(
        "DELETE", "/storage/v1/object/avatars", headers: AuthRoutesTests.bearer(stage.bob.accessToken), body: list)
      #expect(deleted.text == "[]")
      for name in ["\(stage.ann.user.id)/..%2Fa.jpg", "\(stage.ann.user.id)/.a", "x/a.jpg"] {
        #expect(try await stage.write("POST", name, as: stage.ann).status == 403, "\(name)")
      }
      #expect(try await stage.write("POST", "\(stage.ann.user.id)/deep/a.jpg", as: stage.ann).status == 404)
      #expect(try await stage.read(path).body == Self.stored)
    }
  }

  @Test(arguments: [
    ("image/gif", Array("GIF89a".utf8), 415), ("image/svg+xml", Array("<svg/>".utf8), 415),
    ("image/png", picture, 415), ("image/jpeg", Array("<html>".utf8), 415), ("text/html", picture, 415),
    ("image/jpeg", Array(repeating: 0, count: AvatarStore.byteLimit + 1), 413),
    ("image/jpeg", Array(repeating: 0, count: 2 * AvatarStore.byteLimit), 413),
    ("multipart/form-data; boundary=x", Array("--x--".utf8), 400),
  ])
  func otherFilesAreRefused(_ type: String, _ body: [UInt8], status: Int) async throws {
    try await Self.run { stage in
      let path = stage.ann.user.id + "/a.jpg"
      let reply = try await stage.write("POST", path, as: stage.ann, type: type, body)
      #expect(reply.status == status)
      #expect(try await stage.read(path).status == 404)
    }
  }

  @Test func aFormCanContainTheFile() async throws {
    try await Self.run { stage in
      let path = stage.ann.user.id + "/a.jpg"
      let form =
        Array("--b\r\nContent-Disposition: form-data; name=\"cacheControl\"\r\n\r\n3600\r\n--b\r\n".utf8)
        + Array("Content-Disposition: form-data; name=\"\"; filename=\"x\"\r\nContent-Type: image/jpeg\r\n\r\n".utf8)
        + Self.picture + Array("\r\n--b--\r\n".utf8)
      let reply = try await stage.write("POST", path, as: stage.ann, type: "multipart/form-data; boundary=b", form)
      #expect(reply.status == 200)
      #expect(try await stage.read(path).body == Self.stored)
    }
  }

  @Test func filesAreDeletedWithTheirAccount() async throws {
    let clock = WallClock()
    var options = TestBackend.Options()
    options.now = { clock.now }
    let folder = TestBackend.newFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = try await TestBackend.run(in: folder, options: options) { backend in
      let ann = try await AuthRoutesTests.signUp(backend, "ann@example.org")
      let stage = Stage(backend: backend, ann: ann, bob: ann)
      let path = ann.user.id + "/a.jpg"
      #expect(try await stage.write("POST", path, as: ann).status == 200)
      let headers = AuthRoutesTests.bearer(ann.accessToken)
      #expect(try await backend.send("POST", "/functions/v1/delete-account", headers: headers, body: []).status == 200)
      #expect(try await stage.read(path).status == 200)
      return path
    }
    clock.advance(8 * 86_400)
    // The cleanup runs at each start.
    try await TestBackend.run(in: folder, options: options) { backend in
      let isDeleted = try await TestTimeout.wait {
        try await backend.send("GET", "/storage/v1/object/public/avatars/" + path).status == 404
      }
      #expect(isDeleted)
    }
  }

  @Test(arguments: [
    ("text/plain", "x", 0), ("multipart/form-data", "--b--", 0), ("multipart/form-data; boundary=b", "--b\r\n", 0),
    ("multipart/form-data; boundary=b", "--b\r\n\r\nx\r\n--b--", 0),
    ("multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b", 0),
    ("multipart/form-data; boundary=\"b\"", "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\r\n--b--", 1),
  ])
  func damagedFormsHaveNoParts(_ type: String, _ body: String, count: Int) {
    #expect((FormPart.parts(of: Array(body.utf8), contentType: type) ?? []).count == count)
  }
}
