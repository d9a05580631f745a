import Foundation

/// The loudness of a clip's audio, and the times at which the audio is clipped.
public struct Loudness: Hashable, Sendable {
  /// The program loudness in LUFS (ITU-R BS.1770-4, EBU R 128). `nil` if no 400 ms block is above -70 LUFS, because the
  /// audio is silent or shorter than one block.
  public var integratedLUFS: Double?
  /// The sample peak of all channels in dBFS; the true peak between samples may be higher. The value is above 0 if a
  /// lossy decoder overshoots, and `nil` if every sample is zero.
  public var peakDBFS: Double?
  /// The number of clipped runs in all channels. A run is 3 or more consecutive samples at or above full scale, with
  /// the same sign. Lossy codecs distort clipped peaks, so some runs in the original audio aren't detected.
  public var clippedRuns: Int
  /// The start times of clipped runs, in seconds from the start of the audio. Contains at most one time per second,
  /// because a single shout clips hundreds of times, and at most `LoudnessMeter.clippedSecondLimit` times.
  public var clippedSeconds: [Double]
}

/// Measures the loudness of decoded planar floating-point audio, in chunks of any length. Full scale is 1.
///
/// Channels are measured separately, and ``result()`` combines them. Each channel stores one number per 100 ms, which
/// is 288 kB per hour.
package struct LoudnessMeter: Sendable {
  /// The supported sample rates in hertz, from AAC's lowest rate to twice its highest. At lower rates, the K-weighting
  /// shelf filter would be too close to half the sample rate.
  package static let sampleRates = 7350...192_000

  /// The maximum number of entries of ``Loudness/clippedSeconds``.
  package static let clippedSecondLimit = 10

  private let sampleRate: Int
  private var channels: [ChannelMeter]

  /// Creates a meter, or returns `nil` if the sample rate is outside ``sampleRates`` or there are no channels, as in
  /// some damaged files.
  ///
  /// - Parameters:
  ///   - sampleRate: the sample rate in hertz.
  ///   - channelCount: the number of channels. Six channels are in the order L, R, C, LFE, Ls, Rs. With any other
  ///     number, all channels have the same weight.
  package init?(sampleRate: Int, channelCount: Int) {
    guard LoudnessMeter.sampleRates.contains(sampleRate), channelCount > 0 else { return nil }
    self.sampleRate = sampleRate
    channels = Array(repeating: ChannelMeter(sampleRate: sampleRate), count: channelCount)
  }

  /// Adds the next samples of one channel. Channels may be added in any order.
  package mutating func add(_ samples: Span<Float>, channel: Int) {
    channels[channel].add(samples)
  }

  /// Returns the loudness of all samples added so far.
  package func result() -> Loudness {
    let peak = channels.map(\.peak).max() ?? 0
    return Loudness(
      integratedLUFS: integratedLUFS,
      peakDBFS: peak > 0 ? 20 * log10(Double(peak)) : nil,
      clippedRuns: channels.reduce(0) { $0 + $1.clippedRuns },
      clippedSeconds: clippedSeconds)
  }

  /// The loudness gated according to BS.1770-4 annex 1, equations (4) to (7).
  private var integratedLUFS: Double? {
    let audible = blockPowers.filter { $0 > absoluteGate }
    guard !audible.isEmpty else { return nil }
    // The relative gate is 10 LU below the mean of the blocks above the absolute gate, so the loudest block always
    // passes.
    let relativeGate = audible.reduce(0, +) / Double(audible.count) / 10
    let gated = audible.filter { $0 > relativeGate }
    return kWeightingOffset + 10 * log10(gated.reduce(0, +) / Double(gated.count))
  }

  /// The mean square of each 400 ms block, summed over the weighted channels. Blocks overlap by 75 %, and an incomplete
  /// last block is ignored.
  private var blockPowers: [Double] {
    // The weights from BS.1770-4 table 3: 0 dB for left, right and center, +1.5 dB for surround. The LFE channel is
    // excluded.
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
    return starts.prefix(LoudnessMeter.clippedSecondLimit).map { Double($0) / Double(sampleRate) }
  }
}

/// Compensates for the gain of K-weighting at 997 Hz, so that a full-scale sine wave of that frequency measures -3.01
/// LUFS.
private let kWeightingOffset = -0.691

/// The absolute gate of -70 LUFS as a mean square.
private let absoluteGate = pow(10, (-70 - kWeightingOffset) / 10)

/// The level at which a sample counts as clipped. It is slightly below 1, because the largest positive 16-bit sample is
/// 32767/32768 and lossy decoders return clipped samples slightly below or above 1.
private let fullScale: Float = 0.9999

/// The minimum number of samples in a clipped run. One or two samples at full scale may be an unclipped peak.
private let minimumClippedRun = 3

/// Measures the loudness and clipping of one channel.
private struct ChannelMeter {
  /// The sums of squares of the K-weighted samples in steps of 100 ms, the interval between overlapping blocks.
  private(set) var stepEnergies: [Double] = []
  private(set) var peak: Float = 0
  private(set) var clippedRuns = 0
  /// The positions of samples that start a clipped run, at most one per second.
  private(set) var clippedStarts: [Int] = []

  private let sampleRate: Int
  private var filter: KWeighting
  private var position = 0
  private var energy = 0.0
  /// The length of the current run of samples at full scale. Negative for a run of negative samples.
  private var run = 0

