import Testing

@testable import ISOMedia

@Suite struct DecoderSetupTests {
  /// From x264, High profile, with chroma format and bit depths after the sets.
  static let avcC = [UInt8](
    hex: "0164000dffe100196764000dacd94141fb0110000003001000000303c0f142996001000468ef8fcbfdf8f800")

  /// From x265, Main 10 profile, without its SEI message.
  static let hvcC = [UInt8](
    hex: "0102200000009000000000003cf000fcfdfafa00000f03a00001001840010c01ffff022000000300900000030000"
      + "03003c959409a10001002d42010102200000030090000003000003003ca00a080f136595952930bc05a848804d"
      + "b080000003008000000f04a2000100064401c073c189")

  @Test func avcCIsRead() throws {
    let setup = try #require(DecoderSetup(avcC: Self.avcC))
    #expect(setup.codec == .h264)
    #expect(setup.lengthSize == 4)
    #expect(setup.temporalLayerCount == nil)
    #expect(setup.sequenceParameterSets.map(\.count) == [25])
    #expect(setup.pictureParameterSets == [[UInt8](hex: "68ef8fcb")])
    #expect(setup.sequence?.profileName == "High")
    #expect(setup.sequence?.level == 13)
  }

  @Test func hvcCIsRead() throws {
    let setup = try #require(DecoderSetup(hvcC: Self.hvcC))
    #expect(setup.codec == .hevc)
    #expect(setup.lengthSize == 4)
    #expect(setup.temporalLayerCount == 1)
    #expect(setup.pictureParameterSets.map(\.count) == [6])
    let sequence = try #require(setup.sequence)
    #expect(sequence.pixelFormat == "yuv420p10le")
    #expect(sequence.profileName == "Main 10")
    #expect(sequence.level == 60)
  }

  @Test func recordRoundTrips() throws {
    let record = try #require(HEVCConfigurationRecord(Self.hvcC + [1, 2, 3]))
    #expect(record.bytes == Self.hvcC + [1, 2, 3])
    #expect(record.rest == [1, 2, 3])
    #expect(!record.isCutOff)
  }

  /// Truncation is detected, except in the fields that high profiles have after their sets.
  @Test func truncatedRecordsAreInvalid() throws {
    for length in 0..<Self.avcC.count {
      #expect((DecoderSetup(avcC: Array(Self.avcC[..<length])) != nil) == (length > 39))
    }
    for length in 0..<Self.hvcC.count { #expect(DecoderSetup(hvcC: Array(Self.hvcC[..<length])) == nil) }
    #expect(DecoderSetup(avcC: Self.hvcC)?.sequence == nil)
    #expect(DecoderSetup(hvcC: [0, 0, 0, 1] + Self.hvcC) == nil)
  }

  @Test func setsMayBeInTheSamples() throws {
    let setup = try #require(DecoderSetup(avcC: [1, 66, 0xC0, 30, 0xFF, 0xE0, 0]))
    #expect(setup.sequenceParameterSets.isEmpty)
    #expect(setup.sequence == nil)
  }

  /// A picture parameter set must be valid and refer to an existing sequence parameter set.
  @Test func completeSetupNeedsMatchingSets() throws {
    for record in [DecoderSetup(avcC: Self.avcC), DecoderSetup(hvcC: Self.hvcC)] {
      var setup = try #require(record)
      #expect(setup.isComplete)
      let pictures = setup.pictureParameterSets
      setup.pictureParameterSets = pictures.map { $0.map { _ in 0xFF } }
      #expect(!setup.isComplete)
      setup.pictureParameterSets = []
      #expect(!setup.isComplete)
      setup.pictureParameterSets = pictures
      setup.sequenceParameterSets = []
      #expect(!setup.isComplete)
    }
  }

  /// Only the frames determine which of two sets applies.
  @Test func contradictorySetsAreIgnored() throws {
    var setup = try #require(DecoderSetup(avcC: Self.avcC))
    let first = try #require(setup.sequenceParameterSets.first)
    setup.sequenceParameterSets.append(first)
    #expect(setup.sequence != nil)
    var other = first
    // profile_idc: a different profile.
    other[1] = first[1] == 77 ? 66 : 77
    setup.sequenceParameterSets[1] = other
    #expect(SequenceParameters(.h264, unit: other) == nil || setup.sequence == nil)
  }
}
