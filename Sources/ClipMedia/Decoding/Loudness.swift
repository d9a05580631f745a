import Foundation

/// How loud a clip sounds as a whole, and what of its sound was too loud to be recorded.
public struct Loudness: Hashable, Sendable {
  /// Programme loudness in LUFS (ITU-R BS.1770-4, EBU R 128). `nil` when no block of 400 ms is above -70 LUFS: the
  /// sound is shorter than that, or silent.
  public var integratedLUFS: Double?
  /// Sample peak of all channels in dBFS; the true peak between the samples may be higher. Above 0 where a lossy
  /// decoder overshoots, `nil` when every sample is zero.
  public var peakDBFS: Double?
  /// Clipped runs of all channels: 3 or more samples in succession at or beyond full scale, on the same side. Lossy
  /// codecs break flat tops up, so that after them fewer are found than the microphone clipped.
  public var clippedRuns: Int
  /// Where the first clipped runs start, in seconds from the start of the sound: at most
  /// `LoudnessMeter.mostClippedSeconds`, and of each second only the first, because one shout clips hundreds of times.
  public var clippedSeconds: [Double]
}

/// Measures the loudness of planar floating-point sound with full scale at 1, as it comes from a decoder, in pieces of
/// any length.
///
/// Channels are measured apart and weighted and summed in ``result()``. A channel keeps one number per 100 ms, 288 kB
/// for an hour.
package struct LoudnessMeter: Sendable {
  /// In Hz, from AAC's lowest to twice its highest. Below, K-weighting's shelf comes too near to half the sample rate.
  package static let sampleRates = 7350...192_000

  /// What ``Loudness/clippedSeconds`` is limited to.
  package static let mostClippedSeconds = 10

  private let sampleRate: Int
  private var channels: [ChannelMeter]

  /// `nil` for sample rates outside of ``sampleRates`` and for no channels: a broken file may say so.
  ///
  /// - Parameters:
  ///   - sampleRate: in Hz.
  ///   - channelCount: six are taken as L R C LFE Ls Rs, other counts as channels that all weigh the same.
  package init?(sampleRate: Int, channelCount: Int) {
    guard LoudnessMeter.sampleRates.contains(sampleRate), channelCount > 0 else { return nil }
    self.sampleRate = sampleRate
    channels = Array(repeating: ChannelMeter(sampleRate: sampleRate), count: channelCount)
  }

  /// Adds the next samples of one channel. It does not matter in which order channels get theirs.
  package mutating func add(_ samples: Span<Float>, channel: Int) {
    channels[channel].add(samples)
  }

  /// The loudness of all samples so far.
  package func result() -> Loudness {
    let peak = channels.map(\.peak).max() ?? 0
    return Loudness(
      integratedLUFS: integratedLUFS,
      peakDBFS: peak > 0 ? 20 * log10(Double(peak)) : nil,
      clippedRuns: channels.reduce(0) { $0 + $1.clippedRuns },
      clippedSeconds: clippedSeconds)
  }

  /// Gated as BS.1770-4 annex 1 says, equations (4) to (7).
  private var integratedLUFS: Double? {
    let audible = blockPowers.filter { $0 > absoluteGate }
    guard !audible.isEmpty else { return nil }
    // 10 LU below the mean of what the absolute gate lets pass. The loudest block is always above.
    let relativeGate = audible.reduce(0, +) / Double(audible.count) / 10
    let gated = audible.filter { $0 > relativeGate }
    return kOffset + 10 * log10(gated.reduce(0, +) / Double(gated.count))
  }

  /// Mean square of each block of 400 ms with an overlap of 75 %, the channels weighted and summed. The rest after the
  /// last whole block does not count.
  private var blockPowers: [Double] {
    // Left, right, centre: 0 dB; surround: +1.5 dB; low-frequency effects: not at all (BS.1770-4 table 3).
    let weights = channels.count == 6 ? [1, 1, 1, 0, 1.41, 1.41] : Array(repeating: 1, count: channels.count)
    let stepCount = channels.map(\.stepEnergies.count).min() ?? 0
    let steps = (0..<stepCount).map { step in
      zip(weights, channels).reduce(0) { $0 + $1.0 * $1.1.stepEnergies[step] }
    }
    let blockSampleCount = 4 * Double(sampleRate) / 10
    return steps.indices.dropLast(3).map { steps[$0..<($0 + 4)].reduce(0, +) / blockSampleCount }
  }

  private var clippedSeconds: [Double] {
    var starts: [Int] = []
    for start in channels.flatMap(\.clippedStarts).sorted() {
      if starts.last.map({ $0 / sampleRate }) != start / sampleRate { starts.append(start) }
    }
    return starts.prefix(LoudnessMeter.mostClippedSeconds).map { Double($0) / Double(sampleRate) }
  }
}

/// In LU: makes up for what K-weighting adds at 997 Hz, so that a full-scale sine there is -3.01 LUFS.
private let kOffset = -0.691

/// -70 LUFS as a mean square.
private let absoluteGate = pow(10, (-70 - kOffset) / 10)

/// Full scale, a little below 1: the largest positive sample of 16 bits is 32767/32768. There is no upper limit,
/// because what a microphone clipped at 1 comes out of a lossy decoder on either side of it.
private let fullScale: Float = 0.9999

/// One sample or two at full scale may be a peak that just fits; the flat top of a clipped one is longer.
private let leastClippedRun = 3

/// The state of one channel.
private struct ChannelMeter {
  /// Sums of squares of the K-weighted samples in steps of 100 ms, the distance of overlapping blocks.
  private(set) var stepEnergies: [Double] = []
  private(set) var peak: Float = 0
  private(set) var clippedRuns = 0
  /// Sample positions, at most one for a second.
  private(set) var clippedStarts: [Int] = []

