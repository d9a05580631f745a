import Foundation

/// The loudness of a clip's audio, and where it is clipped.
public struct Loudness: Hashable, Sendable {
  /// The program loudness in LUFS (ITU-R BS.1770-4, EBU R 128). `nil` if no block of 400 ms is above -70 LUFS: the
  /// audio is shorter than that, or silent.
  public var integratedLUFS: Double?
  /// The sample peak of all channels in dBFS; the true peak between samples may be higher. Above 0 if a lossy decoder
  /// overshoots, `nil` if every sample is zero.
  public var peakDBFS: Double?
  /// The number of clipped runs of all channels: 3 or more successive samples at or above full scale, with the same
  /// sign. Lossy codecs distort flat tops, so fewer runs are detected than were originally clipped.
  public var clippedRuns: Int
  /// The start of the first clipped run of each second, in seconds from the start of the audio; at most
  /// `LoudnessMeter.clippedSecondLimit`. One shout clips hundreds of times.
  public var clippedSeconds: [Double]
}

/// Measures the loudness of decoded planar floating-point audio with full scale at 1, in pieces of any length.
///
/// Channels are measured separately; ``result()`` weights and adds them. A channel stores one number per 100 ms, 288 kB
/// for an hour.
package struct LoudnessMeter: Sendable {
  /// The supported rates in Hz, from AAC's lowest to twice its highest. At lower rates, the K-weighting shelf would be
  /// too close to half the sample rate.
  package static let sampleRates = 7350...192_000

  /// The maximum number of entries of ``Loudness/clippedSeconds``.
  package static let clippedSecondLimit = 10

  private let sampleRate: Int
  private var channels: [ChannelMeter]

  /// Returns `nil` if the sample rate is outside ``sampleRates`` or there are no channels, as in some damaged files.
  ///
  /// - Parameters:
  ///   - sampleRate: the sample rate in hertz.
  ///   - channelCount: the number of channels. Six channels are L R C LFE Ls Rs. Other counts have equal weights.
  package init?(sampleRate: Int, channelCount: Int) {
    guard LoudnessMeter.sampleRates.contains(sampleRate), channelCount > 0 else { return nil }
    self.sampleRate = sampleRate
    channels = Array(repeating: ChannelMeter(sampleRate: sampleRate), count: channelCount)
  }

  /// Adds the next samples of one channel. Channels may be added in any order.
  package mutating func add(_ samples: Span<Float>, channel: Int) {
    channels[channel].add(samples)
  }

  /// The loudness of all samples that have been added.
  package func result() -> Loudness {
    let peak = channels.map(\.peak).max() ?? 0
    return Loudness(
      integratedLUFS: integratedLUFS,
      peakDBFS: peak > 0 ? 20 * log10(Double(peak)) : nil,
      clippedRuns: channels.reduce(0) { $0 + $1.clippedRuns },
      clippedSeconds: clippedSeconds)
  }

  /// Gated according to BS.1770-4 annex 1, equations (4) to (7).
  private var integratedLUFS: Double? {
    let audible = blockPowers.filter { $0 > absoluteGate }
    guard !audible.isEmpty else { return nil }
    // 10 LU below the mean of the blocks above the absolute gate. The loudest block is always above it.
    let relativeGate = audible.reduce(0, +) / Double(audible.count) / 10
    let gated = audible.filter { $0 > relativeGate }
    return kOffset + 10 * log10(gated.reduce(0, +) / Double(gated.count))
  }

  /// The mean square of each block of 400 ms with an overlap of 75 %, with weighted and added channels. The rest after
  /// the last whole block is ignored.
  private var blockPowers: [Double] {
    // Left, right, center: 0 dB; surround: +1.5 dB; low-frequency effects are excluded (BS.1770-4 table 3).
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

/// Compensates the gain of K-weighting at 997 Hz, so that a full-scale sine there has -3.01 LUFS.
private let kOffset = -0.691

/// The absolute gate of -70 LUFS as a mean square.
private let absoluteGate = pow(10, (-70 - kOffset) / 10)

/// Full scale, slightly below 1: the largest positive 16-bit sample is 32767/32768. There is no upper limit, because a
/// lossy decoder returns clipped samples on both sides of 1.
private let fullScale: Float = 0.9999

/// The minimum number of samples in a clipped run. One or two samples at full scale may be an unclipped peak.
private let minimumClippedRun = 3

/// Measures one channel.
private struct ChannelMeter {
  /// The sums of squares of the K-weighted samples in steps of 100 ms, the distance of overlapping blocks.
  private(set) var stepEnergies: [Double] = []
  private(set) var peak: Float = 0
  private(set) var clippedRuns = 0
  /// Sample positions, at most one per second.
  private(set) var clippedStarts: [Int] = []

  private let sampleRate: Int
  private var filter: KWeighting
  private var position = 0
  private var energy = 0.0
  /// The length of the current run at full scale; negative for negative samples.
  private var run = 0

  init(sampleRate: Int) {
    self.sampleRate = sampleRate
    filter = KWeighting(sampleRate: Double(sampleRate))
  }

  mutating func add(_ samples: Span<Float>) {
    var start = 0
    while start < samples.count {
      // Counted from the start of the audio, so that rates like 11,025 Hz don't drift.
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
    // The compiler keeps local copies in registers.
    var (filter, energy, peak, run) = (filter, energy, peak, run)
    for index in samples.indices {
      // A NaN would stay in the filter permanently.
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

/// K-weighting: a high shelf for the head and a high pass for the ear (BS.1770-4 annex 1, figures 2 and 4).
///
/// The standard has coefficients for 48 kHz only and requires the same frequency response at other rates. So the analog
/// filters of its tables 1 and 2 are transformed again, with the bilinear transform and `tan` for the corner frequency.
/// Frequencies, gains and Q reproduce the tables. The response is that of 48 kHz within 0.01 dB from 32 kHz, 0.07 dB
/// from 16 kHz and 0.3 dB at 8 kHz, where the transform bends the shelf.
struct KWeighting {
  private(set) var shelf: Biquad
  private(set) var highPass: Biquad

  /// - Parameter sampleRate: the sample rate in hertz.
  init(sampleRate: Double) {
    shelf = KWeighting.shelf(sampleRate: sampleRate)
    highPass = KWeighting.highPass(sampleRate: sampleRate)
  }

  private static func shelf(sampleRate: Double) -> Biquad {
    let k = tan(.pi * 1681.974450955533 / sampleRate)
    let kq = k / 0.7071752369554196
    // The gain is 4 dB above the corner, and almost half of that at the corner.
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
    // The table's numerator is 1, -2, 1, with a gain of 0.04 dB. Other rates get the same gain instead of the same
    // numerator, which would add 0.2 dB at 8 kHz.
    let gain = terms(48_000).a0 / a0
    return Biquad(b0: gain, b1: -2 * gain, b2: gain, a1: 2 * (k * k - 1) / a0, a2: (1 - kq + k * k) / a0)
  }

  @inline(__always) mutating func filter(_ sample: Double) -> Double { highPass.filter(shelf.filter(sample)) }

  /// Clears states that fade to denormal numbers in silence, which would make processing many times slower.
  mutating func flushDenormals() {
    shelf.flushDenormals()
    highPass.flushDenormals()
  }
}

/// A second-order filter in transposed direct form II, with coefficients for a0 = 1.
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
    // Far below anything audible, and far above denormal numbers.
    if abs(z1) < 1e-30 { z1 = 0 }
    if abs(z2) < 1e-30 { z2 = 0 }
  }
}
