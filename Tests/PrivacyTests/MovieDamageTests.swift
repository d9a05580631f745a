import ClipModel
import ISOMedia
import Privacy
import TestSupport
import Testing

@Suite struct MovieDamageTests {
  /// A small clip with a carrier of each kind.
  static let bytes: [UInt8] = {
    var movie = SampleMovie()
    movie.tracks[0].userData = { $0.box("©xyz") { $0.text("\0\u{12}\u{15}\u{C7}" + MovieAuditTests.position) } }
    movie.tracks.append(
      SampleMovie.Track(
        id: 2, handler: "meta", format: "mebx", sizes: [9, 9],
        entryBoxes: MovieAuditTests.boxed(["com.apple.quicktime.location.ISO6709"]), uses64BitOffsets: true))
    movie.tracks.append(
      SampleMovie.Track(
        id: 3, handler: "text", format: "text", sizes: [30, 30], data: Array("\0\u{1C}GPS(149.0251,-20.2532,16)  ".utf8)
      ))
    movie.movieBoxes = { moov in
      MovieAuditTests.keyed("com.apple.quicktime.location.ISO6709", value: MovieAuditTests.position, to: &moov)
      moov.box("mvex") { $0.fullBox("trex") { $0.append([UInt8](repeating: 1, count: 20)) } }
    }
    movie.before = { $0.box("free") { $0.text("\0" + MovieAuditTests.position) } }
    movie.after = { $0.box("GPS ") { $0.zeros(40) } }
    return movie.bytes
  }()

  private func check(_ bytes: [UInt8], _ damage: @autoclosure () -> String) throws {
    _ = try Auditor.audit(MemoryBytes(bytes))
    // A strip may refuse a damaged file.
    guard let stripped = try? Stripper.strip(bytes) else { return }
    let left = try Auditor.audit(MemoryBytes(stripped)).mustBeRemoved
    #expect(left.isEmpty, "\(damage()): \(left.map(\.carrier.place))")
  }

  /// A box exceeds the end of the file. The missing bytes could contain anything.
  @Test(arguments: ["mdat", "mdat of 64 bits", "free", "moov", "moov/udta/titl"])
  func truncatedBoxIsNotClean(box: String) throws {
    var movie = SampleMovie()
    movie.isFastStart = box != "moov"
    movie.movieBoxes = { $0.box("udta") { $0.box("titl") { $0.text("\0\0\0\0\u{15}\u{C7}Cup final") } } }
    if box == "free" { movie.after = { $0.box("free") { $0.zeros(4096) } } }
    var bytes = movie.bytes
    #expect(try Auditor.audit(MemoryBytes(bytes)).unverified.isEmpty)
    if box == "moov/udta/titl" {
      let type = try #require(bytes.firstRange(of: Array("titl".utf8)))
      bytes[type.lowerBound - 2] = 1
    } else {
      if box == "mdat of 64 bits" {
        let type = try #require(bytes.firstRange(of: Array("mdat".utf8)))
        bytes.replaceSubrange(type.lowerBound - 4..<type.lowerBound, with: [0, 0, 0, 1])
        bytes.insert(contentsOf: [0, 0, 0, 1, 0, 0, 0, 0], at: type.upperBound)
      }
      bytes.removeLast(box == "free" ? 4000 : 3)
    }
    let report = try Auditor.audit(MemoryBytes(bytes))
    #expect(report.mustBeRemoved.isEmpty, "\(report.mustBeRemoved.map(\.carrier))")
    #expect(report.unverified.contains { $0.hasPrefix(box.prefix(4)) }, "\(report)")
  }

  @Test func stripsTheIntactClip() throws {
    #expect(try Auditor.audit(MemoryBytes(Self.bytes)).mustBeRemoved.count >= 6)
    let stripped = try Stripper.strip(Self.bytes)
    #expect(try Auditor.audit(MemoryBytes(stripped)).mustBeRemoved.isEmpty)
    #expect(try #require(try ISOFile.read(stripped)).tracks.map(\.trackID) == [1])
  }

  @Test func survivesTruncationAtEveryByte() throws {
    for length in 0..<Self.bytes.count { try check(Array(Self.bytes[..<length]), "cut to \(length)") }
  }

  /// The offsets of four bytes before a possible box type.
  static let sizeOffsets = bytes.indices.dropLast(8).filter { offset in
    bytes[offset + 4..<offset + 8].allSatisfy { (0x20..<0x7F).contains($0) || $0 == 0xA9 }
  }

  @Test(arguments: [0, 1, 7, 8, 9, 15, 16, 24, 100, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF] as [UInt32])
  func survivesEveryDamagedBoxSize(value: UInt32) throws {
    #expect(Self.sizeOffsets.count > 80)
    for offset in Self.sizeOffsets {
      var bytes = Self.bytes
      for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> UInt32(24 - 8 * index)) }
      try check(bytes, "size at \(offset) is \(value)")
    }
  }

  @Test func auditsFilesWithDamagedBytes() throws {
    for offset in Self.bytes.indices {
      var bytes = Self.bytes
      bytes[offset] ^= 0xFF
      try check(bytes, "byte \(offset)")
    }
  }
}
