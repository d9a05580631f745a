import ClipModel
import LibAV

/// Decodes audio and encodes it as AAC. Audio that cannot be decoded is replaced with silence, because a short dropout
/// isn't a reason to reject the clip.
final class AudioRoute: PacketRoute {
  private let output: any MovieOutput
  private let trackIndex: Int
  private let decoder: SourceDecoder
  private let encoder: Encoder
  private let timeBase: Rational
  private let origin: Int64
  private let length: Int64?
  /// The time at which the audio is cut off: a minute after the planned end, because damaged timestamps may jump by
  /// hours.
  private let endTicks: Int64
  private let encoded: Packet
  private let analyzer: DecodingAnalyzer?
  private var converter: AudioConverter?
  /// The time of the next sample, in ticks of the encoder's time base.
  private var nextTicks: Int64?
  private(set) var isComplete = false
  private(set) var writtenCount = 0
  let reachedSeconds = 0.0
  /// The time of the first damaged part, in ticks of the source's time base.
  private var firstDamage: Int64?
  private var damageCount = 0

  /// - Parameter endSeconds: the planned end of the output, in seconds.
  init(
    _ stream: SourceStream, output: any MovieOutput, window: OutputWindow, endSeconds: Double,
    encoder: @autoclosure () throws -> Encoder, analyzer: DecodingAnalyzer? = nil
  ) throws {
    self.analyzer = analyzer
    self.output = output
    let timeBase = stream.timeBase
    self.timeBase = timeBase
    endTicks = Int64(((endSeconds + 60) / timeBase.value).rounded())
    origin = OutputWindow.ticks(window.originSeconds, in: timeBase)
    length = window.lengthSeconds.map { OutputWindow.ticks($0, in: timeBase) }
    decoder = try SourceDecoder(stream, threadCount: 1, reusesFrame: true)
    self.encoder = try encoder()
    trackIndex = try output.addTrack(from: self.encoder, orientation: .upright)
    encoded = try Packet()
  }

  var report: PipelineReport {
    guard damageCount > 0 else { return PipelineReport() }
    let start = max(convertToSeconds(firstDamage), 0)
    return PipelineReport(notes: [.audioDamaged(seconds: start, placeCount: damageCount, isSilent: true)])
  }

  private func convertToSeconds(_ ticks: Int64?) -> Double { ticks.map { Double($0 - origin) * timeBase.value } ?? 0 }

  func process(_ packet: Packet) throws {
    if !isComplete { try decode(packet) }
  }

  func finish() throws {
    if !isComplete { try decode(nil) }
    try converter?.push(nil)
    try encodeQueue(isLast: true)
    try encode(nil)
  }

  private func decode(_ packet: Packet?) throws {
    try decoder.decode(packet) { damage in
      firstDamage = firstDamage ?? damage.ticks
      damageCount += 1
      analyzer?.addAudioDamage(damage.why, seconds: convertToSeconds(damage.ticks))
    } output: { frame, _ in
      guard !isComplete else { return }
      let ticks = (frame.presentationTicks ?? 0) - origin
      if ticks >= length ?? endTicks {
        isComplete = true
        return
      }
      guard ticks >= 0 || length == nil else { return }
      analyzer?.addAudio(frame)
      let due = Timestamp(ticks: ticks, timeBase: timeBase).rescaled(to: encoder.timeBase).ticks
      if converter == nil {
        converter = try AudioConverter(first: frame, encoder: encoder)
        nextTicks = due
      }
      guard try fillGap(before: due) else { return }
      try converter?.push(frame)
      try encodeQueue(isLast: false)
    }
  }

  /// Fills gaps in the audio with silence, so that audio after a gap stays in sync with the video.
  /// - Returns: `false` if the audio overlaps earlier audio and must be dropped.
  private func fillGap(before due: Int64) throws -> Bool {
    guard let converter, let nextTicks else { return true }
    let drift = due - (nextTicks + Int64(converter.queuedSampleCount))
    // 20 ms is more than the jitter of containers with millisecond timestamps, and less than a missing AAC frame.
    let tolerance = Int64(encoder.timeBase.denominator) / 50
    if drift > tolerance {
      // Add silence one second at a time, because a gap may be as long as the clip.
      var left = Int(drift)
      while left > 0 {
        let count = min(left, Int(encoder.timeBase.denominator))
        try converter.pushSilence(sampleCount: count)
        try encodeQueue(isLast: false)
        left -= count
      }
    }
    return drift >= -tolerance
  }

  private func encodeQueue(isLast: Bool) throws {
    while let samples = try converter?.pull(isLast: isLast) {
      samples.presentationTicks = nextTicks
      nextTicks = nextTicks.map { $0 + Int64(samples.sampleCount) }
      try encode(samples)
    }
  }

  private func encode(_ samples: Frame?) throws {
    while try !encoder.send(samples) { try writeEncodedPackets() }
    try writeEncodedPackets()
  }

  private func writeEncodedPackets() throws {
    while try encoder.receive(into: encoded) == .produced {
      try output.write(encoded, track: trackIndex, timeBase: encoder.timeBase)
      writtenCount += 1
    }
  }
}
