import ClipModel
import LibAV

/// Sound that is decoded and encoded as AAC. What cannot be decoded becomes silence: a crack in the sound is no reason
/// to refuse a picture.
final class AudioRoute: PacketRoute {
  private let output: OutputContainer
  private let trackIndex: Int
  private let decoder: SourceDecoder
  private let encoder: Encoder
  private let timeBase: Rational
  private let origin: Int64
  private let length: Int64?
  /// Where the picture has ended for long: a damaged clock may jump by hours.
  private let endTicks: Int64
  private let encoded: Packet
  private let examiner: DecodingExaminer?
  private var converter: AudioConverter?
  /// Next sample's time on the encoder's clock.
  private var nextTicks: Int64?
  private(set) var isComplete = false
  private(set) var writtenCount = 0
  let reachedSeconds = 0.0
  /// Where the first damage is, ticks of the source.
  private var firstDamage: Int64?
  private var damageCount = 0

  init(
    _ stream: SourceStream, output: OutputContainer, window: OutputWindow, channelCount: Int, sampleRate: Int,
    bitsPerSecond: Int64, plan: ProcessingPlan, examiner: DecodingExaminer? = nil
  ) throws {
    self.examiner = examiner
    endTicks = Int64(((plan.durationSeconds + 60) / stream.timeBase.value).rounded())
    self.output = output
    timeBase = stream.timeBase
    origin = window.origin(in: timeBase)
    length = window.length(in: timeBase)
    decoder = try SourceDecoder(stream, threadCount: 1, reusesFrame: true)
    encoder = try Encoder(aacChannelCount: channelCount, sampleRate: sampleRate, bitsPerSecond: bitsPerSecond)
    trackIndex = try output.addTrack(from: encoder)
    encoded = try Packet()
  }

  var notes: [String] {
    guard damageCount > 0 else { return [] }
    let seconds = firstDamage.map { max(Double($0 - origin) * timeBase.value, 0) } ?? 0
    let places = damageCount == 1 ? "" : " and in \(damageCount - 1) more places"
    return ["the sound is damaged at \(decimal(seconds)) s\(places): it is silent there"]
  }

  func take(_ packet: Packet) throws {
    guard !isComplete else { return }
    try decode(packet)
  }

  func finish() throws {
    if !isComplete { try decode(nil) }
    try converter?.push(nil)
    try encodeQueue(isLast: true)
    while try !encoder.send(nil) { try drainEncoder() }
    try drainEncoder()
  }

  private func decode(_ packet: Packet?) throws {
    try decoder.take(packet) { damage in
      firstDamage = firstDamage ?? damage.ticks
      damageCount += 1
      examiner?.note(damage.why, seconds: damage.ticks.map { Double($0 - origin) * timeBase.value } ?? 0)
    } output: { frame, _ in
      guard !isComplete else { return }
      let ticks = (frame.presentationTicks ?? 0) - origin
      if ticks >= length ?? endTicks {
        isComplete = true
        return
      }
      guard ticks >= 0 || length == nil else { return }
      examiner?.hear(frame)
      if converter == nil {
        converter = try AudioConverter(first: frame, encoder: encoder)
        nextTicks = Timestamp(ticks: ticks, timeBase: timeBase).rescaled(to: encoder.timeBase).ticks
      }
      guard try keepStep(with: ticks) else { return }
      try converter?.push(frame)
      try encodeQueue(isLast: false)
    }
  }

  /// Sound that is missing becomes silence, sound that comes twice is left out: without this, everything behind a gap
  /// would run ahead of the picture. False when the frame is to be left out.
  private func keepStep(with ticks: Int64) throws -> Bool {
    guard let converter, let nextTicks else { return true }
    let due = Timestamp(ticks: ticks, timeBase: timeBase).rescaled(to: encoder.timeBase).ticks
    let drift = due - (nextTicks + Int64(converter.queuedSampleCount))
    // 20 ms: containers with millisecond clocks jitter, and a frame of AAC that is missing lasts longer.
    let tolerance = Int64(encoder.timeBase.denominator) / 50
    if drift > tolerance {
      // A second at a time: a gap may be as long as the clip.
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
      while try !encoder.send(samples) { try drainEncoder() }
      try drainEncoder()
    }
  }

  private func drainEncoder() throws {
    while try encoder.receive(into: encoded) == .produced {
      try output.write(encoded, track: trackIndex, timeBase: encoder.timeBase)
      writtenCount += 1
    }
  }
}
