import Foundation
import ISOMedia
import TestSupport
import Testing

extension EndToEnd {
  /// Damaged clips: each gets a verdict within its time limit and with little memory.
  @Suite struct HostileClipsTests {
    private static let scene = [
      "-f", "lavfi", "-i", "testsrc2=s=64x48:r=5:d=3.2", "-f", "lavfi", "-i", "sine=d=3.2:r=8000", "-c:v", "libx264",
      "-preset", "ultrafast", "-crf", "45", "-g", "8", "-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a", "8k",
    ]

    private static let isSanitized = CommandLine.arguments[0].contains("/sanitize-")

    /// Checks a folder of clips and the memory that this requires.
    private static func validate(_ folder: String, in home: BSCHome) async throws -> [[String: Any]] {
      let process = try home.start(["validate", folder, "--allow-no-metadata", "--json", "--timeout", "10"])
      var peak = 0
      for await _ in process.outputLines { peak = max(peak, process.peakKilobytes ?? 0) }
      let outcome = await process.outcome()
      #expect(
        [0, 3, 4].contains(outcome.status) && !outcome.wasKilled, "\(outcome.status): \(outcome.errors.suffix(2000))")
      // A sanitizer needs three times as much.
      #expect(peak < (isSanitized ? 768 : 256) << 10, "\(peak) kB")
      #if os(Linux)
      #expect(peak > 0)
      #endif
      return try outcome.output.split(separator: "\n").map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }.filter { $0["verdict"] != nil }
    }

    private static func write(_ bytes: some Sequence<UInt8>, _ path: String) throws {
      try Data(bytes).write(to: URL(filePath: path))
    }

    /// With the index at the start, no truncated clip passes.
    @Test(arguments: TestScope.some(1, of: [true, false])) func truncatedClipIsChecked(isFastStart: Bool) async throws {
      let flags = isFastStart ? ["-movflags", "+faststart"] : []
      let whole = try ClipFactory.clip("cut-\(isFastStart).mp4", Self.scene + flags)
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: whole)))
      let home = try BSCHome()
      try FileManager.default.createDirectory(atPath: home.folder.path("cut"), withIntermediateDirectories: true)
      // All positions take a minute. A truncation of the last bytes is most likely to be missed.
      let counts = bytes.indices.dropFirst().filter { TestScope.isFull || $0 % 8 == 1 || $0 > bytes.count - 200 }
      for count in counts { try Self.write(bytes.prefix(count), home.folder.path("cut/\(count).mp4")) }
      let verdicts = try await Self.validate("cut", in: home)
      #expect(verdicts.count == counts.count)
      let passed = verdicts.filter { $0["verdict"] as? String == "pass" }.compactMap { $0["file"] as? String }
      // An index at the end can lose its last box, the user data, without losing the video.
      #expect(isFastStart ? passed.isEmpty : passed.count < bytes.count / 10, "\(passed)")
    }

    @Test func invalidBoxSizesAreChecked() async throws {
      let whole = try ClipFactory.clip("sizes.mp4", Self.scene)
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: whole)))
      let source = MemoryBytes(bytes)
      var boxes: [Box] = []
      var reader = BoxReader(source: source)
      var waiting = try reader.remainingBoxes()
      let parents: Set<FourCC> = ["moov", "trak", "mdia", "minf", "stbl", "edts", "udta", "dinf"]
      while let box = waiting.popLast() {
        boxes.append(box)
        guard parents.contains(box.type) else { continue }
        var children = BoxReader(source: source, childrenOf: box)
        waiting += try children.remainingBoxes()
      }
      #expect(boxes.count > 40)
      let home = try BSCHome()
      try FileManager.default.createDirectory(atPath: home.folder.path("sizes"), withIntermediateDirectories: true)
      var count = 0
      for box in boxes {
        let size = UInt32(box.range.count)
        for lie in Set([0, 1, 7, 8, 9, size - 1, size + 1, size * 2, 0x7FFF_FFFF, 0x8000_0000, .max]) where lie != size
        {
          var changed = bytes
          let place = Int(box.range.lowerBound)
          changed.replaceSubrange(
            place..<place + 4, with: (0..<4).map { UInt8(truncatingIfNeeded: lie >> (24 - 8 * $0)) })
          count += 1
          try Self.write(changed, home.folder.path("sizes/\(box.path.replacing("/", with: "-"))-\(lie).mp4"))
        }
      }
      #expect(try await Self.validate("sizes", in: home).count == count)
    }

    /// A playlist with a clip's file extension opens no other file and no connection.
    @Test(arguments: TestScope.some(2, of: ["mp4", "mov", "ts", "mkv"])) func playlistOpensNoFiles(ending: String)
      async throws
    {
      let home = try BSCHome()
      _ = try home.clip("rally-portrait", named: "real")
      let listener = try Listener()
      let lists = [
        "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\nreal.mp4\n#EXTINF:6,\nhttp://127.0.0.1:\(listener.port)/a.ts\n"
          + "#EXT-X-ENDLIST\n",
        "ffconcat version 1.0\nfile 'real.mp4'\nfile 'http://127.0.0.1:\(listener.port)/b.mp4'\n",
        "<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" type=\"static\"><Period><AdaptationSet>"
          + "<Representation id=\"1\" mimeType=\"video/mp4\"><BaseURL>http://127.0.0.1:\(listener.port)/c.mp4</BaseURL>"
          + "</Representation></AdaptationSet></Period></MPD>\n",
      ]
      for (index, list) in lists.enumerated() {
        let name = "list-\(index).\(ending)"
        try Self.write(list.utf8, home.folder.path(name))
        for depth in [[], ["--decode"], ["--deep"]] {
          let run = try await home.start(["validate", name, "--allow-no-metadata"] + depth).outcome()
          #expect(run.status == 3 && run.output.contains(" \(name): "), "\(run)")
        }
      }
      #expect(!listener.wasAsked)
    }

    /// Tables that claim a billion samples, in a file of a few kilobytes.
    @Test func hugeCountsNeedLittleMemory() async throws {
      let whole = try ClipFactory.clip("claims.mp4", Self.scene)
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: whole)))
      let home = try BSCHome()
      try FileManager.default.createDirectory(atPath: home.folder.path("claims"), withIntermediateDirectories: true)
      var count = 0
      for table in ["stsz", "stts", "stsc", "stco", "stss", "ctts", "elst", "stsd"] {
        var start = 0
        while let place = bytes[start...].firstRange(of: Array(table.utf8)) {
          start = place.upperBound
          // After version and flags: the count; of sizes, the size of all samples, then the count.
          for offset in table == "stsz" ? [4, 8] : [4] {
            for claim in [UInt32(0x0100_0000), 0x3FFF_FFFF, 0x7FFF_FFFF, .max] {
              var changed = bytes
              let value = (0..<4).map { UInt8(truncatingIfNeeded: claim >> (24 - 8 * $0)) }
              changed.replaceSubrange(start + offset..<start + offset + 4, with: value)
              // All samples of one byte, and a billion of them.
              if table == "stsz", offset == 8 { changed.replaceSubrange(start + 4..<start + 8, with: [0, 0, 0, 1]) }
              count += 1
              try Self.write(changed, home.folder.path("claims/\(table)-\(start)-\(offset)-\(claim).mp4"))
            }
          }
        }
      }
      #expect(count > 40)
      #expect(try await Self.validate("claims", in: home).count == count)
    }
  }
}

/// Listens on a port of this machine and records whether it receives a connection.
private final class Listener {
  private let descriptor: Int32
  let port: UInt16

  init() throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(descriptor, address, length) == 0 && listen(descriptor, 8) == 0
          && getsockname(descriptor, address, &length) == 0
      }
    }
    try #require(status)
    self.descriptor = descriptor
    port = UInt16(bigEndian: address.sin_port)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  deinit { close(descriptor) }

  var wasAsked: Bool {
    let connection = accept(descriptor, nil, nil)
    if connection >= 0 { close(connection) }
    return connection >= 0
  }
}
