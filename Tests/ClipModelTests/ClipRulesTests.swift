import ClipModel
import Testing

@Suite struct ClipRulesTests {
  /// A clip that can be shared as it is.
  static let ready = ClipProbe(
    container: "mov,mp4,m4a,3gp,3g2,mj2", byteCount: 6_000_000, durationSeconds: 10,
    videoTracks: [
      VideoTrack(
        index: 0, codec: "h264", profile: "High", pixelFormat: "yuv420p", bitDepth: 8, width: 1920, height: 1080,
        averageFrameRate: Rational(30, 1), durationSeconds: 10, bitsPerSecond: 4_500_000,
        gop: GOPFacts(keyFrameCount: 10, longestSeconds: 1, averageSeconds: 1), hasSimpleEdits: true)
    ],
    audioTracks: [AudioTrack(index: 1, codec: "aac", sampleRate: 48000, channelCount: 2)])

  private func plan(_ probe: ClipProbe, cut: Range<Double>? = nil) throws -> ProcessingPlan {
    guard case .plan(let plan) = ClipRules().plan(probe, cut: cut, settings: ProcessingSettings()) else {
      throw Refused()
    }
    return plan
  }

  private struct Refused: Error {}

  private func errors(_ probe: ClipProbe, cut: Range<Double>? = nil) -> [String] {
    guard case .rejection(let findings) = ClipRules().plan(probe, cut: cut, settings: ProcessingSettings()) else {
      return []
    }
    return findings.filter { $0.severity == .error }.map(\.rule)
  }

  @Test func whatFitsIsCopied() throws {
    let plan = try plan(Self.ready)
    #expect(plan.video == .copy(trackIndex: 0))
    #expect(plan.audio == .copy(trackIndex: 1))
    #expect(plan.poster.atSeconds == 2)
  }

  private static let obstacles: [(reason: String, change: @Sendable (inout VideoTrack) -> Void)] = [
    ("hevc", { $0.codec = "hevc" }), ("3840x2160", { ($0.width, $0.height) = (3840, 2160) }),
    ("2560x1080", { $0.width = 2560 }), ("yuv422p", { $0.pixelFormat = "yuv422p" }),
    ("HDR", { $0.color.dynamicRange = .hlg }), ("square", { $0.sampleAspectRatio = Rational(9, 10) }),
    ("Mbit/s", { $0.bitsPerSecond = 8_000_001 }), ("edit list", { $0.hasSimpleEdits = false }),
    ("key frames", { $0.gop = GOPFacts(keyFrameCount: 1, longestSeconds: 20.1, averageSeconds: 20.1) }),
    ("frames per second", { $0.averageFrameRate = Rational(240, 1) }), ("odd", { $0.height = 721 }),
    ("hides", { $0.hiddenSeconds = 0.5 }),
  ]

  /// Each change alone makes the difference between copying and encoding, and its reason is told.
  @Test(arguments: obstacles.indices)
  func whatDoesNotFitIsEncoded(index: Int) throws {
    let (reason, change) = Self.obstacles[index]
    var probe = Self.ready
    change(&probe.videoTracks[0])
    let plan = try plan(probe)
    guard case .transcode = plan.video else {
      Issue.record("copied in spite of \(reason)")
      return
    }
    #expect(plan.decisions.contains { $0.why.contains(reason) || $0.what.contains(reason) })
  }

  /// Full range and the older profiles pass, as the design says.
  @Test(arguments: [("yuvj420p", "High"), ("yuv420p", "Main"), ("yuv420p", "Constrained Baseline")])
  func fullRangeAndOlderProfilesAreCopied(pixelFormat: String, profile: String) throws {
    var probe = Self.ready
    probe.videoTracks[0].pixelFormat = pixelFormat
    probe.videoTracks[0].profile = profile
    #expect(try plan(probe).video == .copy(trackIndex: 0))
  }

  @Test func a240FrameClipIsThinnedToADivisor() throws {
    var probe = Self.ready
    probe.videoTracks[0].averageFrameRate = Rational(240, 1)
    guard case .transcode(_, _, let encoding) = try plan(probe).video else { throw Refused() }
    #expect(encoding.frameRateDivisor == 2)
  }

