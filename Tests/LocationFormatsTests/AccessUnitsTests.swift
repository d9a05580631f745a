import ClipModel
import Foundation
import ISOMedia
import TestSupport
import Testing

@testable import LocationFormats

@Suite struct AccessUnitsTests {
  static let slice: [UInt8] = [0x65] + (0..<200).map { UInt8(0x40 + $0 % 64) }
  static let hevcSlice: [UInt8] = [0x26, 1] + (0..<200).map { UInt8(0x40 + $0 % 64) }
  static let x264 =
    [0xDC, 0x45, 0xE9, 0xBD, 0xE6, 0xD9, 0x48, 0xB7, 0x96, 0x2C, 0xD8, 0x20, 0xD9, 0x23, 0xEE, 0xEF]
    + Array("x264 - core 148 - crf=23.0\0".utf8)

  static func find(_ sample: [UInt8], _ framing: VideoFraming) throws -> [EmbeddedMessage] {
    try AccessUnits.messages(in: 0..<Int64(sample.count), of: MemoryBytes(sample), framing: framing)
  }

  // MARK: Classification

  struct Message: Sendable, CustomTestStringConvertible {
    var name: String
    var type: Int
    var payload: [UInt8]
    var kind: String?
    var disclosure: PayloadFinding.Disclosure?

    init(
      _ name: String, _ type: Int, _ payload: [UInt8], _ kind: String? = nil,
      _ disclosure: PayloadFinding.Disclosure? = nil
    ) {
      (self.name, self.type, self.payload, self.kind, self.disclosure) = (name, type, payload, kind, disclosure)
    }

    var testDescription: String { name }
  }

  static let messages: [Message] = [
    Message("MDPM with GPS", 5, NALBytes.mdpmWithPosition, "avchd-mdpm", .location),
    Message("MDPM", 5, NALBytes.mdpmWithoutPosition, "avchd-mdpm", .date),
    Message("MDPM without entries", 5, NALBytes.mdpmUUID + Array("MDPM".utf8), "avchd-mdpm", .date),
    Message("captions of AVCHD", 5, NALBytes.mdpmUUID + Array("GA94".utf8) + [3, 0x40, 0xFF]),
    Message("unknown content of AVCHD", 5, NALBytes.mdpmUUID + [1, 2, 3], "sei-unregistered", .opaque),
    Message("x264", 5, x264),
    Message("text", 5, NALBytes.unknownUUID + Array("Lavc59.37.100 encoder\n\0".utf8)),
    Message(
      "text with a position", 5, NALBytes.unknownUUID + Array("+48.1375-011.5755/".utf8), "sei-unregistered", .location),
    Message("binary", 5, NALBytes.unknownUUID + [0, 1, 2, 3, 0xFF], "sei-unregistered", .opaque),
    Message("UUID alone", 5, NALBytes.unknownUUID, "sei-unregistered", .opaque),
    Message("less than a UUID", 5, [1, 2, 3], "sei-unregistered", .opaque),
    Message("empty", 5, [], "sei-unregistered", .opaque),
    Message("long binary", 5, NALBytes.unknownUUID + (0..<600).map { UInt8($0 % 256) }, "sei-unregistered", .opaque),
    Message("captions", 4, [0xB5, 0, 0x31] + Array("GA94".utf8) + [3, 0xC2]),
    Message("HDR10+", 4, [0xB5, 0, 0x3C, 0, 1, 4, 1, 0x40]), Message("Dolby", 4, [0xB5, 0, 0x3B, 0, 0, 8]),
    Message("HDR Vivid", 4, [0x26, 0, 4, 0, 5]),
    Message("unknown provider", 4, [0xB5, 0x12, 0x34, 0, 1], "sei-registered", .opaque),
    Message("unknown country", 4, [0x01, 0, 0x3C, 0, 1], "sei-registered", .opaque),
    Message(
      "captions with a position", 4, [0xB5, 0, 0x31] + Array("+48.1375-011.5755/".utf8), "sei-registered", .location),
    Message("picture timing", 1, [0, 0, 1, 0]), Message("mastering display", 137, [UInt8](repeating: 7, count: 24)),
    Message("extended type", 300, [1, 2]),
  ]

  @Test(arguments: messages, [true, false])
  func classifiesMessages(message: Message, hevc: Bool) throws {
    let sei = NALBytes.sei(hevc: hevc, NALBytes.message(message.type, message.payload))
    let sample = NALBytes.lengths([sei, hevc ? Self.hevcSlice : Self.slice], size: 4)
    let found = try Self.find(sample, hevc ? .hevc(lengthSize: 4) : .h264(lengthSize: 4))
    #expect(found.map(\.finding.kind) == (message.kind.map { [$0] } ?? []))
    #expect(found.map(\.finding.disclosure) == (message.disclosure.map { [$0] } ?? []))
    #expect(found.allSatisfy { $0.range == 0..<Int64(sei.count + 4) && $0.replacement.isEmpty })
    if message.disclosure == .location {
      #expect(TestPosition(found.first?.finding.trace.first) == TestPosition(48.1375, -11.5755))
    }
    #expect(AccessUnits.removeMessages(found, from: sample).suffix(200) == sample.suffix(200))
  }

