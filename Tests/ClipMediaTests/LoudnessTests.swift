import Foundation
import Testing

@testable import ClipMedia

@Suite struct LoudnessTests {
  /// A tone in each channel. Levels are peaks in dBFS, as in EBU Tech 3341.
  private struct Tone {
    var levels: [Double]
    var seconds: Double
    var frequency = 1000.0
  }

  /// Measures a sequence of tones. Frequencies are whole hertz, so that a second can be repeated.
  private func loudness(of tones: [Tone], sampleRate: Int = 48_000) throws -> Loudness {
    var meter = try #require(LoudnessMeter(sampleRate: sampleRate, channelCount: tones[0].levels.count))
    for tone in tones {
      let phase = 2 * Double.pi * tone.frequency / Double(sampleRate)
      let sines = (0..<sampleRate).map { sin(phase * Double($0)) }
      let second = tone.levels.map { level in
        let amplitude = pow(10, level / 20)
        return sines.map { Float(amplitude * $0) }
      }
      var left = Int((tone.seconds * Double(sampleRate)).rounded())
      while left > 0 {
        meter.add(planar: left < sampleRate ? second.map { Array($0.prefix(left)) } : second)
        left -= sampleRate
      }
    }
    return meter.result()
  }

  private func stereo(_ level: Double, _ seconds: Double) -> Tone { Tone(levels: [level, level], seconds: seconds) }

  private func mono(_ samples: [Float], sampleRate: Int = 8000) throws -> Loudness {
    var meter = try #require(LoudnessMeter(sampleRate: sampleRate, channelCount: 1))
    meter.add(samples.span, channel: 0)
    return meter.result()
  }

  private func expect(_ loudness: Loudness, isAbout expected: Double, within tolerance: Double = 0.1) throws {
    let measured = try #require(loudness.integratedLUFS)
    #expect(abs(measured - expected) <= tolerance, "\(measured) LUFS instead of \(expected)")
  }

  // MARK: EBU Tech 3341, table 1

  @Test(arguments: [-23.0, -33])
  func tonesHaveTheirLevel(level: Double) throws {
    let loudness = try loudness(of: [stereo(level, 20)])
    try expect(loudness, isAbout: level)
    #expect(abs(try #require(loudness.peakDBFS) - level) < 0.01)
  }

  @Test func relativeGateExcludesQuietParts() throws {
    try expect(loudness(of: [stereo(-36, 10), stereo(-23, 60), stereo(-36, 10)]), isAbout: -23)
  }

  @Test func absoluteGateIsAppliedFirst() throws {
    let tones = [stereo(-72, 10), stereo(-36, 10), stereo(-23, 60), stereo(-36, 10), stereo(-72, 10)]
    try expect(loudness(of: tones), isAbout: -23)
  }

  @Test func partsInsideTheGateAreAveragedAsPowers() throws {
    try expect(loudness(of: [stereo(-26, 20), stereo(-20, 20.1), stereo(-26, 20)]), isAbout: -23)
  }

  /// Case 6, with a loud LFE channel that must be ignored.
  @Test func surroundHasMoreWeightAndLFENone() throws {
    try expect(loudness(of: [Tone(levels: [-28, -28, -24, -6, -30, -30], seconds: 20)]), isAbout: -23)
  }

  // MARK: Gates, blocks and channels

  /// If silence counted, the relative gate would be lower and include the quiet part: -29 instead of -26 LUFS.
  @Test func silenceDoesNotMoveTheRelativeGate() throws {
    let loudness = try loudness(of: [stereo(-26, 10), stereo(-41, 10), stereo(-100, 60)])
    try expect(loudness, isAbout: -26, within: 0.2)
  }

  /// The mean of both parts is -22.8 LUFS, so the gate is at -32.8.
  @Test func relativeGateIs10LUBelowTheMean() throws {
    try expect(loudness(of: [stereo(-20, 10), stereo(-32.5, 10)]), isAbout: -22.8)
    try expect(loudness(of: [stereo(-20, 10), stereo(-33.1, 10)]), isAbout: -20)
  }

  @Test func oneChannelHasHalfTheLoudnessOfTwo() throws {
    try expect(loudness(of: [Tone(levels: [-20], seconds: 2)]), isAbout: -23)
    let right = try loudness(of: [Tone(levels: [-200, -20], seconds: 2)])
    try expect(right, isAbout: -23)
    #expect(abs(try #require(right.peakDBFS) + 20) < 0.01)
  }

