import Testing

@testable import ISOMedia

/// Common errors of writers, and the limits of valid sets.
@Suite struct SequenceParametersQuirkTests {
  static let header: [UInt8] = [0x42, 0x01]

  @Test func setWithoutUsabilityIsRead() throws {
    var writer = SetWriter.hevc()
    writer.u(2, 0)
    let set = try #require(SequenceParameters(.hevc, unit: writer.unit(Self.header)))
    #expect(set.usability == nil)
    #expect(set.level == 93)
    #expect(set.reorderDepth == 2)
    #expect(set.pixelFormat == "yuv420p")
    // Another layer, another type, and a set forbidden bit.
    for header in [[0x42, 0x09], [0x43, 0x01], [0x44, 0x01], [0xC2, 0x01]] as [[UInt8]] {
      #expect(SequenceParameters(.hevc, unit: writer.unit(header)) == nil)
    }
  }

  /// The window flag is missing. The number of units is small and has many leading zeros.
  @Test func timingInsteadOfTheWindowIsRecognized() throws {
    var writer = SetWriter.hevcWithUsability()
    writer.u(1, 1)
    writer.u(32, 1)
    writer.u(32, 25)
    writer.u(4, 0)
    let set = try #require(SequenceParameters(.hevc, unit: writer.unit(Self.header)))
    #expect(set.usability?.timing == .init(unitsInTick: 1, timeScale: 25))
    #expect(set.usability?.defaultDisplayWindow == nil)
  }

  /// The window flag is missing. The larger number looks like a window, but too few bits follow.
  @Test func timingThatLooksLikeAWindowIsRecognized() throws {
    var writer = SetWriter.hevcWithUsability()
    writer.u(1, 1)
    writer.u(32, 90_000)
    writer.u(32, 2_700_000)
    writer.u(4, 0)
    let set = try #require(SequenceParameters(.hevc, unit: writer.unit(Self.header)))
    #expect(set.usability?.timing == .init(unitsInTick: 90_000, timeScale: 2_700_000))
    #expect(set.usability?.defaultDisplayWindow == nil)
  }

  @Test(arguments: [(64, 31, true), (64, 32, false), (60, 0, false), (0, 0, false), (1 << 17, 0, false)])
  func sizeMustBeValidAfterCropping(width: Int, croppedRight: Int, isSet: Bool) {
    var writer = SetWriter.hevc(width: width, croppedRight: croppedRight)
    writer.u(2, 0)
    #expect((SequenceParameters(.hevc, unit: writer.unit(Self.header)) != nil) == isSet)
  }

  /// Some cameras announce timing and end the set.
  @Test func truncatedUsabilityOfH264IsRead() throws {
    var writer = SetWriter()
    writer.u(24, 66 << 16 | 0xC0 << 8 | 30)
    // Set 0, frame numbers, order type 2, one reference, no gaps; 4 x 3 blocks, frames only.
    writer.ue(0, 0, 2, 1)
    writer.u(1, 0)
    writer.ue(3, 2)
    writer.u(3, 0b110)
    // The first four usability flags are 0, then timing is announced but missing.
    writer.u(1, 1)
    writer.u(4, 0)
    writer.u(1, 1)
    let set = try #require(SequenceParameters(.h264, unit: writer.unit([0x67])))
    #expect("\(set.size)" == "64x48")
    #expect(set.profileName == "Constrained Baseline")
    #expect(set.usability?.timing == nil)
    // The display order is the decoding order.
    #expect(set.reorderDepth == 0)
  }

  @Test(
    arguments: [
      (2, nil, nil, nil), (1, "bt709", "bt709", "bt709"), (0, "reserved", "reserved", "gbr"),
      (16, nil, "smpte2084", nil), (18, nil, "arib-std-b67", nil), (22, "ebu3213", nil, nil), (255, nil, nil, nil),
    ] as [(Int, String?, String?, String?)])
  func colorCodesHaveTheNamesOfLibav(code: Int, primaries: String?, transfer: String?, matrix: String?) {
    let codes = ColorCodes(primaries: code, transfer: code, matrix: code)
    #expect(codes.primariesName == primaries)
    #expect(codes.transferName == transfer)
    #expect(codes.matrixName == matrix)
  }

  @Test func bitsEndBeforeTheStopBit() throws {
    var reader = BitReader(rbsp: [0b1010_0110, 0b0100_1000, 0])
    #expect(reader.remaining == 12)
    #expect(try reader.readUnsigned() == 0)
    #expect(try reader.readSigned() == 1)
    #expect(try reader.readBits(8) == 0b0110_0100 >> 0)
    #expect(throws: BitReader.InvalidData.self) { try reader.readBits(1) }
    var empty = BitReader(rbsp: [0, 0])
    #expect(throws: BitReader.InvalidData.self) { try empty.readFlag() }
  }
}
