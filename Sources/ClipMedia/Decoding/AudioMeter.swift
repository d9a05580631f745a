import LibAV

/// Measures the loudness of a track, frame by frame.
struct AudioMeter {
  private var meter: LoudnessMeter?
  private var format: (sampleRate: Int, channelCount: Int)?
  /// Whether the audio cannot be measured because its format changed mid-stream or isn't supported.
  private var isInvalid = false

  var result: Loudness? { isInvalid ? nil : meter?.result() }

  mutating func add(_ frame: Frame) {
    let (rate, count) = (frame.sampleRate, frame.channelCount)
    if format == nil {
      format = (rate, count)
      meter = LoudnessMeter(sampleRate: rate, channelCount: count)
    }
    if let format, format != (rate, count) { isInvalid = true }
    for channel in 0..<count where !isInvalid {
      if let samples = frame.samples(ofChannel: channel) {
        meter?.add(samples.span, channel: channel)
      } else {
        isInvalid = true
      }
    }
  }
}
