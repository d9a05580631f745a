import LibAV

/// Measures the loudness of a track, frame by frame.
struct SoundMeter {
  private var meter: LoudnessMeter?
  /// Rate and channels may not change on the way: then nothing can be said.
  private var kind: (sampleRate: Int, channelCount: Int)?
  private var isSpoilt = false

  var result: Loudness? { isSpoilt ? nil : meter?.result() }

  mutating func add(_ frame: Frame) {
    let (rate, count) = (frame.sampleRate, frame.channelCount)
    if kind == nil {
      kind = (rate, count)
      meter = LoudnessMeter(sampleRate: rate, channelCount: count)
    }
    guard let kind, kind == (rate, count), !isSpoilt else {
      isSpoilt = true
      return
    }
    for channel in 0..<count {
      guard let samples = frame.samples(ofChannel: channel) else {
        isSpoilt = true
        return
      }
      meter?.add(samples.span, channel: channel)
    }
  }
}
