import ClipModel
import ISOMedia
import TestSupport
import Testing

@testable import ClipMedia

/// Compares the facts from headers with libav's analysis of the same file. Facts that rules need must be equal.
@Suite struct HeaderProbeTests {
  /// Both probes; without the first one when the headers aren't sufficient.
  private static func both(_ path: String) async throws -> (headers: ClipProbe?, libav: ClipProbe) {
    let bytes = try FileBytes(path: path)
    let headers = try ISOFile.read(from: bytes).map { try HeaderProbe(file: $0, source: bytes).probe() } ?? nil
    return (headers == nil ? nil : try await Prober.probeForRules(path: path), try await Prober.probe(path: path))
  }

  /// How a file was probed.
  enum Reading {
    case headers
    /// With its headers, but not compared, because libav counts only the fragments it has read.
    case fragments
    /// The headers weren't sufficient.
    case libav
  }

  /// Compares both probes, if the headers were sufficient.
  private static func compare(_ path: String) async throws -> Reading {
    let (headers, libav) = try await both(path)
    guard let headers else { return .libav }
    guard headers.isFragmented == false else { return .fragments }
    #expect(headers.videoTracks.count == libav.videoTracks.filter { !$0.isAttachedPicture }.count, "\(path)")
    #expect(headers.audioTracks.count == libav.audioTracks.count, "\(path)")
    for (left, right) in zip(headers.videoTracks, libav.videoTracks) { compare(left, right, path) }
    for (left, right) in zip(headers.audioTracks, libav.audioTracks) {
      #expect([left.codec, left.codecTag] == [right.codec, right.codecTag], "\(path)")
      #expect(
        [left.index, left.channelCount, left.sampleRate] == [right.index, right.channelCount, right.sampleRate],
        "\(path)")
      #expect(left.isDefault == right.isDefault && left.hasSimpleEdits == right.hasSimpleEdits, "\(path)")
      #expect(isNear(left.durationSeconds, right.durationSeconds, within: 0.001), "\(path)")
      #expect(
        isNear(left.startSeconds, right.startSeconds, within: 0.03),
        "\(path) \(left.startSeconds ?? -1) \(right.startSeconds ?? -1)")
    }
    #expect(headers.container == libav.container && headers.majorBrand == libav.majorBrand, "\(path)")
    #expect(headers.missingByteCount == libav.missingByteCount && headers.anomalies == libav.anomalies, "\(path)")
    // The results of all rules must be equal.
    let judge = RuleEvaluator(standards: MuxStandard.all)
    let (ours, theirs) = (judge.evaluate(headers), judge.evaluate(libav))
    #expect(ours.checks == theirs.checks, "\(path): \(difference(ours.checks, theirs.checks))")
    return .headers
  }

  private static func difference(_ ours: [RuleCheck], _ theirs: [RuleCheck]) -> [String] {
    zip(ours, theirs).filter { $0 != $1 }.map { "\($0.rule): \($0.outcome), libav \($1.outcome)" }
  }

  private static func compare(_ left: VideoTrack, _ right: VideoTrack, _ path: String) {
    #expect(
      [left.codec, left.codecTag, left.profile, left.pixelFormat, left.fieldOrder] == [
        right.codec, right.codecTag, right.profile, right.pixelFormat, right.fieldOrder,
      ], "\(path)")
    #expect(
      [left.index, left.width, left.height, left.level, left.bitDepth] == [
        right.index, right.width, right.height, right.level, right.bitDepth,
      ], "\(path)")
    #expect(left.hasSquarePixels == right.hasSquarePixels && left.orientation == right.orientation, "\(path)")
    #expect(isNear(left.averageFrameRate?.value, right.averageFrameRate?.value, within: 0.01), "\(path)")
    #expect(isNear(left.durationSeconds, right.durationSeconds, within: 0.001), "\(path)")
    #expect(
      isNear(left.startSeconds, right.startSeconds, within: 0.001),
      "\(path) \(left.startSeconds ?? -1) \(right.startSeconds ?? -1)")
    let rates = (Double(left.bitsPerSecond ?? 0), Double(right.bitsPerSecond ?? 0))
    #expect(abs(rates.0 - rates.1) <= rates.1 * 0.01, "\(path) \(rates)")
    #expect(left.frameCount == right.frameCount && left.isDefault == right.isDefault, "\(path)")
    #expect(left.hasVariableFrameRate == right.hasVariableFrameRate, "\(path)")
    #expect(left.color.dynamicRange == right.color.dynamicRange, "\(path)")
    #expect(left.color.dolbyVisionProfile == right.color.dolbyVisionProfile, "\(path)")
    #expect(left.gop?.keyFrameCount == right.gop?.keyFrameCount, "\(path)")
    // libav's duration includes the time before the first frame.
    #expect(left.gop?.isClosed == right.gop?.isClosed, "\(path)")
    #expect(
      isNear(left.gop?.longestSeconds, right.gop?.longestSeconds, within: 0.05 + (left.startSeconds ?? 0)), "\(path)")
    #expect(left.hasParameterSets == right.hasParameterSets, "\(path)")
  }

  private static func isNear(_ left: Double?, _ right: Double?, within tolerance: Double) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return abs(left - right) <= tolerance
  }

  @Test(arguments: ["rally-4k.mp4", "rally-portrait.mp4", "no-metadata.mp4", "too-short.mp4"])
  func samplesNeedOnlyTheirHeaders(name: String) async throws {
    #expect(try await Self.compare(SharedMedia.sample(name)) == .headers)
  }

  /// The real files whose headers aren't sufficient.
  private static let exceptions: [String: Reading] = [
    // Other codecs, and a track without video.
    "pixel-night-vp9-1920x1440-gps-ilst.mp4": .libav, "prores-422-10bit.mov": .libav, "audio-only-aac.mp4": .libav,
    "cover-art-chapters.m4a": .libav,
    // One frame has no rate.
    "phone-1080p-rot90-gps-xyz-one-frame.mov": .libav,
    "partially-fragmented.mp4": .fragments,
    // Truncated: samples are missing.
    "broken-truncated-hevc-31s.mp4": .libav,
  ]

  @Test(.enabled(if: !SharedManifest.rows.isEmpty), arguments: SharedManifest.rows.filter(\.isISO))
  func realFilesHaveEqualProbes(row: SharedManifest.Row) async throws {
    let reading = try await Self.compare(row.path)
    #expect(reading == Self.exceptions[row.file] ?? .headers)
  }
}
