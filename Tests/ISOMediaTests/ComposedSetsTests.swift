import Testing

@testable import ISOMedia

/// Randomly composed sets with rare syntax elements. The expected values are from libav's `trace_headers`.
struct ComposedSet: CustomTestStringConvertible {
  var name: String
  var codec: NALUnitCodec
  var hex: String
  /// Size, timing, color codes, reference pictures, reorder depth, temporal layers.
  var expected: String

  var bytes: [UInt8] { [UInt8](hex: hex) }
  var testDescription: String { name }

  func read() -> SequenceParameters? {
    SequenceParameters(codec, unit: bytes)
  }

  static let all = [
    ComposedSet(
      name: "scaling lists", codec: .h264,
      hex: "672ca034a4b922883d918a1f1e8b1483a5f936878a1e6dc52258f687fa3458d0580376d58828084ad806b3ecdb7a7927"
        + "3b4306840230",
      expected: "352x14176 of 352x14176, 1812158966/1841118355, 5/1/9, 12, 15, 1"),
    ComposedSet(
      name: "buffering models for stream and slices", codec: .h264,
      hex: "677a00344ca5044834015d00b9f642701a901100969ae99db0430484bf2468003196003bc80000796ef8000011e07d10"
        + "3e43000451eae189da183440a8",
      expected: "5574x5933 of 5584x5936, 2797234028/281092399, 1/16/9, 12, 7, 1"),
    ComposedSet(
      name: "separate planes, fields, cropping", codec: .h264,
      hex: "677a502944b791e850a151e41f20a1f63f7143c5107bedc7d8a1441514c513258ac9151563ec530fb5245478ab93910f"
        + "71e90b8a142878a49278fc7c790793b1eb8a91c538f4c83c50a0f8961000b3010ee44c98159808904b95a0354e1a7f2d"
        + "6e1b43068d1f",
      expected: "2860x4310 of 2864x4320, 3402635943/222271159, 1/18/9, 15, 12, 1"),
    ComposedSet(
      name: "derived reference sets, sub-layers, buffering models for 3 layers", codec: .hevc,
      hex: "4201a4216000000300c0000003000003005d40001e14800f4200d459a35c6e349b915ddea494957edf3f41871322a72f"
        + "9bdcead6615ec4d2ea147801d2e00088980036312001e3c00bee00d9900069b4001127400109d000224de000c4368201"
        + "04",
      expected: "1952x848 of 1952x848, 1314863033/3584869053, -, 12, 3, 3"),
    ComposedSet(
      name: "7 layers with profiles, long-term references, display window", codec: .hevc,
      hex: "42016d2428000003000003000003000003005d1fd01e0140000003000003000003000003001e01400000030000030000"
        + "03000003001e0140000003000003000003000003001e1e2c0071480279c89362034992453774a42234a348f6a64628d7"
        + "2a22043cd7fa4664c5eaba18ac050808804e6310721a6cebe087e13b89812440760208018fe50037441a01e834050480",
      expected: "3621x630 of 3624x632, 913698883/4036871360, 1/16/9, 12, 3, 7"),
    ComposedSet(
      name: "scaling lists, PCM", codec: .hevc,
      hex: "4201f103300000030080000003000003007ba00298800de9b4d362a35ee47f403fb0080b34c010101fc03f8cde010180"
        + "fe01fd8040407f407f4c980404b0080f300404d780fe00808040566c020203f8db01fc010180405e01010080bd9a03fb"
        + "80fe01fcda9ddb6c02034cd403fb603fa03f919c07f180202c02026a4600808040402026338040407f00406010140101"
        + "a31807f193f00809807f1a6a0080b0080d2403f8020280202f770080c07f004050040580406010101fc03f8c0101d804"
        + "06998c998020269807f00fe00809a6a80fe990ab00f719d8040580fe0080a5acc03f8c63004054020203f80203318020"
        + "20101008080406640101460080f80fe80fed80fe5664c07f60101ec02a003f9ae03f99acd32e01010080bf01fd698040"
        + "500fe3407f301fc010180fe80feb40101666659a01018040407f24663402e403fa9701fd80fe4680404cdc0202f01fc0"
        + "10101fcc07f00fe008080404c807f23368c680405280fe403f980fe4aa601fcccd1807f391512c8622fffe042cb0fbc0"
        + "41804dc8a59c467659836c8810",
      expected: "1322x3554 of 1328x3560, 3366296646/1985577836, 1/6/1, 12, 2, 1"),
  ]
}

@Suite struct ComposedSetsTests {
  @Test(arguments: ComposedSet.all) func elementsAfterRareSyntaxAreRead(set: ComposedSet) throws {
    let parameters = try #require(set.read())
    let timing = parameters.usability?.timing.map { "\($0.unitsInTick)/\($0.timeScale)" } ?? "-"
    let codes = parameters.usability?.color.map { "\($0.primaries)/\($0.transfer)/\($0.matrix)" } ?? "-"
    let found = """
      \(parameters.size) of \(parameters.codedSize), \(timing), \(codes), \(parameters.referenceCount), \
      \(parameters.reorderDepth.map { "\($0)" } ?? "-"), \(parameters.temporalLayerCount)
      """
    #expect(found == set.expected)
  }
}