  // MARK: Framings

  static let mixed: [[UInt8]] = [
    [0x09, 0xF0],
    NALBytes.sei(
      NALBytes.message(1, [0, 0, 0, 0, 1]), NALBytes.message(5, NALBytes.mdpmWithPosition),
      NALBytes.message(6, [0, 0, 3, 0, 0])),
    slice, NALBytes.sei(NALBytes.message(5, NALBytes.mdpmWithoutPosition)), slice,
    NALBytes.sei(NALBytes.message(5, x264)),
  ]
  static let clean: [[UInt8]] = [
    mixed[0], NALBytes.sei(NALBytes.message(1, [0, 0, 0, 0, 1]), NALBytes.message(6, [0, 0, 3, 0, 0])), slice, slice,
    mixed[5],
  ]

  @Test(arguments: [1, 2, 3, 4])
  func keepsOtherMessagesAfterLengths(size: Int) throws {
    let sample = NALBytes.lengths(Self.mixed, size: size)
    let found = try Self.find(sample, .h264(lengthSize: size))
    #expect(found.map(\.finding.disclosure) == [.location, .date])
    #expect(AccessUnits.removeMessages(found, from: sample) == NALBytes.lengths(Self.clean, size: size))
  }

  @Test func keepsOtherMessagesAfterStartCodes() throws {
    let sample = NALBytes.startCodes(Self.mixed)
    let found = try Self.find(sample, .h264StartCodes)
    #expect(found.map(\.finding.disclosure) == [.location, .date])
    #expect(AccessUnits.removeMessages(found, from: sample) == NALBytes.startCodes(Self.clean))
  }

  /// Removes a long start code before the unit and zeros after it.
  @Test func removesStartCodesWithTheirUnits() throws {
    let sei = NALBytes.sei(NALBytes.message(5, NALBytes.mdpmWithPosition))
    let sample = [0, 0, 1] + Self.slice + [0, 0, 0, 1] + sei + [0, 0, 0, 0, 0, 1] + Self.slice
    let found = try Self.find(sample, .h264StartCodes)
    #expect(AccessUnits.removeMessages(found, from: sample) == [0, 0, 1] + Self.slice + [0, 0, 0, 1] + Self.slice)
  }

  /// Pieces can end anywhere, also inside a start code or before a header.
  @Test(arguments: 65_500..<65_545)
  func findsUnitsAcrossPieces(size: Int) throws {
    let filler = [0x65] + [UInt8](repeating: 0x55, count: size - 4)
    let sample = NALBytes.startCodes([filler, NALBytes.sei(NALBytes.message(5, NALBytes.mdpmWithPosition)), Self.slice])
    let found = try Self.find(sample, .h264StartCodes)
    #expect(AccessUnits.removeMessages(found, from: sample) == NALBytes.startCodes([filler, Self.slice]))
  }

  @Test func readsOnlyTheRequestedRange() throws {
    let unit = NALBytes.lengths([NALBytes.sei(NALBytes.message(5, NALBytes.mdpmWithPosition))], size: 4)
    let sample = unit + unit + unit
    let range = Int64(unit.count)..<Int64(2 * unit.count)
    let found = try AccessUnits.messages(in: range, of: MemoryBytes(sample), framing: .h264(lengthSize: 4))
    #expect(found.map(\.range) == [range])
  }

  /// Counts the bytes that are read.
  private final class CountingBytes: ByteSource {
    let memory: MemoryBytes
    private(set) var largest = 0
    private(set) var sum = 0

    init(_ bytes: [UInt8]) { memory = MemoryBytes(bytes) }

    var byteCount: Int64 { memory.byteCount }

    func bytes(at offset: Int64, count: Int) -> [UInt8] {
      largest = max(largest, count)
      sum += count
      return memory.bytes(at: offset, count: count)
    }
  }

  @Test func doesNotReadImageData() throws {
    let big = [0x65] + [UInt8](repeating: 0x55, count: 1_000_000)
    let sei = NALBytes.sei(NALBytes.message(5, NALBytes.mdpmWithPosition))
    let source = CountingBytes(NALBytes.lengths([sei, big, big], size: 4))
    let found = try AccessUnits.messages(in: 0..<source.byteCount, of: source, framing: .h264(lengthSize: 4))
    #expect(found.count == 1)
    #expect(source.sum < 200)
  }