  @Test func silenceHasNoLoudness() throws {
    let silence = try mono(Array(repeating: 0, count: 80_000))
    #expect(silence == Loudness(integratedLUFS: nil, peakDBFS: nil, clippedRuns: 0, clippedSeconds: []))
    // Just below and just above the absolute gate.
    #expect(try loudness(of: [stereo(-70.2, 2)]).integratedLUFS == nil)
    try expect(loudness(of: [stereo(-69.8, 2)]), isAbout: -69.8)
  }

  @Test func audioShorterThanABlockHasOnlyAPeak() throws {
    let short = try loudness(of: [stereo(-20, 0.399)])
    #expect(short.integratedLUFS == nil)
    #expect(abs(try #require(short.peakDBFS) + 20) < 0.01)
    try expect(loudness(of: [stereo(-20, 0.4)]), isAbout: -20)
    // 100 ms are 1102.5 samples at this rate, but a block has its full length.
    #expect(try mono(Array(repeating: 0.1, count: 4409), sampleRate: 11_025).integratedLUFS == nil)
    #expect(try mono(Array(repeating: 0.1, count: 4410), sampleRate: 11_025).integratedLUFS != nil)
    #expect(try mono([]) == Loudness(integratedLUFS: nil, peakDBFS: nil, clippedRuns: 0, clippedSeconds: []))
  }

  /// Blocks every 100 ms contain all, three quarters, half or a quarter of a tone of 400 ms.
  @Test func blocksOverlapByThreeQuarters() throws {
    let loudness = try loudness(of: [stereo(-120, 1), stereo(-20, 0.4), stereo(-120, 1)])
    // All seven are within 10 LU of their mean, 4/7 of the tone's power.
    try expect(loudness, isAbout: -20 + 10 * log10(4 / 7.0))
  }

  @Test func resultsDoNotDependOnPieces() throws {
    let samples = (0..<11_025).map { index in Float(sin(Double(index) * 0.3) * sin(Double(index) * 0.001)) }
    let whole = try mono(samples, sampleRate: 11_025)
    var meter = try #require(LoudnessMeter(sampleRate: 11_025, channelCount: 1))
    for start in stride(from: 0, to: samples.count, by: 7) {
      meter.add(planar: [Array(samples[start..<min(start + 7, samples.count)])])
    }
    #expect(meter.result() == whole)
  }

  // MARK: Sample rates

  /// At 8 kHz the shelf of the bilinear transform is 0.2 dB too low at 997 Hz.
  @Test(arguments: [
    (7350, 0.25), (8000, 0.21), (11_025, 0.11), (12_000, 0.1), (16_000, 0.05), (22_050, 0.03), (32_000, 0.02),
    (44_100, 0.01), (48_000, 0.01), (96_000, 0.01), (192_000, 0.01),
  ])
  func tonesHaveTheSameLoudnessAtEveryRate(sampleRate: Int, tolerance: Double) throws {
    let tone = Tone(levels: [-23, -23], seconds: 1, frequency: 997)
    try expect(loudness(of: [tone], sampleRate: sampleRate), isAbout: -23, within: tolerance)
  }

  /// Tests the high pass: the numerator 1, -2, 1 would be 0.21 LU too loud at 8 kHz.
  @Test(arguments: [8000, 16_000, 44_100, 192_000])
  func lowTonesHaveTheSameLoudnessAtEveryRate(sampleRate: Int) throws {
    let tone = Tone(levels: [-20, -20], seconds: 2, frequency: 60)
    let reference = try #require(loudness(of: [tone]).integratedLUFS)
    try expect(loudness(of: [tone], sampleRate: sampleRate), isAbout: reference, within: 0.02)
  }

