import ClipModel
import Foundation
import ISOMedia
import TestSupport
import Testing

/// Hostile and damaged input must not cause a crash, a hang, or a range outside the file.
@Suite struct ISOFileDamageTests {
  /// A file with every kind of box that is read.
  static let bytes: [UInt8] = {
    var movie = SampleMovie()
    movie.tracks[0].edits = [(100, -1), (33, 0)]
    movie.tracks[0].userData = { $0.box("©xyz") { $0.text("\0\u{12}\u{15}\u{C7}" + "+37.7600-122.5100/") } }
    movie.tracks.append(
      SampleMovie.Track(
        id: 2, handler: "meta", format: "mebx",
        entryBoxes: { entry in
          entry.box("keys") { $0.box(FourCC(1)) { $0.box("keyd") { $0.text("mdtacom.apple.quicktime.other") } } }
        }, uses64BitOffsets: true))
    movie.tracks.append(SampleMovie.Track(id: 3, handler: "text", format: "text", sizes: [10, 10]))
    movie.movieBoxes = { moov in
      moov.box("meta") { $0.fullBox("hdlr") { $0.zeros(20) } }
      moov.box("mvex") { $0.fullBox("trex") { $0.append([UInt8](repeating: 1, count: 20)) } }
    }
    movie.before = { $0.box("free") { $0.box("gps ") } }
    movie.after = { writer in
      writer.box("moof") {
        $0.box("traf") { traf in
          traf.fullBox("tfhd", flags: 0x3B) { $0.append([UInt8](repeating: 1, count: 32)) }
          traf.fullBox("trun", flags: 0xF05) {
            $0.append([UInt8](repeating: 0, count: 11) + [2] + [UInt8](repeating: 3, count: 32))
          }
        }
      }
    }
    return movie.bytes
  }()

  static func check(_ bytes: [UInt8], _ label: @autoclosure () -> String) {
    do {
      guard let file = try ISOFile.read(bytes) else { return }
      let ranges = file.topLevelBoxes.map(\.range)
      if ranges.contains(where: { $0.lowerBound < 0 || $0.upperBound > bytes.count }) {
        Issue.record("a range is outside the file: \(label())")
      }
    } catch { Issue.record("\(error): \(label())") }
  }

  @Test func truncatedFilesAreRead() throws {
    for length in 0...Self.bytes.count { Self.check(Array(Self.bytes[..<length]), "truncated to \(length)") }
    let whole = try #require(try ISOFile.read(Self.bytes))
    #expect(whole.tracks.count == 3)
  }

  /// The offsets of box sizes: four bytes before a type.
  static let sizeOffsets = bytes.indices.dropLast(8).filter { offset in
    bytes[offset + 4..<offset + 8].allSatisfy { (0x20..<0x7F).contains($0) || $0 == 0xA9 }
  }

  @Test(arguments: [0, 1, 7, 8, 9, 15, 16, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF] as [UInt32])
  func invalidBoxSizesAreHandled(value: UInt32) {
    #expect(Self.sizeOffsets.count > 80)
    for offset in Self.sizeOffsets { Self.check(Self.bytes(with: value, at: offset), "\(value) at \(offset)") }
  }

  /// Replaces every possible size, count and offset.
  @Test func maximumValuesAreHandled() {
    for offset in 0..<Self.bytes.count - 3 { Self.check(Self.bytes(with: .max, at: offset), "at \(offset)") }
  }