  @Test func oversizedUnitsAreOpaque() throws {
    let huge = [6] + [UInt8](repeating: 0x55, count: 2 << 20)
    let source = CountingBytes(NALBytes.lengths([huge], size: 4))
    let found = try AccessUnits.messages(in: 0..<source.byteCount, of: source, framing: .h264(lengthSize: 4))
    #expect(found.map(\.finding.kind) == ["sei-oversized"])
    #expect(source.sum < 100)
  }

  // MARK: Emulation prevention

  @Test(arguments: [[0, 0, 0], [0, 0, 3], [0, 0, 0, 0, 0, 3, 0, 0, 1], [1, 0, 0], [0, 0, 4], [0, 0, 0, 3, 3]])
  func escapingIsReversible(bytes: [UInt8]) {
    let escaped = RBSP.escaped(bytes)
    #expect(!zip(escaped, zip(escaped.dropFirst(), escaped.dropFirst(2))).contains { $0 == 0 && $1.0 == 0 && $1.1 < 3 })
    #expect(RBSP.unescaped(escaped) == bytes)
  }

  @Test func escapingRandomBytesIsReversible() {
    let seed = FormBytes.seed()
    let bytes = FormBytes.random(1 << 16, seed: seed).map { $0 & 3 }
    #expect(RBSP.unescaped(RBSP.escaped(bytes + [0x80])) == bytes + [0x80])
  }

  // MARK: AV1

  static func obu(_ type: UInt8, _ payload: [UInt8], hasSize: Bool = true, hasExtension: Bool = false) -> [UInt8] {
    let header = type << 3 | (hasExtension ? 4 : 0) | (hasSize ? 2 : 0)
    let size: [UInt8] =
      payload.count < 128 ? [UInt8(payload.count)] : [UInt8(payload.count & 0x7F | 0x80), UInt8(payload.count >> 7)]
    return [header] + (hasExtension ? [0x28] : []) + (hasSize ? size : []) + payload
  }

  @Test(
    arguments: [
      (5, [1, 1, 2, 3, 4, 0x80], nil), (5, [4, 0xB5, 0, 0x3C, 0, 1, 4, 0x80], nil),
      (5, [4, 0xB5, 0x12, 0x34, 1, 0x80], "av1-itu-t35"), (5, [6, 1, 2, 3, 0x80], "av1-metadata"),
      (5, [0x86, 0x01, 1, 2, 0x80], "av1-metadata"), (5, [], "av1-metadata"), (15, [0, 0, 0, 0x80], nil),
      (15, [1, 2, 3, 0x80], "av1-padding"), (9, [1], "av1-reserved"), (6, [1, 2, 3], nil), (2, [], nil),
    ] as [(UInt8, [UInt8], String?)])
  func classifiesAV1Units(type: UInt8, payload: [UInt8], kind: String?) throws {
    let frame = Self.obu(6, [UInt8](repeating: 0x2A, count: 300))
    for hasExtension in [true, false] {
      let unit = Self.obu(type, payload, hasExtension: hasExtension)
      let sample = Self.obu(2, []) + unit + frame
      let found = try Self.find(sample, .av1)
      #expect(found.map(\.finding.kind) == (kind.map { [$0] } ?? []))
      #expect(found.allSatisfy { $0.finding.disclosure == .opaque })
      let rest = AccessUnits.removeMessages(found, from: sample)
      #expect(rest == (kind == nil ? sample : Self.obu(2, []) + frame))
    }
  }

  @Test func lastAV1UnitCanOmitItsSize() throws {
    let sample = Self.obu(2, []) + Self.obu(5, [6, 1, 2], hasSize: false)
    let found = try Self.find(sample, .av1)
    #expect(found.map(\.range) == [2..<Int64(sample.count)])
  }

  // MARK: Damage

  static let samples: [([UInt8], VideoFraming)] = [
    (NALBytes.lengths(mixed, size: 4), .h264(lengthSize: 4)), (NALBytes.lengths(mixed, size: 1), .h264(lengthSize: 1)),
    (NALBytes.lengths(mixed, size: 2), .hevc(lengthSize: 2)), (NALBytes.startCodes(mixed), .h264StartCodes),
    (NALBytes.startCodes(mixed), .hevcStartCodes), (obu(5, [6, 1, 2]) + obu(15, [1]) + obu(5, [4, 0xB5]), .av1),
  ]

  static func expectOrder(_ found: [EmbeddedMessage], in sample: [UInt8]) {
    var end: Int64 = 0
    for message in found {
      #expect(message.range.lowerBound >= end && message.range.upperBound <= sample.count)
      #expect(!message.range.isEmpty)
      end = message.range.upperBound
    }
  }