  /// Tables 1 and 2 of BS.1770-4 annex 1.
  @Test func coefficientsAt48kHzMatchTheStandard() {
    let filter = KWeighting(sampleRate: 48_000)
    let (shelf, highPass) = (filter.shelf, filter.highPass)
    let coefficients = [
      (shelf.b0, 1.53512485958697), (shelf.b1, -2.69169618940638), (shelf.b2, 1.19839281085285),
      (shelf.a1, -1.69065929318241), (shelf.a2, 0.73248077421585),
      (highPass.b0, 1), (highPass.b1, -2), (highPass.b2, 1),
      (highPass.a1, -1.99004745483398), (highPass.a2, 0.99007225036621),
    ]
    for (derived, table) in coefficients { #expect(abs(derived - table) < 1e-13, "\(derived) \(table)") }
  }

  @Test func unsupportedFormatsAreRejected() {
    #expect(LoudnessMeter(sampleRate: 0, channelCount: 2) == nil)
    #expect(LoudnessMeter(sampleRate: 2000, channelCount: 2) == nil)
    #expect(LoudnessMeter(sampleRate: 384_000, channelCount: 2) == nil)
    #expect(LoudnessMeter(sampleRate: 48_000, channelCount: 0) == nil)
  }

  // MARK: Peak and clipping

  @Test func flatTopsAreClipped() throws {
    // Runs of two samples; of three; of three with the other sign directly after; a long one; an uneven one.
    let samples: [Float] =
      [0, 1, 1, 0, 1, 1, 1, -1, -1, -1, 0] + Array(repeating: 1, count: 500) + [0, 1.2, 1, 0.99995, 1.07, 0]
    let loudness = try mono(samples)
    #expect(loudness.clippedRuns == 4)
    #expect(loudness.clippedSeconds == [4.0 / 8000])
    #expect(abs(try #require(loudness.peakDBFS) - 1.5836) < 1e-3)
  }

  @Test func fullScaleOf16BitsCounts() throws {
    let top: Float = 32_767 / 32_768
    #expect(try mono([0, top, top, top, 0]).clippedRuns == 1)
    let bottom = try mono([0, -1, -1, -1, 0])
    #expect(bottom.clippedRuns == 1)
    #expect(bottom.peakDBFS == 0)
    #expect(try mono(Array(repeating: 0.999, count: 100)).clippedRuns == 0)
    // Alternating samples at full scale are a tone, not a flat top.
    #expect(try mono((0..<100).map { $0 % 2 == 0 ? 1 : -1 }).clippedRuns == 0)
  }

  @Test func clippingIsFoundAcrossPieces() throws {
    var meter = try #require(LoudnessMeter(sampleRate: 8000, channelCount: 1))
    for sample: Float in [0, 1, 1, 1, 0] { meter.add(planar: [[sample]]) }
    #expect(meter.result().clippedRuns == 1)
    #expect(meter.result().clippedSeconds == [1.0 / 8000])
  }

  /// The first run per second of any channel, and at most ten.
  @Test func clippedSecondsAreLimited() throws {
    var left = [Float](repeating: 0, count: 20 * 8000)
    var right = left
    for second in 1..<20 {
      for start in stride(from: second * 8000 + 400, to: second * 8000 + 4000, by: 40) {
        left.replaceSubrange(start..<(start + 3), with: [1, 1, 1])
      }
      guard second % 2 == 0 else { continue }
      right.replaceSubrange((second * 8000 + 80)..<(second * 8000 + 83), with: [-1, -1, -1])
    }
    var meter = try #require(LoudnessMeter(sampleRate: 8000, channelCount: 2))
    meter.add(planar: [left, right])
    let loudness = meter.result()
    #expect(loudness.clippedRuns == 19 * 90 + 9)
    #expect(loudness.clippedSeconds == [1.05, 2.01, 3.05, 4.01, 5.05, 6.01, 7.05, 8.01, 9.05, 10.01])
    #expect(try mono(left).clippedSeconds == (1...10).map { Double($0) + 0.05 })
  }

  @Test(arguments: [Float.nan, .infinity, -.infinity])
  func invalidNumbersAreSilence(sample: Float) throws {
    var samples = (0..<8000).map { Float(0.1 * sin(Double($0))) }
    let clean = try mono(samples)
    samples.replaceSubrange(100..<103, with: [sample, sample, sample])
    let loudness = try mono(samples)
    try expect(loudness, isAbout: #require(clean.integratedLUFS), within: 0.05)
    #expect(loudness.peakDBFS == clean.peakDBFS)
    #expect(loudness.clippedRuns == 0)
  }

  /// After a loud sample the filter must reach zero instead of denormal numbers.
  @Test func silenceResetsTheFilter() {
    var filter = KWeighting(sampleRate: 48_000)
    _ = filter.filter(1)
    for _ in 0..<40 {
      for _ in 0..<4800 { _ = filter.filter(0) }
      filter.flushDenormals()
    }
    #expect(filter.filter(0) == 0)
  }
}

extension LoudnessMeter {
  /// Adds the next samples of all channels.
  fileprivate mutating func add(planar: [[Float]]) {
    for (channel, samples) in planar.enumerated() { add(samples.span, channel: channel) }
  }
}
