import ClipModel
import Foundation
import ISOMedia
import TestSupport
import Testing

@testable import Privacy

/// Transport streams of dash cams, which start at any byte of a longer stream and have tracks that start later.
@Suite struct TransportCutTests {
  static let threeTracks =
    RemuxTests.both + ["-map", "0", "-map", "1", "-map", "1", "-g", "10"] + RemuxTests.x264
    + ["-c:a:0", "aac", "-c:a:1", "mp2"]

  private func strip(_ bytes: [UInt8], _ name: String) async throws -> (path: String, copy: String, proof: PacketProof)
  {
    let folder = try ScratchFolder()
    let (path, copy) = (folder.path(name), folder.path("copy-" + name))
    try Data(bytes).write(to: URL(filePath: path))
    let result = try await Stripper.strip(source: path, destination: copy, proves: true)
    return (path, copy, try #require(result.proof))
  }

  private func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }

  /// Incomplete frames at the start are not copied. All others are unchanged.
  @Test(arguments: ["ts", "m2ts"], TestScope.some(5, of: [1, 2, 3, 4, 5, 6, 8, 10, 13, 21, 34, 55, 89, 144, 233]))
  func stripsAStreamCutAtAnyPacket(fileExtension: String, count: Int) async throws {
    let arguments = fileExtension == "ts" ? Self.threeTracks : RemuxTests.both + RemuxTests.x264 + ["-c:a", "ac3"]
    let size = fileExtension == "ts" ? 188 : 192
    let whole = try bytes(ClipFactory.clip("dash.\(fileExtension)", arguments))
    let (path, copy, proof) = try await strip(Array(whole.dropFirst(size * count)), "cut.\(fileExtension)")
    #expect(proof.tracks.count == (fileExtension == "ts" ? 3 : 2))
    #expect(try ContainerFixture.packets(copy) == ContainerFixture.packets(path))
  }

  /// Both ends are in the middle of a packet.
  @Test(arguments: [1, 100, 187]) func stripsAStreamCutInsideAPacket(count: Int) async throws {
    let whole = try bytes(ClipFactory.clip("dash.ts", Self.threeTracks))
    let (_, _, proof) = try await strip(Array(whole.dropFirst(188 * 40 + count).dropLast(count)), "torn.ts")
    #expect(proof.tracks.count == 3)
  }

  /// The program map lists the third track only after the first second, or its packets start late.
  @Test(arguments: [true, false]) func stripsAStreamWithALateTrack(isListedLate: Bool) async throws {
    let all: [UInt8]
    if isListedLate {
      all =
        try bytes(ClipFactory.clip("first.ts", RemuxTests.both + RemuxTests.x264 + ["-c:a", "aac"]))
        + bytes(ClipFactory.clip("second.ts", Self.threeTracks + ["-output_ts_offset", "4"]))
    } else {
      let whole = try bytes(ClipFactory.clip("dash.ts", Self.threeTracks))
      all = stride(from: 0, to: whole.count, by: 188).flatMap { start -> ArraySlice<UInt8> in
        let packet = whole[start..<start + 188]
        let pid = UInt16(packet[start + 1] & 0x1F) << 8 | UInt16(packet[start + 2])
        return pid == 0x102 && start < whole.count / 2 ? [] : packet
      }
    }
    let (_, _, proof) = try await strip(all, "late.ts")
    #expect(proof.tracks.count == 3 && proof.tracks.allSatisfy { $0.packetCount > 10 }, "\(proof.tracks)")
  }

  /// GPS data starts in the middle, with a separate program map.
  @Test func removesLateDataTracks() async throws {
    let clip = try bytes(ClipFactory.clip("first.ts", RemuxTests.both + RemuxTests.x264 + ["-c:a", "aac"]))
    var map: [UInt8] = [
      2, 0xB0, 0, 0, 1, 0xC3, 0, 0, 0xE1, 0, 0xF0, 0, 0x1B, 0xE1, 0, 0xF0, 0, 0x0F, 0xE1, 1, 0xF0, 0, 0x15, 0xE1, 0xF0,
      0xF0, 0,
    ]
    map[2] = UInt8(map.count + 1)
    map += Self.checksum(map)
    var data = TransportSample(streams: [])
    let start = data.bytes.count
    data.packet(pid: 0x1000, isStart: true, [0] + map + [UInt8](repeating: 0xFF, count: 183 - map.count))
    for _ in 0..<9 {
      data.elementary(pid: 0x1F0, Array("$GPRMC,082138,A,4810.4580,N,01132.7720,E,0,0,050213,,,A".utf8))
    }
    let middle = clip.count / 188 / 2 * 188
    let all = Array(clip[..<middle]) + data.bytes[start...] + clip[middle...]
    let (path, copy, proof) = try await strip(all, "receiver.ts")
    #expect(try await Auditor.audit(path: path).mustBeRemoved.contains { $0.carrier.kind == "nmea-text" })
    #expect(proof.tracks.count == 2)
    #expect(try bytes(copy).firstRange(of: Array("GPRMC".utf8)) == nil)
  }

  /// The checksum of a section (ISO/IEC 13818-1, annex A).
  private static func checksum(_ section: [UInt8]) -> [UInt8] {
    let sum = section.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte) << 24) { sum, _ in sum << 1 ^ (sum >> 31 == 1 ? 0x04C1_1DB7 : 0) }
    }
    return (0..<4).map { UInt8(truncatingIfNeeded: sum >> (24 - 8 * $0)) }
  }
}