  init(sampleRate: Int) {
    self.sampleRate = sampleRate
    filter = KWeighting(sampleRate: Double(sampleRate))
  }

  mutating func add(_ samples: Span<Float>) {
    var start = 0
    while start < samples.count {
      // Steps are counted from the start of the audio, so that sample rates such as 11,025 Hz don't cause drift.
      let stepEnd = (stepEnergies.count + 1) * sampleRate / 10
      let end = min(samples.count, start + stepEnd - position)
      addSamplesWithinStep(samples.extracting(start..<end))
      if position == stepEnd {
        stepEnergies.append(energy)
        energy = 0
        filter.flushDenormals()
      }
      start = end
    }
  }

  private mutating func addSamplesWithinStep(_ samples: Span<Float>) {
    // Use local copies, which the compiler can keep in registers.
    var (filter, energy, peak, run) = (filter, energy, peak, run)
    for index in samples.indices {
      // A NaN would remain in the filter's state permanently.
      let sample = samples[index].isFinite ? samples[index] : 0
      peak = max(peak, abs(sample))
      if abs(sample) < fullScale {
        run = 0
      } else {
        run = sample > 0 ? max(run, 0) + 1 : min(run, 0) - 1
        if abs(run) == minimumClippedRun { addClippedRun(startingAt: position + index + 1 - minimumClippedRun) }
      }
      let weighted = filter.filter(Double(sample))
      energy += weighted * weighted
    }
    (self.filter, self.energy, self.peak, self.run) = (filter, energy, peak, run)
    position += samples.count
  }

  private mutating func addClippedRun(startingAt start: Int) {
    clippedRuns += 1
    guard clippedStarts.count < LoudnessMeter.clippedSecondLimit else { return }
    if clippedStarts.last.map({ $0 / sampleRate }) != start / sampleRate { clippedStarts.append(start) }
  }
}

/// The K-weighting filter: a high shelf that models the head, and a high-pass filter (BS.1770-4 annex 1, figures 2 and
/// 4).
///
/// The standard specifies coefficients only for 48 kHz and requires the same frequency response at other sample rates.
/// This type derives them from the analog filters, with the bilinear transform. At 48 kHz, the results match the
/// standard's tables 1 and 2. At other rates, the response differs by at most 0.01 dB from 32 kHz up, 0.07 dB from 16
/// kHz up, and 0.3 dB at 8 kHz.
struct KWeighting {
  private(set) var shelf: Biquad
  private(set) var highPass: Biquad

  /// - Parameter sampleRate: the sample rate in hertz.
  init(sampleRate: Double) {
    shelf = KWeighting.makeShelf(sampleRate: sampleRate)
    highPass = KWeighting.makeHighPass(sampleRate: sampleRate)
  }

  private static func makeShelf(sampleRate: Double) -> Biquad {
    let k = tan(.pi * 1681.974450955533 / sampleRate)
    let kq = k / 0.7071752369554196
    // The gain is 4 dB above the corner frequency, and almost half of that at the corner frequency.
    let high = pow(10, 3.999843853973347 / 20)
    let middle = pow(high, 0.4996667741545416)
    let a0 = 1 + kq + k * k
    return Biquad(
      b0: (high + middle * kq + k * k) / a0, b1: 2 * (k * k - high) / a0, b2: (high - middle * kq + k * k) / a0,
      a1: 2 * (k * k - 1) / a0, a2: (1 - kq + k * k) / a0)
  }

  private static func makeHighPass(sampleRate: Double) -> Biquad {
    func computeTerms(_ sampleRate: Double) -> (k: Double, kq: Double, a0: Double) {
      let k = tan(.pi * 38.13547087602444 / sampleRate)
      let kq = k / 0.5003270373238773
      return (k, kq, 1 + kq + k * k)
    }
    let (k, kq, a0) = computeTerms(sampleRate)
    // The standard's numerator (1, -2, 1) has a gain of 0.04 dB at 48 kHz. Other rates use the same gain, because the
    // same numerator would add 0.2 dB at 8 kHz.
    let gain = computeTerms(48_000).a0 / a0
    return Biquad(b0: gain, b1: -2 * gain, b2: gain, a1: 2 * (k * k - 1) / a0, a2: (1 - kq + k * k) / a0)
  }

  @inline(__always) mutating func filter(_ sample: Double) -> Double { highPass.filter(shelf.filter(sample)) }

  /// Clears filter states that decay to denormal numbers during silence, which would make processing many times slower.
  mutating func flushDenormals() {
    shelf.flushDenormals()
    highPass.flushDenormals()
  }
}

/// A second-order filter in transposed direct form II, with coefficients normalized to a0 = 1.
struct Biquad {
  let b0, b1, b2, a1, a2: Double
  /// The state of the filter.
  var z1 = 0.0
  var z2 = 0.0

  @inline(__always) mutating func filter(_ x: Double) -> Double {
    let y = b0 * x + z1
    z1 = b1 * x - a1 * y + z2
    z2 = b2 * x - a2 * y
    return y
  }

  mutating func flushDenormals() {
    // This threshold is far below anything audible and far above denormal numbers.
    if abs(z1) < 1e-30 { z1 = 0 }
    if abs(z2) < 1e-30 { z2 = 0 }
  }
}
