import ClipModel
import Foundation
import Testing

@Suite struct ClipRulesTests {
  /// A clip that can be shared without transcoding.
  static let ready = {
    var video = VideoTrack(index: 0, codec: "h264", width: 1920, height: 1080)
    video.profile = "High"
    video.pixelFormat = "yuv420p"
    video.bitDepth = 8
    video.averageFrameRate = Rational(30, 1)
    video.durationSeconds = 10
    video.bitsPerSecond = 4_500_000
    video.gop = GOPProperties(keyFrameCount: 10, longestSeconds: 1, averageSeconds: 1)
    video.hasSimpleEdits = true
    var probe = ClipProbe(container: "mov,mp4,m4a,3gp,3g2,mj2", byteCount: 6_000_000)
    probe.durationSeconds = 10
    probe.videoTracks = [video]
    probe.audioTracks = [AudioTrack(index: 1, codec: "aac", sampleRate: 48000, channelCount: 2)]
    return probe
  }()

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

  @Test func conformingClipIsCopied() throws {
    let plan = try plan(Self.ready)
    #expect(plan.video == .copy(trackIndex: 0))
    #expect(plan.audio == .copy(trackIndex: 1))
    #expect(plan.posterSeconds == 2)
  }

  private static let obstacles: [(reason: String, change: @Sendable (inout VideoTrack) -> Void)] = [
    ("hevc", { $0.codec = "hevc" }), ("3840x2160", { ($0.width, $0.height) = (3840, 2160) }),
    ("2560x1080", { $0.width = 2560 }), ("yuv422p", { $0.pixelFormat = "yuv422p" }),
    ("HDR", { $0.color.dynamicRange = .hlg }), ("square", { $0.sampleAspectRatio = Rational(9, 10) }),
    ("Mbit/s", { $0.bitsPerSecond = 8_000_001 }), ("edit list", { $0.hasSimpleEdits = false }),
    ("key frames", { $0.gop = GOPProperties(keyFrameCount: 1, longestSeconds: 20.1, averageSeconds: 20.1) }),
    ("frames per second", { $0.averageFrameRate = Rational(240, 1) }), ("odd", { $0.height = 721 }),
    ("hides", { $0.hiddenSeconds = 0.5 }), ("interlaced", { $0.fieldOrder = "tt" }),
    ("open GOPs", { $0.gop?.isClosed = false }), ("peaks", { $0.gop?.highestBitsPerSecond = 16_000_001 }),
  ]

