import ClipModel
import Foundation
import TestSupport
import Testing

@testable import LocalBackend

/// Who can read the video of a highlight that isn't public, at each address, and in each state of the highlight.
@Suite(.timeLimit(.minutes(10))) struct ClosedVideoTests {
  /// A server with an author and the author's follower, and another person.
  struct World {
    let backend: TestBackend
    let clock: WallClock
    let ann: AuthRoutesTests.Session
    let bob: AuthRoutesTests.Session
    let eve: AuthRoutesTests.Session

    func bearer(_ session: AuthRoutesTests.Session) -> [String: String] { AuthRoutesTests.bearer(session.accessToken) }

    /// Publishes a highlight of Ann.
    func share(_ privacy: PrivacyLevel) async throws -> String {
      var draft = HighlightDraft.sample()
      draft.privacy = privacy
      let ticket = try await upload(draft)
      try await TestTimeout.wait { try await state(ticket).status == .ready }
      return draft.highlightID.uuidString.lowercased()
    }

    /// Uploads a clip of Ann.
    func upload(_ draft: HighlightDraft) async throws -> UploadTicket {
      let reply = try await backend.send(
        "POST", "/uploads", headers: bearer(ann).merging(["Idempotency-Key": UUID().uuidString]) { $1 },
        body: Array(try JSONEncoder().encode(draft)))
      let ticket: UploadTicket = try reply.json()
      #expect(try await backend.put(ticket, nil, pattern(1000)).status == 200)
      return ticket
    }

    func state(_ ticket: UploadTicket) async throws -> UploadState {
      try await backend.send("GET", "/uploads/\(ticket.id)", headers: bearer(ann)).json()
    }

    func change(_ id: String, _ json: String) async throws {
      let reply = try await backend.send(
        "PATCH", "/rest/v1/highlights?id=eq.\(id)",
        headers: bearer(ann).merging(["Content-Type": "application/json"]) { $1 }, body: Array(json.utf8))
      #expect(reply.status == 204, "\(reply.text)")
    }

    func setProfile(_ level: String) async throws {
      let reply = try await backend.send(
        "PATCH", "/rest/v1/profiles?id=eq.\(ann.user.id)",
        headers: bearer(ann).merging(["Content-Type": "application/json"]) { $1 },
        body: Array(#"{"privacy_level":"\#(level)"}"#.utf8))
      #expect(reply.status == 204, "\(reply.text)")
    }

    /// The addresses that a person gets for a highlight; `nil` if none.
    func addresses(
      _ id: String, _ person: AuthRoutesTests.Session, _ more: String = ""
    ) async throws -> Object? {
      let reply = try await backend.send(
        "POST", "/functions/v1/playback", headers: bearer(person),
        body: Array(#"{"highlight_ids":["\#(id)"]\#(more)}"#.utf8))
      #expect(reply.status == 200, "\(reply.text)")
      return try Object(reply).list("highlights").first?.list("clips").first
    }

    /// The path and query of an address.
    static func path(_ address: String?) throws -> String {
      let url = try #require(address.flatMap(URL.init(string:)))
      return url.path + (url.query.map { "?\($0)" } ?? "")
    }

    func status(_ path: String, _ headers: [String: String] = [:]) async throws -> Int {
      try await backend.send("GET", path, headers: headers).status
    }
  }

  static func run(_ test: (World) async throws -> Void) async throws {
    let clock = WallClock()
    var maker = TestBackend.quickMaker
    maker.drawPicture = { query, _, path in try Data(query.itemName.utf8).write(to: URL(filePath: path)) }
    maker.makeStream = { _, folder in
      for (name, text) in [
        ("master.m3u8", "#EXTM3U\nindex.m3u8\n"),
        ("index.m3u8", "#EXTM3U\n#EXT-X-MAP:URI=\"init.mp4\"\n#EXTINF:4,\nsegment0.m4s\n#EXT-X-ENDLIST\n"),
        ("init.mp4", "init"), ("segment0.m4s", "segment"),
      ] {
        try Data(text.utf8).write(to: URL(filePath: folder + "/" + name))
      }
    }
    try await TestBackend.run(maker: maker, options: .init(now: { clock.now })) { backend in
      let ann = try await AuthRoutesTests.signUp(backend, "ann@example.org")
      let bob = try await AuthRoutesTests.signUp(backend, "bob@example.org")
      let eve = try await AuthRoutesTests.signUp(backend, "eve@example.org")
      let reply = try await backend.send(
        "POST", "/rest/v1/follows",
        headers: AuthRoutesTests.bearer(bob.accessToken).merging(["Content-Type": "application/json"]) { $1 },
        body: Array(#"{"follower_id":"\#(bob.user.id)","following_id":"\#(ann.user.id)"}"#.utf8))
      #expect(reply.status == 201, "\(reply.text)")
      try await test(World(backend: backend, clock: clock, ann: ann, bob: bob, eve: eve))
    }
  }

  /// All addresses of a playback ID.
  private static func paths(_ id: String) -> [String] {
    [
      "/stream/\(id).m3u8", "/stream/\(id)/index.m3u8", "/stream/\(id)/init.mp4", "/stream/\(id)/segment0.m4s",
      "/stream/\(id).mp4", "/stream/\(id)/highest.mp4", "/image/\(id)/thumbnail.jpg?time=2",
      "/image/\(id)/thumbnail.png", "/image/\(id)/animated.gif", "/image/\(id)/storyboard.jpg",
      "/image/\(id)/storyboard.vtt",
    ]
  }

  private static func playbackID(_ clip: Object?) throws -> String {
    let path = try World.path(clip?.text("video"))
    return String(try #require(path.firstMatch(of: /\/stream\/([0-9a-f]+)\.m3u8/)).output.1)
  }

  @Test(arguments: [PrivacyLevel.followersOnly, .onlyMe])
  func closedVideoNeedsATokenOrAPermittedCaller(_ privacy: PrivacyLevel) async throws {
    try await Self.run { world in
      let id = try await world.share(privacy)
      let row = try await world.backend.send(
        "GET", "/rest/v1/highlights?select=*&id=eq.\(id)", headers: world.bearer(world.ann)
      ).text
      for name in ["mux_playback_id", "thumbnail_url", "video_urls"] {
        #expect(row.contains("\"\(name)\":null"), "\(row)")
      }
      let clip = try await world.addresses(id, world.ann)
      let playback = try Self.playbackID(clip)
      let isFollowed = privacy == .followersOnly
      for path in Self.paths(playback) {
        #expect(try await world.status(path) == 403, "visitor: \(path)")
        #expect(try await world.status(path, world.bearer(world.eve)) == 403, "another person: \(path)")
        if path.contains("storyboard") { continue }
        #expect(try await world.status(path, world.bearer(world.ann)) == 200, "author: \(path)")
        let isFile = path.hasSuffix("\(playback).mp4") || path.hasSuffix("highest.mp4")
        #expect(
          try await world.status(path, world.bearer(world.bob)) == (isFollowed && !isFile ? 200 : 403),
          "follower: \(path)")
      }
      #expect(try await world.addresses(id, world.eve) == nil)
      let bobs = try await world.addresses(id, world.bob)
      #expect((bobs != nil) == isFollowed)
    }
  }

  @Test func tokensAreForOneAssetAndOneUseAndExpire() async throws {
    try await Self.run { world in
      let (id, other) = (try await world.share(.followersOnly), try await world.share(.followersOnly))
      let clip = try #require(try await world.addresses(id, world.ann))
      let stranger = try Self.playbackID(try await world.addresses(other, world.ann))
      let playback = try Self.playbackID(clip)
      var tokens: [String: String] = [:]
      for use in ["video", "file", "thumbnail", "animation"] {
        let path = try World.path(clip.text(use))
        #expect(try await world.status(path) == 200, "\(use)")
        tokens[use] = String(try #require(path.split(separator: "token=").last))
      }
      for (use, token) in tokens {
        for path in Self.paths(playback) + Self.paths(stranger) where !path.contains("storyboard") {
          let isOwnUse =
            switch use {
            case "video":
              path.contains("/\(playback).m3u8") || path.contains("/\(playback)/i") && path.hasPrefix("/stream")
                || path.contains("/\(playback)/segment")
            case "file": path.hasSuffix("\(playback).mp4") || path.contains("\(playback)/highest")
            case "thumbnail": path == "/image/\(playback)/thumbnail.png"
            default: path == "/image/\(playback)/animated.gif"
            }
          if use == "thumbnail", path.contains("?time") { continue }
          let separator = path.contains("?") ? "&" : "?"
          let status = try await world.status("\(path)\(separator)token=\(token)")
          #expect(status == (isOwnUse ? 200 : 403), "\(use) \(path)")
        }
      }
      // A changed, empty or foreign token.
      let token = try #require(tokens["video"])
      let access = world.ann.accessToken
      for wrong in ["", "x", String(token.dropLast(3)) + "AAA", access, world.backend.server.address.ownerToken] {
        #expect(try await world.status("/stream/\(playback).m3u8?token=\(wrong)") == 403, "\(wrong)")
      }
      world.clock.advance(299)
      #expect(try await world.status("/stream/\(playback).m3u8?token=\(token)") == 200)
      world.clock.advance(2)
      for path in Self.paths(playback).prefix(4) {
        #expect(try await world.status("\(path)?token=\(token)") == 403, "expired: \(path)")
      }
    }
  }

  @Test func playlistsPassTheTokenOn() async throws {
    try await Self.run { world in
      let id = try await world.share(.followersOnly)
      let path = try World.path(try await world.addresses(id, world.bob)?.text("video"))
      let token = String(try #require(path.split(separator: "?").last))
      let playback = try #require(path.firstMatch(of: /\/stream\/([0-9a-f]+)/)).output.1
      let master = try await world.backend.send("GET", path)
      #expect(master.text == "#EXTM3U\n\(playback)/index.m3u8?\(token)\n")
      #expect(master.headers["cache-control"] == "private, no-cache")
      let index = try await world.backend.send("GET", "/stream/\(playback)/index.m3u8?\(token)")
      #expect(index.text.contains("URI=\"init.mp4?\(token)\"") && index.text.contains("\nsegment0.m4s?\(token)\n"))
      #expect(try await world.backend.send("GET", "/stream/\(playback)/segment0.m4s?\(token)").text == "segment")
    }
  }

  @Test func parametersOfPicturesAreInTheToken() async throws {
    try await Self.run { world in
      let id = try await world.share(.followersOnly)
      let clip = try await world.addresses(
        id, world.bob, #","thumbnail":{"time":1.5,"width":320},"animation":{"start":1,"end":2}"#)
      let path = try World.path(clip?.text("thumbnail"))
      let wanted = try #require(try ImageQuery(file: "thumbnail.jpg", [("time", "1.5"), ("width", "320")]))
      #expect(try await world.backend.send("GET", path).text == wanted.itemName)
      #expect(try await world.status("\(path)&width=640") == 400)
      for wrong in [
        #","thumbnail":{"sub":"x"}"#, #","thumbnail":{"time":-1}"#, #","animation":{"time":1}"#, #","thumbnail":[]"#,
      ] {
        let reply = try await world.backend.send(
          "POST", "/functions/v1/playback", headers: world.bearer(world.bob),
          body: Array(#"{"highlight_ids":["\#(id)"]\#(wrong)}"#.utf8))
        #expect(reply.status == 400, "\(wrong)")
      }
    }
  }

  @Test func levelChangesTakeEffectImmediately() async throws {
    try await Self.run { world in
      let id = try await world.share(.everyone)
      func known() async throws -> String? {
        let reply = try await world.backend.send(
          "GET", "/rest/v1/highlights?select=mux_playback_id&id=eq.\(id)", headers: world.bearer(world.ann))
        let rows: [[String: String?]] = try reply.json()
        return rows.first?["mux_playback_id"] ?? nil
      }
      let playback = try #require(try await known())
      let stream = "/stream/\(playback).m3u8"
      let open = try #require(try await world.addresses(id, world.eve))
      #expect(open.text("video")?.contains("token") == false && open.text("file") == nil)
      #expect(try await world.status(stream) == 200)
      for json in [#"{"privacy_level":"followers_only"}"#, #"{"privacy_level":"private"}"#] {
        try await world.change(id, json)
        #expect(try await known() == nil)
        #expect(try await world.status(stream) == 403)
      }
      try await world.change(id, #"{"privacy_level":"public"}"#)
      #expect(try await known() == playback)
      #expect(try await world.status(stream) == 200)
      try await world.setProfile("followers_only")
      #expect(try await known() == nil)
      #expect(try await world.status(stream) == 403, "the author's level applies too")
      try await world.setProfile("public")
      #expect(try await world.status(stream) == 200)
    }
  }

  @Test func theAuthorsLevelClosesAnUnfinishedPost() async throws {
    try await Self.run { world in
      try await world.setProfile("followers_only")
      var draft = HighlightDraft.sample(post: PostPart(part: 0, count: 2))
      draft.privacy = .everyone
      let ticket = try await world.upload(draft)
      let path = "/stream/\(try #require(try await world.state(ticket).playbackID)).m3u8"
      try await TestTimeout.wait { try await world.status(path, world.bearer(world.ann)) == 200 }
      for headers in [[:], world.bearer(world.bob)] { #expect(try await world.status(path, headers) == 403) }
      try await world.setProfile("public")
      #expect(try await world.status(path) == 200)
    }
  }

  @Test func thePlaybackOfAPostContainsEachClipOnceAndInOrder() async throws {
    try await Self.run { world in
      let id = UUID()
      var expected: [String] = []
      for part in [1, 0] {
        var draft = HighlightDraft.sample(id, post: PostPart(part: part, count: 2))
        draft.privacy = .followersOnly
        let ticket = try await world.upload(draft)
        expected.insert(try #require(try await world.state(ticket).playbackID), at: 0)
      }
      let name = id.uuidString.lowercased()
      try await TestTimeout.wait { try await world.addresses(name, world.bob) != nil }
      let reply = try await world.backend.send(
        "POST", "/functions/v1/playback", headers: world.bearer(world.bob),
        body: Array(#"{"highlight_ids":["\#(name)","\#(id.uuidString)"]}"#.utf8))
      let highlights = try Object(reply).list("highlights")
      #expect(highlights.count == 1)
      #expect(try highlights.first?.list("clips").map(Self.playbackID) == expected)
    }
  }

  @Test func aPageOfAFollowerPlaysTheVideo() async throws {
    try await Self.run { world in
      let id = try await world.share(.followersOnly)
      let browser = PageBrowser(world.backend)
      _ = try await browser.signIn("bob@example.org", "volleyball")
      let page = try await browser.get("/h/\(id)").text
      let source = try #require(page.firstMatch(of: /src="(\/stream\/[^"]+)"/)).output.1
      let poster = try #require(page.firstMatch(of: /poster="([^"]+)"/)).output.1
      let video = ["Sec-Fetch-Dest": "video", "Sec-Fetch-Site": "same-origin"]
      #expect(try await browser.get(String(source), headers: video).status == 200)
      #expect(try await browser.get(String(poster)).status == 200)
      #expect(try await browser.get(String(source)).status == 403, "downloads are off")
      // Browsers that use HTTP from another machine don't send `Sec-Fetch` headers.
      #expect(try await browser.get(String(source), headers: ["Referer": browser.origin + "/h/\(id)"]).status == 200)
      for headers in [
        ["Referer": browser.origin + ".example.org/"], ["Referer": "http://example.org/"],
        ["Referer": browser.origin + "/", "Sec-Fetch-Dest": "document", "Sec-Fetch-Site": "same-origin"],
      ] {
        #expect(try await browser.get(String(source), headers: headers).status == 403, "\(headers)")
      }
      #expect(try await world.status(String(source), video) == 403, "no session")
      #expect(try await world.status("/h/\(id)", ["Accept": "text/html"]) == 404)
    }
  }

  @Test func downloadsNeedTheAuthorsPermission() async throws {
    try await Self.run { world in
      let id = try await world.share(.everyone)
      let playback = try Self.playbackID(try await world.addresses(id, world.eve))
      for path in ["/stream/\(playback).mp4", "/stream/\(playback)/highest.mp4"] {
        #expect(try await world.status(path) == 403)
        #expect(try await world.status(path, world.bearer(world.eve)) == 403)
        #expect(try await world.status(path, world.bearer(world.ann)) == 200)
        let cross = ["Sec-Fetch-Dest": "video", "Sec-Fetch-Site": "cross-site"]
        #expect(try await world.status(path, cross) == 403)
      }
      let file = try World.path(try await world.addresses(id, world.ann)?.text("file"))
      #expect(try await world.status(file) == 200)
      try await world.change(id, #"{"allow_downloads":true}"#)
      #expect(try await world.status("/stream/\(playback).mp4") == 200)
      #expect(try await world.addresses(id, world.eve)?.text("file") != nil)
      try await world.change(id, #"{"allow_downloads":false}"#)
      #expect(try await world.status("/stream/\(playback).mp4") == 403)
    }
  }

  @Test func theEndpointNeedsAnAccount() async throws {
    try await Self.run { world in
      let id = try await world.share(.everyone)
      let body = Array(#"{"highlight_ids":["\#(id)"]}"#.utf8)
      for headers in [[:], AuthRoutesTests.bearer("x")] {
        #expect(
          try await world.backend.send("POST", "/functions/v1/playback", headers: headers, body: body).status == 401)
      }
      for wrong in ["{}", #"{"highlight_ids":[]}"#, #"{"highlight_ids":["x"]}"#] {
        let reply = try await world.backend.send(
          "POST", "/functions/v1/playback", headers: world.bearer(world.ann), body: Array(wrong.utf8))
        #expect(reply.status == 400, "\(wrong)")
      }
    }
  }
}