  @Test(arguments: samples.indices)
  func damagedSamplesYieldValidRanges(index: Int) throws {
    let (sample, framing) = Self.samples[index]
    for position in sample.indices {
      Self.expectOrder(try Self.find(Array(sample[..<position]), framing), in: sample)
      for value in [UInt8(0), 1, 6, 0x7F, 0x80, 0xFF] {
        var damaged = sample
        damaged[position] = value
        Self.expectOrder(try Self.find(damaged, framing), in: sample)
      }
    }
  }

  @Test(arguments: samples.indices)
  func randomBytesYieldValidRanges(index: Int) throws {
    let bytes = FormBytes.random(100_000, seed: FormBytes.seed())
    Self.expectOrder(try Self.find(bytes, Self.samples[index].1), in: bytes)
  }

  /// Removing a message works wherever the sample is truncated.
  @Test func removesTruncatedMessages() throws {
    let sei = NALBytes.sei(NALBytes.message(1, [7, 7]), NALBytes.message(5, NALBytes.mdpmWithPosition))
    let sample = NALBytes.lengths([sei], size: 4)
    for count in 40..<sample.count {
      let cut = Array(sample[..<count])
      let found = try Self.find(cut, .h264(lengthSize: 4))
      #expect(found.count == 1)
      #expect(
        AccessUnits.removeMessages(found, from: cut)
          == NALBytes.lengths([NALBytes.sei(NALBytes.message(1, [7, 7]))], size: 4))
    }
  }

  @Test func clampsRangesToTheSample() throws {
    let message = EmbeddedMessage(
      finding: PayloadFinding(kind: "x", disclosure: .opaque), range: -5..<500, replacement: [9])
    #expect(AccessUnits.removeMessages([message, message], from: [1, 2, 3]) == [9])
    #expect(try Self.find([1, 2, 3], .h264(lengthSize: 9)).isEmpty)
    #expect(try Self.find([], .h264StartCodes).isEmpty)
  }

  // MARK: Real files

  /// The raw video of a file, extracted by ffmpeg.
  static func stream(_ name: String, format: String) throws -> [UInt8]? {
    guard let path = SharedMedia.path(name) else { return nil }
    let bytes = [UInt8](
      try SharedClips.run("ffmpeg", ["-v", "quiet", "-i", path, "-map", "0:v:0", "-c", "copy", "-f", format, "-"]))
    try #require(!bytes.isEmpty)
    return bytes
  }

  @Test func removesCameraDataFromRealAVCHD() throws {
    guard let bytes = try Self.stream("sony-a7m3-avchd-1080i.mts", format: "h264") else { return }
    let found = try Self.find(bytes, .h264StartCodes)
    #expect(Set(found.map(\.finding.kind)) == ["avchd-mdpm", "sony-avchd-id"])
    #expect(found.contains { $0.finding.kind == "avchd-mdpm" && $0.finding.disclosure == .date })
    let rest = AccessUnits.removeMessages(found, from: bytes)
    #expect(try Self.find(rest, .h264StartCodes).isEmpty)
    #expect(rest.count > bytes.count * 9 / 10)
    #expect(!Data(rest).contains(Data("MDPM".utf8)) && Data(bytes).contains(Data("MDPM".utf8)))
    // The decoded frames are unchanged.
    let folder = try ScratchFolder()
    let hashes = try [bytes, rest].map { stream in
      let path = folder.path("\(stream.count).h264")
      try Data(stream).write(to: URL(filePath: path))
      let hashes = try SharedClips.run("ffmpeg", ["-v", "quiet", "-i", path, "-f", "framemd5", "-"])
      try #require(!hashes.isEmpty)
      return hashes
    }
    #expect(hashes[0] == hashes[1])
  }

  /// Encoder settings, Apple's exposure measurements and HDR10+ are not private.
  @Test(arguments: [
    ("iphone-dovi84-hlg-1080p-rot90-editlist.mp4", "hevc"), ("hdr10-pq-hevc-1080p.mp4", "hevc"),
    ("phone-4k-hevc-portrait-9s.mp4", "hevc"), ("gopro-hero5-karma-gpmf-480p-12s.mp4", "h264"),
    ("iphone7-1080p-rot90-gps-mebx.mov", "h264"), ("iphone6s-livephoto-pcm-gps-mebx.mov", "h264"),
    ("park-h264-1080p-6s.mp4", "h264"),
  ])
  func ordinaryVideoHasNoPrivateMessages(name: String, format: String) throws {
    guard let bytes = try Self.stream(name, format: format) else { return }
    #expect(try Self.find(bytes, format == "hevc" ? .hevcStartCodes : .h264StartCodes).map(\.finding.kind) == [])
  }
}