  private let sampleRate: Int
  private var filter: KWeighting
  private var position = 0
  private var energy = 0.0
  /// Samples at full scale up to now, negative when they are on the negative side.
  private var run = 0

  init(sampleRate: Int) {
    self.sampleRate = sampleRate
    filter = KWeighting(sampleRate: Double(sampleRate))
  }

  mutating func add(_ samples: Span<Float>) {
    var start = 0
    while start < samples.count {
      // From the start of the sound, so that rates like 11 025 Hz do not drift.
      let stepEnd = (stepEnergies.count + 1) * sampleRate / 10
      let end = min(samples.count, start + stepEnd - position)
      addInsideStep(samples.extracting(start..<end))
      if position == stepEnd {
        stepEnergies.append(energy)
        energy = 0
        filter.flushDenormals()
      }
      start = end
    }
  }

  private mutating func addInsideStep(_ samples: Span<Float>) {
    // Local copies stay in registers.
    var (filter, energy, peak, run) = (filter, energy, peak, run)
    for index in samples.indices {
      // What is no number would stay in the filter for ever.
      let sample = samples[index].isFinite ? samples[index] : 0
      peak = max(peak, abs(sample))
      if abs(sample) < fullScale {
        run = 0
      } else {
        run = sample > 0 ? max(run, 0) + 1 : min(run, 0) - 1
        if abs(run) == leastClippedRun { noteClippedRun(startingAt: position + index + 1 - leastClippedRun) }
      }
      let weighted = filter.filter(Double(sample))
      energy += weighted * weighted
    }
    (self.filter, self.energy, self.peak, self.run) = (filter, energy, peak, run)
    position += samples.count
  }

  private mutating func noteClippedRun(startingAt start: Int) {
    clippedRuns += 1
    guard clippedStarts.count < LoudnessMeter.mostClippedSeconds else { return }
    if clippedStarts.last.map({ $0 / sampleRate }) != start / sampleRate { clippedStarts.append(start) }
  }
}

/// K-weighting: a high shelf for the head and a high pass for the ear (BS.1770-4 annex 1, figures 2 and 4).
///
/// The standard has coefficients for 48 kHz only and asks for the same frequency response at other rates. So the
/// analogue filters behind its tables 1 and 2 are transformed again, by the bilinear transform with `tan` for the
/// corner frequency; frequencies, gains and Q are those that solve the tables. The response is that of 48 kHz within
/// 0.01 dB from 32 kHz, 0.07 dB from 16 kHz and 0.3 dB at 8 kHz, where the transform bends the shelf.
struct KWeighting {
  private(set) var shelf: Biquad
  private(set) var highPass: Biquad

  /// - Parameter sampleRate: in Hz.
  init(sampleRate: Double) {
    shelf = KWeighting.shelf(sampleRate: sampleRate)
    highPass = KWeighting.highPass(sampleRate: sampleRate)
  }

  private static func shelf(sampleRate: Double) -> Biquad {
    let k = tan(.pi * 1681.974450955533 / sampleRate)
    let kq = k / 0.7071752369554196
    // Gain of 4 dB above the corner, and of half as many decibels (almost) at it.
    let high = pow(10, 3.999843853973347 / 20)
    let middle = pow(high, 0.4996667741545416)
    let a0 = 1 + kq + k * k
    return Biquad(
      b0: (high + middle * kq + k * k) / a0, b1: 2 * (k * k - high) / a0, b2: (high - middle * kq + k * k) / a0,
      a1: 2 * (k * k - 1) / a0, a2: (1 - kq + k * k) / a0)
  }

  private static func highPass(sampleRate: Double) -> Biquad {
    func terms(_ sampleRate: Double) -> (k: Double, kq: Double, a0: Double) {
      let k = tan(.pi * 38.13547087602444 / sampleRate)
      let kq = k / 0.5003270373238773
      return (k, kq, 1 + kq + k * k)
    }
    let (k, kq, a0) = terms(sampleRate)
    // The table's numerator is 1, -2, 1: it passes 0.04 dB more than all. The same gain at other rates, not the same
    // numerator, which would be 0.2 dB more at 8 kHz.
    let gain = terms(48_000).a0 / a0
    return Biquad(b0: gain, b1: -2 * gain, b2: gain, a1: 2 * (k * k - 1) / a0, a2: (1 - kq + k * k) / a0)
  }

  @inline(__always) mutating func filter(_ sample: Double) -> Double { highPass.filter(shelf.filter(sample)) }

  /// In silence the states fade until they are denormal, with which processors are many times slower.
  mutating func flushDenormals() {
    shelf.flushDenormals()
    highPass.flushDenormals()
  }
}

/// A second-order filter in transposed direct form II, with coefficients for a0 = 1.
struct Biquad {
  let b0, b1, b2, a1, a2: Double
  private var z1 = 0.0
  private var z2 = 0.0

  init(b0: Double, b1: Double, b2: Double, a1: Double, a2: Double) {
    (self.b0, self.b1, self.b2, self.a1, self.a2) = (b0, b1, b2, a1, a2)
  }

  @inline(__always) mutating func filter(_ x: Double) -> Double {
    let y = b0 * x + z1
    z1 = b1 * x - a1 * y + z2
    z2 = b2 * x - a2 * y
    return y
  }

  mutating func flushDenormals() {
    // Far below anything audible, and far above denormals.
    if abs(z1) < 1e-30 { z1 = 0 }
    if abs(z2) < 1e-30 { z2 = 0 }
  }
}