  static func bytes(with value: UInt32, at offset: Int) -> [UInt8] {
    var bytes = Self.bytes
    for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (24 - 8 * index)) }
    return bytes
  }

  @Test func mutatedFilesNeverCrash() {
    let seed = UInt64.random(in: 0 ... .max)
    print("ISOFileDamageTests seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for round in 0..<1000 {
      var bytes = Self.bytes
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      Self.check(bytes, "seed \(seed), round \(round)")
    }
  }

  /// Deep nesting must exhaust neither the stack nor the memory for paths.
  @Test(arguments: ["mdia", "meta", "udta", "ilst"] as [FourCC])
  func deepNestingIsHandled(type: FourCC) throws {
    let depth = 20_000
    var writer = BoxWriter()
    writer.box("ftyp") { $0.fourCC("isom") }
    let inner = type == "ilst" ? ["meta", "ilst"] as [FourCC] : [type]
    let count = depth * inner.count
    func header(_ size: Int, _ type: FourCC) {
      writer.u32(UInt32(size))
      writer.fourCC(type)
    }
    header(16 + 8 * count, "moov")
    header(8 + 8 * count, "trak")
    for level in 0..<count { header(8 * (count - level), inner[level % inner.count]) }
    let file = try #require(try ISOFile.read(writer.bytes))
    #expect(file.topLevelBoxes.map(\.type) == ["ftyp", "moov"])
    #expect(file.topLevelBoxes.last?.range.upperBound == Int64(writer.bytes.count))
    // The track has a header, and no data.
    #expect(file.tracks.map(\.box.path) == ["moov/trak"] && file.tracks.first?.sampleCount == 0)
  }

  @Test func claimsOfBillionsOfSamplesAreCheap() throws {
    var movie = SampleMovie()
    movie.tracks[0].sizes = [1, 1]
    var bytes = movie.bytes
    // A common size for the maximum number of samples.
    let sizes = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("stsz".utf8)) })
    bytes.replaceSubrange(sizes + 8..<sizes + 16, with: [0, 0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF])
    let file = try #require(try ISOFile.read(bytes))
    #expect(file.tracks.first?.sampleCount == 0xFFFF_FFFF)

    var fragment = BoxWriter()
    for _ in 0..<1000 {
      fragment.box("moof") {
        $0.box("traf") { traf in
          traf.fullBox("tfhd", flags: 0x18) { box in
            for value in [1, UInt32.max, .max] { box.u32(value) }
          }
          traf.fullBox("trun") { $0.u32(.max) }
        }
      }
    }
    #expect(try #require(try ISOFile.read(movie.bytes + fragment.bytes)).missingByteCount > 0)
  }

  /// A run of four billion samples that starts far before or after the file is not enumerated.
  @Test(arguments: [-1, -0x7FFF_FFFF, 0, 0x7FFF_FFFF] as [Int32])
  func samplesOutsideTheFileAreNotEnumerated(offset: Int32) throws {
    var movie = SampleMovie()
    movie.after = { writer in
      writer.box("moof") {
        $0.box("traf") { traf in
          // One byte each, without individual fields.
          traf.fullBox("tfhd", flags: 0x2_0010) { box in
            box.u32(1)
            box.u32(1)
          }
          traf.fullBox("trun", flags: 0x01) { box in
            box.u32(.max)
            box.u32(UInt32(bitPattern: offset))
          }
        }
      }
    }
    let source = MemoryBytes(movie.bytes)
    let file = try #require(try ISOFile.read(from: source))
    let track = try #require(file.tracks.first)
    var count: Int64 = 0
    try file.forEachSample(of: track, in: source) { _ in
      count += 1
      return count < 1_000_000
    }
    #expect(count <= source.byteCount + Int64(movie.tracks[0].sizes.count) + 1)
  }

  /// Counts the bytes that are read.
  private final class CountingBytes: ByteSource {
    private let file: FileBytes
    private(set) var readByteCount = 0

    init(path: String) throws(ISOMediaError) { file = try FileBytes(path: path) }

    var byteCount: Int64 { file.byteCount }

    func bytes(at offset: Int64, count: Int) throws(ISOMediaError) -> [UInt8] {
      let bytes = try file.bytes(at: offset, count: count)
      readByteCount += bytes.count
      return bytes
    }
  }

  /// A sparse file of more than 4 GiB costs as much as its headers.
  @Test func onlyHeadersOfALargeFileAreRead() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "bsc-sparse-\(UUID().uuidString).mp4").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let size: UInt64 = 5 << 30
    var writer = BoxWriter()
    writer.box("ftyp") { $0.fourCC("isom") }
    writer.box("free") { $0.text("+37.7600-122.5100/") }
    writer.u32(1)
    writer.fourCC("mdat")
    writer.u64(size - UInt64(writer.bytes.count) + 8)
    #expect(FileManager.default.createFile(atPath: path, contents: Data(writer.bytes)))
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.truncate(atOffset: size)
    try handle.close()

    let source = try CountingBytes(path: path)
    let file = try #require(try ISOFile.read(from: source))
    #expect(file.byteCount == Int64(size))
    #expect(file.topLevelBoxes.count == 3)
    #expect(source.readByteCount < 1024)
  }

  @Test func unreadableFilesThrowExplainedErrors() {
    #expect(throws: ISOMediaError.self) { try ISOFile.read(path: "/nonexistent/clip.mp4") }
    #expect(throws: ISOMediaError.notAFile(path: "/")) { try ISOFile.read(path: "/") }
    do {
      _ = try FileBytes(path: "/nonexistent/clip.mp4")
    } catch {
      #expect(error.explanation.category == .noInput)
      #expect(error.explanation.id == "file.not-found" && error.explanation.facts["file"] == "/nonexistent/clip.mp4")
    }
  }
}
