/// The uncompressed audio format in a QuickTime sound sample description, version 0 to 2 (QuickTime File Format).
public struct LinearPCM: Equatable, Sendable {
  /// The number of audio channels.
  public var channelCount: Int
  /// The sample rate in hertz.
  public var sampleRate: Int
  /// The number of bits per sample and channel: 8 to 64.
  public var bitsPerSample: Int
  /// Whether samples are floating-point numbers.
  public var isFloat = false
  /// Whether the most significant byte comes first.
  public var isBigEndian: Bool

  /// The libav codec name, such as `pcm_s16le` or `pcm_f32be`.
  public var codecName: String {
    guard bitsPerSample > 8 else { return "pcm_s8" }
    return "pcm_\(isFloat ? "f" : "s")\(bitsPerSample)\(isBigEndian ? "be" : "le")"
  }

  /// Parses the fields of a sample entry; `nil` for other formats and unsupported bit depths.
  init?(format: FourCC, _ cursor: ByteCursor) {
    var cursor = cursor
    guard cursor.skip(8), let version = cursor.u16(), cursor.skip(6), let channels = cursor.u16(),
      let bits = cursor.u16(), cursor.skip(4), let rate = cursor.u32()
    else { return nil }
    (channelCount, sampleRate, bitsPerSample) = (Int(channels), Int(rate >> 16), Int(bits))
    switch format {
    case "sowt": isBigEndian = false
    case "twos": isBigEndian = true
    case "lpcm":
      // Version 2 adds a structure size, the rate as a double, the channel count, a constant, the bit depth and flags.
      guard version == 2, cursor.skip(4), let rate = cursor.u64().map(Double.init(bitPattern:)),
        let channels = cursor.u32(),
        cursor.skip(4), let bits = cursor.u32(), let flags = cursor.u32()
      else { return nil }
      // Unsigned integers are not supported (see kAudioFormatFlagIsSignedInteger).
      isFloat = flags & 1 != 0
      guard isFloat || flags & 4 != 0, rate.isFinite, (1...1_000_000).contains(rate) else { return nil }
      isBigEndian = flags & 2 != 0
      (channelCount, sampleRate, bitsPerSample) = (Int(channels), Int(rate), Int(bits))
    default: return nil
    }
    let depths = isFloat ? [32, 64] : [8, 16, 24, 32]
    guard depths.contains(bitsPerSample), (1...64).contains(channelCount), sampleRate > 0 else { return nil }
  }
}

extension SampleEntry {
  /// Returns the sample entry's audio format; `nil` if it isn't linear PCM.
  public func linearPCM(in source: any ByteSource) throws(ISOMediaError) -> LinearPCM? {
    LinearPCM(format: format, try source.cursor(in: box.payload, atMost: 64))
  }
}