  @Test(arguments: [(2.9, false), (3.0, true), (60.0, true), (60.1, false)])
  func lengthIsThreeToSixtySecondsInclusive(seconds: Double, isAllowed: Bool) {
    var probe = Self.ready
    probe.durationSeconds = seconds
    probe.videoTracks[0].durationSeconds = seconds
    #expect(errors(probe) == (isAllowed ? [] : ["clip.duration"]))
  }

  /// A long match is fine when a rally is cut out of it.
  @Test func theCutIsWhatCounts() throws {
    var probe = Self.ready
    probe.videoTracks[0].durationSeconds = 600
    #expect(errors(probe) == ["clip.duration"])
    let plan = try plan(probe, cut: 100..<110)
    #expect(plan.durationSeconds == 10)
    #expect(plan.trim == 100..<110)
    guard case .transcode = plan.video else { throw Refused() }
    #expect(errors(probe, cut: 100..<101) == ["clip.duration"])
  }

  @Test func whatCannotBeSharedIsRefusedWithAllReasons() {
    var cover = Self.ready
    cover.videoTracks[0].isAttachedPicture = true
    #expect(errors(cover) == ["clip.video"])
    var none = Self.ready
    none.videoTracks = []
    #expect(errors(none) == ["clip.video"])
    var many = Self.ready
    many.videoTracks[0].fieldOrder = "tt"
    many.videoTracks[0].color.dolbyVisionProfile = 5
    many.videoTracks[0].durationSeconds = 1
    many.missingByteCount = 17
    #expect(Set(errors(many)) == ["clip.interlaced", "clip.color", "clip.duration", "clip.truncated"])
  }

  @Test(arguments: [
    (
      "pcm_s16le", 1, 44100,
      AudioTreatment.encode(trackIndex: 1, channelCount: 1, sampleRate: 44100, bitsPerSecond: 96_000)
    ),
    ("opus", 2, 48000, .encode(trackIndex: 1, channelCount: 2, sampleRate: 48000, bitsPerSecond: 160_000)),
    ("pcm_s24le", 4, 96000, .encode(trackIndex: 1, channelCount: 2, sampleRate: 48000, bitsPerSecond: 160_000)),
    ("aac", 6, 48000, .copy(trackIndex: 1)),
    ("aac", 8, 48000, .encode(trackIndex: 1, channelCount: 2, sampleRate: 48000, bitsPerSecond: 160_000)),
  ])
  func soundIsCopiedWhenItIsAACAndEncodedOtherwise(
    codec: String, channels: Int, rate: Int, expected: AudioTreatment
  ) throws {
    var probe = Self.ready
    probe.audioTracks[0] = AudioTrack(index: 1, codec: codec, sampleRate: rate, channelCount: channels)
    #expect(try plan(probe).audio == expected)
  }

  @Test func everythingLeftBehindIsNamedWithItsReason() throws {
    var probe = Self.ready
    probe.dataTracks = [
      DataTrack(index: 2, type: "data", codecTag: "tmcd"), DataTrack(index: 3, type: "data", codecTag: "gpmd"),
    ]
    probe.locationCarriers = [
      PrivacyCarrier(kind: "gopro-gpmd", place: "track 4 (gpmd)", trackIndex: 3),
      PrivacyCarrier(kind: "quicktime-xyz", place: "moov/udta/©xyz"),
    ]
    probe.metadataKeys = ["com.apple.quicktime.make", "creation_time", "encoder"]
    let dropped = try plan(probe).dropped.map(\.what)
    #expect(
      dropped == [
        "track 4 (gpmd) (gopro-gpmd)", "moov/udta/©xyz (quicktime-xyz)", "track 2 (tmcd)",
        "container metadata (com.apple.quicktime.make)",
      ])
  }

  @Test func thePosterStaysInsideTheClip() throws {
    var probe = Self.ready
    probe.videoTracks[0].durationSeconds = 3
    var settings = ProcessingSettings()
    settings.posterSeconds = 30
    guard case .plan(let plan) = ClipRules().plan(probe, settings: settings) else { throw Refused() }
    #expect(plan.poster.atSeconds < 3)
  }
}
