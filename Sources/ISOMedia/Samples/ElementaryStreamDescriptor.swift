/// The content of an `esds` box: an elementary stream descriptor with the decoder configuration (ISO/IEC 14496-1,
/// 7.2.6.5 and 7.2.6.6).
package struct ElementaryStreamDescriptor: Equatable, Sendable {
  /// The `objectTypeIndication`, such as 0x40 for MPEG-4 audio, 0x67 for MPEG-2 AAC or 0x6C for JPEG.
  package var objectType: UInt8
  /// The average bit rate in bits per second; 0 if it is variable or unknown.
  package var averageBitsPerSecond: UInt32 = 0
  /// The configuration that the decoder needs before the first sample; empty if the descriptor doesn't contain one.
  package var decoderInfo: [UInt8] = []

  /// Parses the payload of an `esds` box; `nil` if it is invalid.
  package init?(_ bytes: [UInt8]) {
    var cursor = ByteCursor(bytes)
    guard cursor.skip(4), cursor.readDescriptorLength(3) != nil, cursor.skip(2), let flags = cursor.u8() else {
      return nil
    }
    if flags & 0x80 != 0, !cursor.skip(2) { return nil }
    if flags & 0x40 != 0 { guard let count = cursor.u8(), cursor.skip(Int(count)) else { return nil } }
    if flags & 0x20 != 0, !cursor.skip(2) { return nil }
    guard cursor.readDescriptorLength(4) != nil, let objectType = cursor.u8() else { return nil }
    self.objectType = objectType
    // Skips the stream type, buffer size and maximum bit rate. Some writers omit the fields that follow.
    guard cursor.skip(8), let rate = cursor.u32() else { return }
    averageBitsPerSecond = rate
    guard let count = cursor.readDescriptorLength(5), let info = cursor.take(count) else { return }
    decoderInfo = Array(info)
  }
}

extension ByteCursor {
  /// Reads a descriptor's tag and length. Each length byte contributes seven bits.
  fileprivate mutating func readDescriptorLength(_ tag: UInt8) -> Int? {
    guard u8() == tag else { return nil }
    var length = 0
    for _ in 0..<4 {
      guard let byte = u8() else { return nil }
      length = length << 7 | Int(byte & 0x7F)
      if byte & 0x80 == 0 { break }
    }
    return length
  }
}

/// The fields of an AAC `AudioSpecificConfig` that describe the decoded audio (ISO/IEC 14496-3, 1.6.2.1).
package struct AACConfiguration: Equatable, Sendable {
  /// The `audioObjectType`: 2 is AAC-LC, 5 adds spectral band replication (SBR), and 29 adds SBR and parametric stereo.
  package var objectType: Int
  /// The sample rate in hertz.
  package var sampleRate: Int
  /// The number of channels; 0 if a program configuration element defines it.
  package var channelCount: Int

  package init?(_ bytes: [UInt8]) {
    var reader = BitReader(bytes)
    do {
      objectType = try reader.readBits(5)
      if objectType == 31 { objectType = 32 + (try reader.readBits(6)) }
      let rate = try Self.readSampleRate(&reader)
      let channels = try reader.readBits(4)
      guard let rate, Self.channelCounts.indices.contains(channels) else { return nil }
      (sampleRate, channelCount) = (rate, Self.channelCounts[channels])
      // If SBR is used, the output usually has twice the sample rate.
      if objectType == 5 || objectType == 29, let extended = try Self.readSampleRate(&reader) { sampleRate = extended }
    } catch {
      return nil
    }
  }

  /// `samplingFrequencyIndex`, table 1.18.
  private static func readSampleRate(_ reader: inout BitReader) throws(BitReader.InvalidData) -> Int? {
    let index = try reader.readBits(4)
    return index == 15 ? try reader.readBits(24) : index < sampleRates.count ? sampleRates[index] : nil
  }

  private static let sampleRates = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
  ]

  /// `channelConfiguration`, table 1.19.
  private static let channelCounts = [0, 1, 2, 3, 4, 5, 6, 8]
}
