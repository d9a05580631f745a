import ClipModel
import TestSupport
import Testing

@testable import ClipMedia

/// The time between key frames is limited without changing the output of sources with a constant frame rate.
@Suite struct KeyFrameScheduleTests {
  /// An encoder that delays its packets, starts a GOP at scene cuts, and otherwise after a number of frames.
  private struct EncoderModel {
    let frameLimit: Int
    let delay: Int
    var sceneCuts: Set<Int> = []
    private var lastKey = 0
    private var pending: [(ticks: Int64, isKey: Bool)] = []
    private(set) var keyTicks: [Int64] = []

    init(frameLimit: Int, delay: Int, sceneCuts: Set<Int> = []) {
      (self.frameLimit, self.delay, self.sceneCuts) = (frameLimit, delay, sceneCuts)
    }

    /// Returns the key frame that leaves the encoder, if any.
    mutating func encode(_ index: Int, _ ticks: Int64, isForced: Bool) -> Int64? {
      let isKey = isForced || index == 0 || index - lastKey >= frameLimit || sceneCuts.contains(index)
      if isKey {
        lastKey = index
        keyTicks.append(ticks)
      }
      pending.append((ticks, isKey))
      guard pending.count > delay else { return nil }
      let packet = pending.removeFirst()
      return packet.isKey ? packet.ticks : nil
    }
  }

  /// Returns the presentation times of the selected key frames, and of all key frames.
  private func run(
    _ times: [Int64], frameLimit: Int, timeBase: Rational, delay: Int, sceneCuts: Set<Int> = []
  ) -> (selected: [Int64], all: [Int64]) {
    var schedule = KeyFrameSchedule(frameLimit: frameLimit, secondLimit: 10, timeBase: timeBase)
    var encoder = EncoderModel(frameLimit: frameLimit, delay: delay, sceneCuts: sceneCuts)
    var selected: [Int64] = []
    for (index, ticks) in times.enumerated() {
      let isSelected = schedule.requiresKeyFrame(at: ticks)
      if isSelected { selected.append(ticks) }
      if let key = encoder.encode(index, ticks, isForced: isSelected) { schedule.confirmKeyFrame(at: key) }
    }
    return (selected, encoder.keyTicks)
  }

  /// The last frame rate is an average that is too high for a clip of 20 s, because the header omits the last frame.
  @Test(arguments: [1.0, 8.8, 24000.0 / 1001, 25, 30000.0 / 1001, 50, 60000.0 / 1001, 120], [0, 18, 60])
  func constantRateHasNoSelectedKeyFrames(rate: Double, delay: Int) {
    let seed = UInt64(rate * 1_000) + UInt64(delay)
    var generator = SeededGenerator(seed: seed)
    for (base, average) in [(90_000.0, rate), (1_000, rate), (rate * 512, rate), (90_000, rate * 501 / 500)] {
      let count = Int(rate * 65)
      let times = (0..<count).map { Int64((Double($0) / rate * base).rounded()) }
      let limit = max(Int((average * 10).rounded()), 1)
      let cuts = Set((0..<6).map { _ in Int.random(in: 0..<count, using: &generator) })
      let timeBase = Rational(1_000, Int32((base * 1_000).rounded()))
      let result = run(times, frameLimit: limit, timeBase: timeBase, delay: delay, sceneCuts: cuts)
      #expect(result.selected == [], "seed \(seed), base \(base), average \(average)")
    }
  }

  /// A source whose frame rate changes at random times.
  @Test(arguments: 0..<20) func variableRateHasKeyFramesInTime(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var (times, next): ([Int64], Int64) = ([0], 0)
    while next < 120_000 {
      let interval = [17, 33, 200, 1_000, 2_500].randomElement(using: &generator) ?? 33
      for _ in 0..<Int.random(in: 1...120, using: &generator) {
        next += Int64(interval)
        times.append(next)
      }
    }
    let rate = Double(times.count) / Double(next) * 1_000
    let delay = Int.random(in: 0...60, using: &generator)
    let result = run(times, frameLimit: max(Int((rate * 10).rounded()), 1), timeBase: Rational(1, 1_000), delay: delay)
    let longest = zip(result.all, result.all.dropFirst() + [next]).map { $1 - $0 }.max() ?? 0
    // The tolerance is two average frames, and the frame that reaches the limit can last 2.5 s.
    #expect(longest <= 12_500 + Int64(2_000 / rate), "seed \(seed): \(longest) ms")
  }

  /// Two adjacent key frames cannot be stored separately.
  @Test func longFramesAreNotAllKeyFrames() {
    let times = (0..<20).map { Int64($0) * 30_000 }
    let result = run(times, frameLimit: 300, timeBase: Rational(1, 1_000), delay: 3)
    #expect(result.selected == stride(from: 60_000, to: 600_000, by: 60_000).map { Int64($0) })
  }

  @Test func seamRestartsSchedule() {
    var schedule = KeyFrameSchedule(frameLimit: 300, secondLimit: 10, timeBase: Rational(1, 10))
    var selected: [Int64] = []
    for ticks in stride(from: Int64(0), through: 180, by: 20) {
      if ticks == 60 {
        schedule.restart(at: ticks)
      } else if schedule.requiresKeyFrame(at: ticks) {
        selected.append(ticks)
      }
    }
    #expect(selected == [180])
  }
}
