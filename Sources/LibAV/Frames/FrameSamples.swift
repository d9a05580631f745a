import CFFmpeg

extension Frame {
  /// The sample rate of an audio frame in hertz.
  public var sampleRate: Int { Int(pointer.pointee.sample_rate) }
  public var channelCount: Int { Int(pointer.pointee.ch_layout.nb_channels) }

  /// Returns the samples of one channel, with full scale at 1.
  /// - Returns: the samples, or `nil` if the channel doesn't exist or the sample format isn't supported. All sample
  ///   formats that decoders return are supported.
  public func samples(ofChannel channel: Int) -> [Float]? {
    guard (0..<channelCount).contains(channel), sampleCount > 0 else { return nil }
    let format = AVSampleFormat(pointer.pointee.format)
    return switch av_get_packed_sample_fmt(format) {
    case AV_SAMPLE_FMT_U8: samples(channel, of: format) { (value: UInt8) in (Float(value) - 128) / 128 }
    case AV_SAMPLE_FMT_S16: samples(channel, of: format) { (value: Int16) in Float(value) / 0x8000 }
    case AV_SAMPLE_FMT_S32: samples(channel, of: format) { (value: Int32) in Float(value) / 0x8000_0000 }
    case AV_SAMPLE_FMT_FLT: samples(channel, of: format) { (value: Float) in value }
    case AV_SAMPLE_FMT_DBL: samples(channel, of: format) { (value: Double) in Float(value) }
    default: nil
    }
  }

  private func samples<Value: BitwiseCopyable>(
    _ channel: Int, of format: AVSampleFormat, _ scale: (Value) -> Float
  ) -> [Float]? {
    let isPlanar = av_sample_fmt_is_planar(format) == 1
    let step = isPlanar ? 1 : channelCount
    guard let bytes = planeData(isPlanar ? channel : 0) else { return nil }
    let values = UnsafeRawPointer(bytes).assumingMemoryBound(to: Value.self)
    let first = isPlanar ? 0 : channel
    return (0..<sampleCount).map { scale(values[first + $0 * step]) }
  }
}
