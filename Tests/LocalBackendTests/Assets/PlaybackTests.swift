import ClipModel
import Foundation
import TestSupport
import Testing

@testable import LocalBackend

/// Streams and pictures of real clips, checked with ffmpeg and ffprobe.
@Suite(.timeLimit(.minutes(10))) struct PlaybackTests {
  /// Six seconds of a test pattern with B-frames, and a key frame every second.
  private static func clip(_ more: [String] = []) throws -> [UInt8] {
    let path = try ClipFactory.clip(
      "playback.mp4",
      [
        "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=6", "-f", "lavfi", "-i", "sine=duration=6",
        "-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-g", "25", "-pix_fmt", "yuv420p", "-c:a", "aac",
      ] + more)
    return try Array(Data(contentsOf: URL(filePath: path)))
  }

  private static func run(_ clip: [UInt8], _ test: (TestBackend, Object) async throws -> Void) async throws {
    try await TestBackend.run(maker: .clipMedia) { backend in
      let asset = try await MuxClient(backend).asset(clip)
      try #require(asset.text("status") == "ready", "\(asset.fields)")
      try await test(backend, asset)
    }
  }

  /// One column of ffprobe's output. Runs off the cooperative pool, because ffprobe requests the file from this process.
  private static func probe(_ address: String, _ stream: String, _ entries: String) async throws -> [String] {
    try await runBlocking {
      let data = try Tool.run(
        "ffprobe",
        [
          "-v", "error", "-count_frames", "-select_streams", stream, "-show_entries", entries, "-of", "csv=p=0",
          address,
        ])
      return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
    }
  }

  private static func file(_ reply: HTTPReply, _ name: String) throws -> String {
    let path = FileManager.default.temporaryDirectory.path + "/bsc-\(UUID().uuidString)-\(name)"
    try Data(reply.body).write(to: URL(filePath: path))
    return path
  }

  /// The headers are those of a good clip, but no frame can be decoded.
  @Test func aClipWithoutReadableFramesIsRefused() async throws {
    var clip = try Self.clip()
    let box = try #require(clip.firstRange(of: Array("mdat".utf8)))
    let byteCount = clip[box.lowerBound - 4..<box.lowerBound].reduce(0) { $0 << 8 | Int($1) }
    let frames = box.upperBound..<box.lowerBound - 4 + byteCount
    clip.replaceSubrange(frames, with: repeatElement(0, count: frames.count))
    try await TestBackend.run(maker: .clipMedia) { backend in
      let asset = try await MuxClient(backend).asset(clip)
      #expect(asset.text("status") == "errored")
    }
  }

  @Test func theStreamHasAllFrames() async throws {
    try await Self.run(try Self.clip()) { backend, asset in
      let base = "http://127.0.0.1:\(backend.server.port)/stream/\(asset.playbackID)"
      let master = try await backend.send("GET", "/stream/\(asset.playbackID).m3u8?max_resolution=720p")
      #expect(master.status == 200 && master.headers["content-type"] == "application/vnd.apple.mpegurl")
      #expect(master.text.hasPrefix("#EXTM3U") && master.text.contains("RESOLUTION=320x180"))
      #expect(master.text.contains("\n\(asset.playbackID)/index.m3u8\n"))
      #expect(try await backend.send("GET", "/stream/\(asset.playbackID).m3u8?max_resolution=9p").status == 400)
      let index = try await backend.send("GET", "/stream/\(asset.playbackID)/index.m3u8")
      #expect(index.text.contains("#EXT-X-ENDLIST") && index.text.contains("#EXT-X-MAP:URI=\"init.mp4\""))
      #expect(index.text.contains("#EXT-X-PLAYLIST-TYPE:VOD"))
      let durations = index.text.matches(of: /#EXTINF:([0-9.]+)/).compactMap { Double($0.1) }
      #expect(durations.count == 2 && abs(durations.reduce(0, +) - 6) < 0.1)
      let part = try await backend.send(
        "GET", "/stream/\(asset.playbackID)/segment0.m4s", headers: ["Range": "bytes=0-"])
      #expect(part.status == 206 && part.headers["content-type"] == "video/iso.segment")

      for stream in ["v:0", "a:0"] {
        let streamed = try await Self.probe(base + ".m3u8", stream, "stream=nb_read_frames")
        let whole = try await Self.probe(base + "/highest.mp4", stream, "stream=nb_read_frames")
        let counts = (streamed.first.flatMap { Int($0) } ?? 0, whole.first.flatMap { Int($0) } ?? -1)
        // The first audio packet is before the start of the clip, and an edit list hides it.
        #expect(stream == "v:0" ? counts.0 == 150 && counts.1 == 150 : abs(counts.0 - counts.1) <= 1, "\(counts)")
      }
      let length = try await Self.probe(base + ".m3u8", "v:0", "format=duration").last.flatMap { Double($0) }
      #expect(abs((length ?? 0) - 6) <= 0.08)
      // All frames decode in the order of the clip.
      let path = base + ".m3u8"
      let hashes = try await runBlocking {
        try [path, base + "/highest.mp4"].map {
          try Tool.run(
            "ffmpeg", ["-v", "error", "-nostdin", "-i", $0, "-map", "0:v", "-f", "hash", "-hash", "md5", "-"])
        }
      }
      #expect(hashes[0] == hashes[1])
    }
  }

  @Test func rotationIsPreserved() async throws {
    let source = SharedMedia.sample("rally-portrait.mp4")
    let expected = try Tool.pixels(source)
    try #require(expected.height > expected.width)
    try await Self.run(try Array(Data(contentsOf: URL(filePath: source)))) { backend, asset in
      #expect(asset.text("aspect_ratio") == "9:16")
      let address = "http://127.0.0.1:\(backend.server.port)/stream/\(asset.playbackID).m3u8"
      let streamed = try await runBlocking { try Tool.pixels(address) }
      #expect(streamed.width == expected.width && streamed.height == expected.height)
      let reply = try await backend.send("GET", "/image/\(asset.playbackID)/thumbnail.png?width=90")
      let picture = try Self.file(reply, "t.png")
      defer { try? FileManager.default.removeItem(atPath: picture) }
      #expect(try await Self.probe(picture, "v:0", "stream=width,height") == ["90,160"])
    }
  }

  static let pictures = [
    ("thumbnail.jpg", "320,180", "mjpeg"), ("thumbnail.png?width=101", "101,57", "png"),
    ("thumbnail.jpg?width=101&height=57&fit_mode=stretch", "101,57", "mjpeg"),
    ("thumbnail.webp?width=99&time=3", "99,56", "webp"), ("thumbnail.jpg?height=360", "640,360", "mjpeg"),
    ("thumbnail.png?width=100&height=100&fit_mode=crop", "100,100", "png"),
    ("thumbnail.png?width=100&height=100&fit_mode=pad", "100,100", "png"),
    ("thumbnail.png?width=100&height=100", "100,56", "png"), ("thumbnail.png?rotate=90", "180,320", "png"),
    ("thumbnail.jpg?time=9999", "320,180", "mjpeg"), ("thumbnail.jpg?width=1", "1,1", "mjpeg"),
    ("animated.gif?end=1", "320,180", "gif"), ("animated.gif?width=101&end=0.5&fps=10", "101,57", "gif"),
    ("storyboard.jpg", "1280,1440", "mjpeg"), ("storyboard.png", "1280,1440", "png"),
    ("storyboard.webp", "1280,1440", "webp"),
  ]

  @Test(arguments: TestScope.some(8, of: pictures))
  func picturesHaveTheRequestedSizeAndFormat(_ name: String, _ size: String, _ codec: String) async throws {
    try await Self.run(try Self.clip()) { backend, asset in
      let reply = try await backend.send("GET", "/image/\(asset.playbackID)/\(name)")
      try #require(reply.status == 200, "\(reply.text)")
      let path = try Self.file(reply, String(name.prefix { $0 != "?" }))
      defer { try? FileManager.default.removeItem(atPath: path) }
      #expect(try await Self.probe(path, "v:0", "stream=codec_name,width,height") == ["\(codec),\(size)"])
    }
  }

  @Test func animationsHaveTheRequestedFrames() async throws {
    try await Self.run(try Self.clip()) { backend, asset in
      let reply = try await backend.send("GET", "/image/\(asset.playbackID)/animated.webp?start=1&end=2&fps=5&width=64")
      #expect(reply.headers["content-type"] == "image/webp" && reply.body.starts(with: Array("RIFF".utf8)))
      #expect(reply.body.ranges(of: Array("ANMF".utf8)).count == 5)
      #expect(try await backend.send("GET", "/image/\(asset.playbackID)/animated.gif?start=5.9").status == 400)
      let gif = try Self.file(
        try await backend.send("GET", "/image/\(asset.playbackID)/animated.gif?start=1&end=2&fps=5&width=64"), "a.gif")
      #expect(try await Self.probe(gif, "v:0", "stream=nb_read_frames") == ["5"])
    }
  }

  @Test func picturesCanBeRotatedAndFlipped() async throws {
    // Four quarters in different colors.
    let path = try ClipFactory.clip(
      "quarters.mp4",
      [
        "-f", "lavfi", "-i",
        "color=red:size=160x90:rate=10:duration=3[a];color=lime:size=160x90:rate=10:duration=3[b];"
          + "color=blue:size=160x90:rate=10:duration=3[c];color=white:size=160x90:rate=10:duration=3[d];"
          + "[a][b]hstack[top];[c][d]hstack[bottom];[top][bottom]vstack",
        "-c:v", "libx264", "-pix_fmt", "yuv420p",
      ])
    try await Self.run(try Array(Data(contentsOf: URL(filePath: path)))) { backend, asset in
      /// The colors of the quarters in reading order.
      func quarters(_ query: String) async throws -> String {
        let file = try Self.file(
          try await backend.send("GET", "/image/\(asset.playbackID)/thumbnail.png" + query), "q.png")
        defer { try? FileManager.default.removeItem(atPath: file) }
        let picture = try await runBlocking { try Tool.pixels(file) }
        return [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)].map { x, y in
          let color = picture.color(x, y).map { $0 > 128 ? 1 : 0 }
          return [[1, 0, 0]: "R", [0, 1, 0]: "G", [0, 0, 1]: "B", [1, 1, 1]: "W"][color] ?? "?"
        }.joined()
      }
      #expect(try await quarters("") == "RGBW")
      #expect(try await quarters("?rotate=90") == "BRWG")
      #expect(try await quarters("?rotate=180") == "WBGR")
      #expect(try await quarters("?rotate=270") == "GWRB")
      #expect(try await quarters("?flip_h=true") == "GRWB")
      #expect(try await quarters("?flip_v=true") == "BWRG")
      #expect(try await quarters("?flip_v=true&flip_h=true") == "WBGR")
      #expect(try await quarters("?width=100&height=100&fit_mode=crop") == "RGBW")
      // Padded with black.
      let padded = try Self.file(
        try await backend.send("GET", "/image/\(asset.playbackID)/thumbnail.png?width=100&height=100&fit_mode=pad"),
        "p.png")
      let picture = try await runBlocking { try Tool.pixels(padded) }
      #expect(picture.color(0.5, 0.08) == [0, 0, 0] && picture.color(0.25, 0.3)[0] > 200)
    }
  }

  @Test func theStoryboardMatchesItsIndex() async throws {
    try await Self.run(try Self.clip()) { backend, asset in
      let path = "/image/\(asset.playbackID)/storyboard"
      let index = try Object(await backend.send("GET", path + ".json?format=png"))
      #expect(index.text("url") == "http://127.0.0.1:\(backend.server.port)\(path).png")
      #expect(index.number("duration") == 6 && index.number("tile_width") == 256 && index.number("tile_height") == 144)
      let tiles = index.list("tiles")
      #expect(tiles.count == 50 && tiles.last?.number("x") == 1024 && tiles.last?.number("y") == 1296)
      let track = try await backend.send("GET", path + ".vtt")
      #expect(track.headers["content-type"]?.hasPrefix("text/vtt") == true && track.text.hasPrefix("WEBVTT\n"))
      #expect(track.text.contains("\(path).jpg#xywh=1024,1296,256,144"))
    }
  }

  @Test func assetFactsMatchTheFile() async throws {
    try await Self.run(try Self.clip(["-metadata", "title=x"])) { _, asset in
      #expect(asset.number("duration") == 6 && asset.text("aspect_ratio") == "16:9")
      #expect(asset.number("max_stored_frame_rate") == 25 && asset.text("resolution_tier") == "720p")
      #expect(asset.list("tracks").map { $0.text("type") } == ["video", "audio"])
      #expect(asset.fields["non_standard_input_reasons"] == nil, "\(asset.fields)")
    }
    let odd = try ClipFactory.clip(
      "odd.mp4",
      ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=3:duration=4", "-c:v", "libx264", "-pix_fmt", "yuv444p"])
    try await Self.run(try Array(Data(contentsOf: URL(filePath: odd)))) { _, asset in
      let reasons = asset.fields["non_standard_input_reasons"] as? [String: String] ?? [:]
      #expect(reasons["video_frame_rate"] == "3" && reasons["unsupported_pixel_format"] == "yuv444p", "\(reasons)")
    }
  }
}
