import ClipModel
import Foundation
import TestSupport
import Testing

@testable import LocalBackend

/// Pages of other origins have only the access that `cors_origin` of a direct upload allows.
@Suite(.timeLimit(.minutes(10))) struct CrossOriginTests {
  private static let app = "http://app.example:5173"
  private static let others = ["http://app.example", "https://app.example:5173", "http://app.example:51730", "null"]

  private static func upload(_ mux: MuxClient, _ corsOrigin: String?) async throws -> Object {
    let named = corsOrigin.map { #""cors_origin":"\#($0)","# } ?? ""
    return try Object(
      await mux.send("POST", "uploads", #"{\#(named)"new_asset_settings":{"playback_policies":["public"]}}"#))
  }

  private static func target(_ upload: Object) throws -> String {
    let url = try #require(URL(string: upload.text("url") ?? ""))
    return "\(url.path)?\(url.query ?? "")"
  }

  private static func preflight(_ backend: TestBackend, _ target: String, _ origin: String) async throws -> HTTPReply {
    try await backend.send(
      "OPTIONS", target,
      headers: [
        "Origin": origin, "Access-Control-Request-Method": "PUT",
        "Access-Control-Request-Headers": "content-range,content-type",
      ])
  }

  @Test(arguments: [app, "*"]) func theAllowedOriginCanUpload(_ named: String) async throws {
    try await TestBackend.run { backend in
      let mux = try await MuxClient(backend)
      let upload = try await Self.upload(mux, named)
      let target = try Self.target(upload)
      for origin in [Self.app] + (named == "*" ? Self.others : []) {
        let preflight = try await Self.preflight(backend, target, origin)
        #expect(preflight.status == 204)
        #expect(preflight.headers["access-control-allow-origin"] == named)
        #expect(preflight.headers["access-control-allow-methods"] == "PUT")
        #expect(preflight.headers["access-control-allow-headers"] == "*")
      }
      // The page can read each response: an offset, a rejection, and the last one.
      let bytes = pattern(quantum + 10)
      for (range, body, status) in [
        ("bytes 0-\(quantum - 1)/\(bytes.count)", Array(bytes[..<quantum]), 308), ("bytes 7", [], 400),
        ("bytes \(quantum)-\(bytes.count - 1)/\(bytes.count)", Array(bytes[quantum...]), 200),
      ] {
        let reply = try await backend.send(
          "PUT", target, headers: ["Origin": Self.app, "Content-Range": range], body: body)
        #expect(reply.status == status)
        #expect(reply.headers["access-control-allow-origin"] == named)
        #expect(reply.headers["access-control-expose-headers"] == "*")
      }
      #expect(try await mux.settledAsset(upload.text("id") ?? "").text("status") == "ready")
    }
  }

  /// Uploads with an allowed origin, without one, with a draft, and with a wrong token.
  @Test(arguments: others + [app], [app, "", nil, "draft", "token"])
  func otherOriginsAreRejected(_ origin: String, _ named: String?) async throws {
    if origin == Self.app, named == Self.app { return }
    try await TestBackend.run { backend in
      let target: String
      if named == "draft" {
        target = try await backend.ticket().url
      } else {
        let upload = try await Self.upload(try await MuxClient(backend), named == "token" ? origin : named)
        target = try Self.target(upload) + (named == "token" ? "0" : "")
      }
      for reply in [
        try await Self.preflight(backend, target, origin),
        try await backend.send("PUT", target, headers: ["Origin": origin], body: pattern(10)),
      ] {
        #expect(reply.status == 403)
        #expect(!reply.headers.keys.contains { $0.hasPrefix("access-control") })
      }
    }
  }

  /// Requests that a page cannot send even if it may upload.
  @Test(arguments: [
    ("POST", "/video/v1/uploads"), ("OPTIONS", "/video/v1/uploads"), ("OPTIONS", "/rest/v1/highlights"),
    ("POST", "/rest/v1/likes"), ("DELETE", "upload"), ("POST", "upload"), ("OPTIONS", "/auth/v1/token"),
    ("POST", "/auth/v1/token?grant_type=password"), ("OPTIONS", "/"), ("OPTIONS", "/stream/none.m3u8"),
    ("OPTIONS", "/upload/none?token=x"), ("PUT", "/upload/none?token=x"),
  ])
  func otherRoutesRejectOtherOrigins(_ method: String, _ path: String) async throws {
    try await TestBackend.run { backend in
      let upload = try await Self.upload(try await MuxClient(backend), "*")
      let target = path == "upload" ? try Self.target(upload) : path
      let reply = try await backend.send(method, target, headers: ["Origin": Self.app], body: [])
      #expect(reply.status == 403)
      #expect(!reply.headers.keys.contains { $0.hasPrefix("access-control") })
    }
  }

  /// On a server for other machines, the upload URL has its own secret, and media requires the server's token.
  @Test func aServerOnTheNetworkStillRequiresItsToken() async throws {
    let token = AccessGateTests.token
    try await TestBackend.run(options: .init(openTo: .init(host: "127.0.0.1", token: token))) { backend in
      let upload = try await Self.upload(try await MuxClient(backend), Self.app)
      let target = try Self.target(upload)
      #expect(try await Self.preflight(backend, target, Self.app).status == 204)
      #expect(try await Self.preflight(backend, target, Self.others[0]).status == 403)
      let range = ["Origin": Self.app, "Content-Range": "bytes */*"]
      let query = try await backend.send("PUT", target, headers: range, body: [])
      #expect(query.status == 308 && query.headers["access-control-allow-origin"] == Self.app)
      for path in ["/stream/x.m3u8", "/image/x/thumbnail.jpg", "/rest/v1/highlights"] {
        #expect(try await Self.preflight(backend, path, Self.app).status != 204)
      }
    }
  }

  /// Paths of media; `ID` stands for the playback ID.
  static let media = [
    "/stream/ID.m3u8", "/stream/ID/index.m3u8", "/stream/ID/init.mp4", "/stream/ID/segment0.m4s", "/stream/ID.mp4",
    "/stream/ID/highest.mp4", "/image/ID/thumbnail.jpg?time=1", "/image/ID/storyboard.vtt", "/image/ID/storyboard.json",
    "/image/ID/animated.gif",
  ]

  @Test(arguments: TestScope.some(1, of: [app, "*", nil])) func theAllowedOriginCanPlayMedia(_ named: String?)
    async throws
  {
    let path = try ClipFactory.clip(
      "cors.mp4",
      [
        "-f", "lavfi", "-i", "testsrc2=size=160x90:rate=10:duration=4", "-c:v", "libx264", "-preset", "ultrafast",
        "-pix_fmt", "yuv420p",
      ])
    let clip = try Array(Data(contentsOf: URL(filePath: path)))
    try await TestBackend.run(maker: .clipMedia) { backend in
      let mux = try await MuxClient(backend)
      let upload = try await Self.upload(mux, named)
      #expect(try await mux.put(upload, clip).status == 200)
      let asset = try await mux.settledAsset(upload.text("id") ?? "")
      try #require(asset.text("status") == "ready", "\(asset.fields)")
      for target in Self.media.map({ $0.replacing("ID", with: asset.playbackID) }) {
        for (origin, isNamed) in [(Self.app, named != nil), (Self.others[0], named == "*")] {
          for method in ["GET", "HEAD"] {
            let reply = try await backend.send(method, target, headers: ["Origin": origin, "Range": "bytes=0-9"])
            #expect((200...206).contains(reply.status), "\(target)")
            #expect(reply.headers["access-control-allow-origin"] == (isNamed ? named : nil), "\(target)")
            #expect(reply.headers["cross-origin-resource-policy"] == (isNamed ? "cross-origin" : "same-origin"))
            if let named, named != "*" { #expect(reply.headers["vary"] == "Origin") }
          }
          #expect(try await Self.preflight(backend, target, origin).status == (isNamed ? 204 : 403), "\(target)")
        }
        // The request of an element of a page has no origin.
        let policy = try await backend.send("GET", target).headers["cross-origin-resource-policy"]
        #expect(policy == (named == nil ? "same-origin" : "cross-origin"), "\(target)")
      }
    }
  }
}