  /// Each change alone prevents copying, and the plan contains its reason.
  @Test(arguments: obstacles.indices)
  func obstacleCausesTranscoding(index: Int) throws {
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

  /// Full range and the older profiles are standard input.
  @Test(arguments: [("yuvj420p", "High"), ("yuv420p", "Main"), ("yuv420p", "Constrained Baseline")])
  func fullRangeAndOlderProfilesAreCopied(pixelFormat: String, profile: String) throws {
    var probe = Self.ready
    probe.videoTracks[0].pixelFormat = pixelFormat
    probe.videoTracks[0].profile = profile
    #expect(try plan(probe).video == .copy(trackIndex: 0))
  }

  @Test func frameRateAboveTheLimitIsDivided() throws {
    var probe = Self.ready
    probe.videoTracks[0].averageFrameRate = Rational(240, 1)
    guard case .transcode(_, _, let encoding) = try plan(probe).video else { throw Refused() }
    #expect(encoding.frameRateDivisor == 2)
  }

  @Test(arguments: [(2.9, false), (3.0, true), (60.0, true), (60.1, false)])
  func durationIsThreeToSixtySecondsInclusive(seconds: Double, isAllowed: Bool) {
    var probe = Self.ready
    probe.durationSeconds = seconds
    probe.videoTracks[0].durationSeconds = seconds
    #expect(errors(probe) == (isAllowed ? [] : ["clip.duration"]))
  }

  /// A long match is accepted if a rally is cut out of it.
  @Test func cutDeterminesTheDuration() throws {
    var probe = Self.ready
    probe.videoTracks[0].durationSeconds = 600
    #expect(errors(probe) == ["clip.duration"])
    let plan = try plan(probe, cut: 100..<110)
    #expect(plan.durationSeconds == 10)
    #expect(plan.trim == 100..<110)
    guard case .transcode = plan.video else { throw Refused() }
    #expect(errors(probe, cut: 100..<101) == ["clip.duration"])
  }

  /// The copies start at a key frame before or after their cut.
  @Test(
    arguments: [
      (RuleSetting(), 9.95..<13, 10..<13.02), (RuleSetting(), 10.05..<70, 10..<69.8),
      (RuleSetting(), 9.95..<15, 10..<15), (RuleSetting(minimum: 5), 9.95..<14.97, 10..<15.02),
      (RuleSetting(maximum: 9), 10.09..<19.05, 10..<18.8), (RuleSetting(), 10.5..<13.5, 10.5..<13.52),
    ] as [(RuleSetting, Range<Double>, Range<Double>)])
  func endOfACutMovesToFitTheLimits(limits: RuleSetting, cut: Range<Double>, expected: Range<Double>) throws {
    var probe = Self.ready
    probe.videoTracks[0].durationSeconds = 600
    probe.videoTracks[0].gop?.keyFrameSeconds = (0..<600).map(Double.init)
    probe.videoTracks[0].gop?.highestBitsPerSecond = 5_000_000
    let verdict = ClipRules(RuleSettings(["clip.duration": limits])).plan(
      probe, cut: cut, settings: ProcessingSettings(), fitsLimits: true)
    guard case .plan(let plan) = verdict else { throw Refused() }
    let trim = try #require(plan.trim)
    #expect(abs(trim.lowerBound - expected.lowerBound) < 1e-9 && abs(trim.upperBound - expected.upperBound) < 1e-9)
    #expect(plan.durationSeconds == trim.upperBound - trim.lowerBound)
  }

  @Test func rejectionContainsAllReasons() {
    var cover = Self.ready
    cover.videoTracks[0].isAttachedPicture = true
    #expect(errors(cover) == ["clip.video"])
    var none = Self.ready
    none.videoTracks = []
    #expect(errors(none) == ["clip.video"])
    var many = Self.ready
    many.videoTracks[0].color.dolbyVisionProfile = 5
    many.videoTracks[0].durationSeconds = 1
    many.missingByteCount = 17
    #expect(Set(errors(many)) == ["clip.color", "clip.duration", "clip.truncated"])
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
  func audioIsCopiedIfItIsAACAndEncodedOtherwise(
    codec: String, channels: Int, rate: Int, expected: AudioTreatment
  ) throws {
    var probe = Self.ready
    probe.audioTracks[0] = AudioTrack(index: 1, codec: codec, sampleRate: rate, channelCount: channels)
    #expect(try plan(probe).audio == expected)
  }

  @Test func planListsEverythingThatIsDropped() throws {
    var probe = Self.ready
    probe.dataTracks = [
      DataTrack(index: 2, type: "data", codecTag: "tmcd"), DataTrack(index: 3, type: "data", codecTag: "gpmd"),
    ]
    probe.locationCarriers = [
      PrivacyCarrier(kind: "gopro-gpmd", place: "track 4 (gpmd)", trackIndex: 3),
      PrivacyCarrier(kind: "quicktime-xyz", place: "moov/udta/©xyz"),
    ]
    probe.metadataKeys = ["com.apple.quicktime.make", "creation_time", "encoder"]
    let plan = try plan(probe)
    #expect(
      plan.dropped.map(\.what) == [
        "track 4 (gpmd) (gopro-gpmd)", "moov/udta/©xyz (quicktime-xyz)", "track 2 (tmcd)",
        "container metadata (com.apple.quicktime.make)",
      ])
    #expect(plan.removedData == [.location, .location, .track, .cameraModel])
  }

  @Test(
    arguments: [
      (["com.android.model"], [.cameraModel]), (["major_brand", "comment"], [.metadata]),
      (["Make", "creationdate", "date", "Artist", "comment"], [.cameraModel, .recordingDate, .author]),
      (["creation_time", "encoder"], []),
    ] as [([String], [RemovedData])])
  func removedMetadataIsClassifiedByItsKeys(keys: [String], expected: [RemovedData]) throws {
    var probe = Self.ready
    probe.metadataKeys = keys
    #expect(try plan(probe).removedData == expected)
  }

  @Test func posterTimeIsInsideTheClip() throws {
    var probe = Self.ready
    probe.videoTracks[0].durationSeconds = 3
    var settings = ProcessingSettings()
    settings.pictures.posterSeconds = 30
    guard case .plan(let plan) = ClipRules().plan(probe, settings: settings) else { throw Refused() }
    #expect(try #require(plan.posterSeconds) <= 3)
  }

  // MARK: User settings

  private func plan(
    _ change: (inout ProcessingSettings) -> Void, cut: Range<Double>? = nil, of probe: ClipProbe
  ) throws -> ProcessingPlan {
    var settings = ProcessingSettings()
    change(&settings)
    guard case .plan(let plan) = ClipRules().plan(probe, cut: cut, settings: settings) else { throw Refused() }
    return plan
  }

  private static func hevc(_ range: DynamicRange) -> ClipProbe {
    var probe = ready
    probe.videoTracks[0].codec = "hevc"
    probe.videoTracks[0].pixelFormat = range == .sdr ? "yuv420p" : "yuv420p10le"
    probe.videoTracks[0].color.dynamicRange = range
    return probe
  }

  /// The dynamic range, the requested codec, and the expected codec: `nil` for a copy.
  @Test(
    arguments: [
      (.sdr, .h264, false, .h264), (.sdr, .keep, false, nil), (.sdr, .hevc, false, nil), (.hlg, .keep, false, .h264),
      (.hlg, .h264, true, nil), (.hlg, .keep, true, nil), (.pq, .hevc, false, .hevc),
    ] as [(DynamicRange, ProcessingSettings.CodecChoice, Bool, VideoEncoding.Codec?)])
  func codecDependsOnSettingsAndDynamicRange(
    range: DynamicRange, codec: ProcessingSettings.CodecChoice, keepsHDR: Bool, expected: VideoEncoding.Codec?
  ) throws {
    let plan = try plan({ ($0.codec, $0.keepsHDR) = (codec, keepsHDR) }, of: Self.hevc(range))
    #expect(plan.video.encoding?.codec == expected)
  }

  /// HDR that is scaled becomes Main 10 and is not tone mapped.
  @Test func keptHDRIsNotToneMapped() throws {
    var probe = Self.hevc(.pq)
    (probe.videoTracks[0].width, probe.videoTracks[0].height) = (3840, 2160)
    let plan = try plan({ $0.keepsHDR = true }, of: probe)
    guard case .transcode(_, let steps, let encoding) = plan.video else { throw Refused() }
    #expect(encoding.codec == .hevcHDR && steps == [.scale(width: 1920, height: 1080)])
  }

  @Test(
    arguments: [(20_000_000, 1080), (2_600_000, 1080), (1_300_000, 720), (900_000, 540), (400_000, 240), (50_000, 240)]
      as [(Int64, Int)])
  func sizeLimitReducesTheResolution(limit: Int64, lines: Int) throws {
    var probe = Self.ready
    probe.byteCount = 30_000_000
    let plan = try plan({ $0.maximumByteCount = limit }, of: probe)
    guard case .transcode(_, let steps, let encoding) = plan.video else { throw Refused() }
    #expect(steps.contains { if case .scale(_, lines) = $0 { true } else { false } }, "\(steps)")
    #expect(encoding.sizeCap?.isPromise == true && encoding.sizeCap?.byteCount == limit)
    #expect(encoding.maximumBitsPerSecond <= max(limit * 8 / 10, 50_000))
  }

  @Test func clipBelowTheSizeLimitIsCopied() throws {
    #expect(try plan({ $0.maximumByteCount = 6_200_000 }, of: Self.ready).video == .copy(trackIndex: 0))
    // The index of an MP4 may be larger than that of the source.
    #expect(try plan({ $0.maximumByteCount = 6_000_000 }, of: Self.ready).video.encoding != nil)
  }

  @Test func heightIsTheShortSide() throws {
    var probe = Self.ready
    (probe.videoTracks[0].width, probe.videoTracks[0].height) = (1080, 1920)
    let plan = try plan({ $0.limitResolution(height: 720) }, of: probe)
    guard case .transcode(_, let steps, _) = plan.video else { throw Refused() }
    #expect(steps == [.scale(width: 720, height: 1280)])
  }

  /// A nearby key frame allows copying a cut, and the plan contains the distance.
  @Test(arguments: [(4.0, 0), (4.08, -80), (3.93, 70), (4.3, nil)] as [(Double, Int?)])
  func aCutNearAKeyFrameIsCopied(start: Double, milliseconds: Int?) throws {
    var probe = Self.ready
    probe.videoTracks[0].gop?.keyFrameSeconds = [0, 2, 4, 6, 8]
    probe.videoTracks[0].gop?.highestBitsPerSecond = 8_000_000
    let plan = try plan({ _ in }, cut: start..<8, of: probe)
    #expect((plan.video == .copy(trackIndex: 0)) == (milliseconds != nil))
    guard let milliseconds else { return }
    #expect(plan.trim == 4..<8)
    // A part may have a higher bit rate than the whole clip, and its size is unknown.
    probe.videoTracks[0].gop?.highestBitsPerSecond = 8_000_001
    #expect(try self.plan({ _ in }, cut: start..<8, of: probe).video.encoding != nil)
    probe.videoTracks[0].gop?.highestBitsPerSecond = 8_000_000
    #expect(try self.plan({ $0.maximumByteCount = 5_000_000 }, cut: start..<8, of: probe).video.encoding != nil)
    #expect(plan.decisions.contains { $0.why.contains("key frame \(milliseconds) ms") })
  }

  @Test func salvagingAcceptsATruncatedFile() throws {
    var probe = Self.ready
    probe.missingByteCount = 17
    #expect(errors(probe) == ["clip.truncated"])
    let plan = try plan({ $0.salvages = true }, of: probe)
    // Copied media would keep its damage.
    #expect(plan.salvages == true && plan.video.encoding != nil && plan.audio != .copy(trackIndex: 1))
  }

  /// Apple's spatial audio is skipped even if it is the default track.
  @Test func undecodableAudioTrackIsSkipped() throws {
    var probe = Self.ready
    probe.audioTracks = [
      AudioTrack(index: 1, codec: "none", codecTag: "apac", sampleRate: 48000, channelCount: 4),
      AudioTrack(index: 2, codec: "aac", sampleRate: 48000, channelCount: 2),
    ]
    probe.audioTracks[1].isDefault = false
    let plan = try plan(probe)
    #expect(plan.audio == .copy(trackIndex: 2))
    #expect(plan.dropped.contains { $0.what == "track 1 (apac)" })
    probe.audioTracks.removeLast()
    #expect(try self.plan(probe).audio == nil)
  }

  @Test(
    arguments: [
      ("25MB", 25_000_000), ("1.5 GB", 1_500_000_000), ("800k", 800_000), ("2GiB", 2_147_483_648), ("17", 17),
      ("", nil), ("0", nil), ("-5MB", nil), ("5 apples", nil), ("1e400", nil),
    ] as [(String, Int64?)])
  func byteCountsAreParsed(text: String, expected: Int64?) { #expect(ByteCount.parse(text) == expected) }
}

extension ProcessingPlan {
  fileprivate var posterSeconds: Double? {
    for case .poster(let plan) in pictures { return plan.atSeconds }
    return nil
  }
}

/// Journals of earlier versions contain settings and encodings without an effort.
@Test func effortOfEarlierVersionsIsFast() throws {
  var settings = ProcessingSettings()
  settings.effort = .best
  let stored = try JSONEncoder().encode(settings)
  #expect(try JSONDecoder().decode(ProcessingSettings.self, from: stored) == settings)
  var object = try #require(try JSONSerialization.jsonObject(with: stored) as? [String: Any])
  #expect(object.removeValue(forKey: "effort") as? String == "best")
  let earlier = try JSONDecoder().decode(ProcessingSettings.self, from: JSONSerialization.data(withJSONObject: object))
  #expect(earlier == ProcessingSettings())
}
