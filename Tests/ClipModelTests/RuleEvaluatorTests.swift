import ClipModel
import Foundation
import Testing

/// Evaluates the rules on facts, without files.
@Suite struct RuleEvaluatorTests {
  /// A clip that conforms to Mux's standard input and to all other rules.
  static let good: ClipProbe = {
    var video = VideoTrack(index: 0, codec: "h264", width: 1920, height: 1080)
    video.profile = "High"
    video.pixelFormat = "yuv420p"
    video.bitDepth = 8
    video.averageFrameRate = Rational(30, 1)
    video.durationSeconds = 10
    video.startSeconds = 0
    video.bitsPerSecond = 8_000_000
    video.hasSimpleEdits = true
    video.fieldOrder = "progressive"
    video.gop = GOPProperties(keyFrameCount: 5, longestSeconds: 20, averageSeconds: 2)
    video.gop?.highestBitsPerSecond = 16_000_000
    video.gop?.isClosed = true
    video.hasParameterSets = true
    video.stalledSampleCount = 0
    var audio = AudioTrack(index: 1, codec: "aac", sampleRate: 48_000, channelCount: 2)
    audio.durationSeconds = 10
    audio.startSeconds = 0
    audio.hasSimpleEdits = true
    audio.stalledSampleCount = 0
    var probe = ClipProbe(container: "mov,mp4", byteCount: 10_000_000)
    probe.majorBrand = "isom"
    probe.durationSeconds = 10
    probe.isFastStart = true
    probe.videoTracks = [video]
    probe.audioTracks = [audio]
    probe.missingByteCount = 0
    probe.deviceCarriers = []
    probe.tableProblems = []
    return probe
  }()

  /// A change to the good clip and its expected result.
  struct Case: Sendable, CustomStringConvertible {
    var rule: String
    var words = ""
    var severity = Finding.Severity.warning
    var change: @Sendable (inout ClipProbe) -> Void

    var description: String { "\(rule) \(words)" }
    var probe: ClipProbe { changed(change) }
  }

  private static func mux(
    _ requirement: MuxRequirement, _ words: String = "", _ change: @escaping @Sendable (inout ClipProbe) -> Void
  ) -> Case { Case(rule: requirement.rawValue, words: words, change: change) }

  private static func own(
    _ rule: String, _ severity: Finding.Severity, _ change: @escaping @Sendable (inout ClipProbe) -> Void
  ) -> Case { Case(rule: rule, severity: severity, change: change) }

  private static func changed(_ change: (inout ClipProbe) -> Void) -> ClipProbe {
    var probe = good
    change(&probe)
    return probe
  }

  @Test func goodClipPassesEveryRule() {
    let evaluation = RuleEvaluator().evaluate(Self.good)
    #expect(evaluation.findings.isEmpty, "\(evaluation.findings)")
    #expect(evaluation.checks.allSatisfy { $0.outcome == .pass }, "\(evaluation.checks)")
    #expect(evaluation.checks.allSatisfy { RuleCatalog.rule($0.rule) != nil })
    #expect(evaluation.checks.count == Set(evaluation.checks.map(\.rule)).count)
  }

  @Test func catalogContainsEachRuleOnce() {
    let ids = RuleCatalog.rules.map(\.id)
    #expect(Set(ids).count == ids.count)
    #expect(RallyCheck.allCases.allSatisfy { ids.contains($0.rawValue) })
    #expect(MuxRequirement.allCases.allSatisfy { ids.contains($0.rawValue) })
    #expect(RuleCatalog.rules.allSatisfy { !$0.summary.isEmpty && !$0.reason.isEmpty && !$0.source.isEmpty })
  }

  // MARK: Mux

  /// Values just beyond each limit, with the words that Mux would use. Values on the limit pass in the test above.
  @Test(arguments: [
    mux(.videoCodec, "video_codec: vp9") { $0.videoTracks[0].codec = "vp9" },
    mux(.resolution, "video_resolution: 2050x1080") { $0.videoTracks[0].width = 2050 },
    mux(.resolution, "video_resolution: 1080x2050") {
      $0.videoTracks[0].width = 1080
      $0.videoTracks[0].height = 2050
    },
    mux(.frameRate, "video_frame_rate: 121") { $0.videoTracks[0].averageFrameRate = Rational(121, 1) },
    mux(.frameRate, "video_frame_rate: 4.99") { $0.videoTracks[0].averageFrameRate = Rational(499, 100) },
    mux(.bitRate, "video_bitrate: high") { $0.videoTracks[0].bitsPerSecond = 8_000_001 },
    mux(.gopBitRate, "video_bitrate: high") { $0.videoTracks[0].gop?.highestBitsPerSecond = 16_000_001 },
    mux(.keyFrames, "video_gop_size: high") { $0.videoTracks[0].gop?.longestSeconds = 20.01 },
    mux(.closedGOP, "unexpected_media_file_parameters: non-standard") { $0.videoTracks[0].gop?.isClosed = false },
    mux(.pixelFormat, "unsupported_pixel_format: yuv422p10le") { $0.videoTracks[0].pixelFormat = "yuv422p10le" },
    mux(.profile, "unexpected_media_file_parameters") { $0.videoTracks[0].profile = "High 4:2:2" },
    mux(.dynamicRange, "unexpected_media_file_parameters") { $0.videoTracks[0].color.dynamicRange = .hlg },
    mux(.pixelAspectRatio, "pixel_aspect_ratio: 4:3") { $0.videoTracks[0].sampleAspectRatio = Rational(4, 3) },
    mux(.editList, "video_edit_list: non-standard") { $0.videoTracks[0].hasSimpleEdits = false },
    mux(.audioEditList, "audio_edit_list: non-standard") { $0.audioTracks[0].hasSimpleEdits = false },
    mux(.audioCodec, "audio_codec: opus") { $0.audioTracks[0].codec = "opus" },
    mux(.audioChannels, "unexpected_media_file_parameters") { $0.audioTracks[0].channelCount = 4 },
    mux(.duration, "longer than 12 hours") { $0.videoTracks[0].durationSeconds = 43_201 },
  ])
  func violationsOfMuxLimitsAreReportedInMuxTerms(broken: Case) throws {
    let evaluation = RuleEvaluator().evaluate(broken.probe)
    let finding = try #require(evaluation.findings.first { $0.rule == broken.rule })
    #expect(finding.message.contains(broken.words), "\(finding.message)")
    #expect(finding.severity == .warning && finding.place == "mux-2025-10")
    let failed = evaluation.checks.filter { $0.rule.hasPrefix("mux.") && $0.outcome == .fail }
    #expect(failed.map(\.rule) == [broken.rule])
  }

  /// An unknown value is not a pass.
  @Test(arguments: [
    mux(.bitRate) { $0.videoTracks[0].bitsPerSecond = nil },
    mux(.gopBitRate) { $0.videoTracks[0].gop?.highestBitsPerSecond = nil },
    mux(.closedGOP) { $0.videoTracks[0].gop?.isClosed = nil }, mux(.keyFrames) { $0.videoTracks[0].gop = nil },
    mux(.pixelFormat) { $0.videoTracks[0].pixelFormat = nil }, mux(.profile) { $0.videoTracks[0].profile = nil },
    mux(.editList) { $0.videoTracks[0].hasSimpleEdits = nil },
    mux(.frameRate) { $0.videoTracks[0].averageFrameRate = nil },
  ])
  func missingValuesAreUnknown(open: Case) {
    let evaluation = RuleEvaluator().evaluate(open.probe)
    #expect(evaluation.checks.first { $0.rule == open.rule }?.outcome == .unknown)
    #expect(!evaluation.findings.contains { $0.rule == open.rule })
  }

  private static let hevc = changed {
    $0.videoTracks[0].codec = "hevc"
    $0.videoTracks[0].profile = "Main 10"
    $0.videoTracks[0].pixelFormat = "yuv420p10le"
    $0.videoTracks[0].bitDepth = 10
    $0.videoTracks[0].gop?.longestSeconds = 10
    $0.videoTracks[0].color.dynamicRange = .hlg
  }

  @Test func hevcIsStandardSinceOctober2025() {
    #expect(MuxStandard.october2025.evaluate(Self.hevc).allSatisfy { $0.outcome == .pass })
    let before = MuxStandard.june2024.evaluate(Self.hevc).filter { $0.outcome == .fail }.map(\.requirement)
    #expect(Set(before) == [.videoCodec, .dynamicRange])
    // The limit for the time between key frames is lower than for H.264.
    let sparse = Self.changed {
      $0 = Self.hevc
      $0.videoTracks[0].gop?.longestSeconds = 10.01
    }
    #expect(MuxStandard.october2025.evaluate(sparse).filter { $0.outcome == .fail }.map(\.requirement) == [.keyFrames])
  }

  /// Small videos are checked against the limits for 1080p, whatever the tier.
  @Test func largeTierIsOnlyForLargeVideos() {
    let large = Self.changed {
      $0.videoTracks[0].width = 3840
      $0.videoTracks[0].height = 2160
      $0.videoTracks[0].bitsPerSecond = 20_000_000
      $0.videoTracks[0].gop?.longestSeconds = 10
    }
    #expect(MuxStandard.october2025Large.evaluate(large).allSatisfy { $0.outcome == .pass })
    let small = Self.changed { $0.videoTracks[0].bitsPerSecond = 9_000_000 }
    let evaluation = RuleEvaluator(standards: [.october2025Large]).evaluate(small)
    #expect(evaluation.checks.filter { $0.outcome == .fail }.map(\.rule) == ["mux.bit-rate"])
  }

  // MARK: Other rules

  @Test(arguments: [
    own("clip.duration", .error) {
      $0.videoTracks[0].durationSeconds = 2.9
      $0.audioTracks = []
    },
    own("clip.duration", .error) {
      $0.videoTracks[0].durationSeconds = 60.1
      $0.audioTracks = []
    },
    own("clip.truncated", .error) { $0.missingByteCount = 1 },
    own("clip.interlaced", .warning) { $0.videoTracks[0].fieldOrder = "tt" },
    own("clip.color", .error) { $0.videoTracks[0].color.dolbyVisionProfile = 5 },
    own("clip.frame-rate", .warning) { $0.videoTracks[0].averageFrameRate = Rational(3, 1) },
    own("clip.sync", .warning) { $0.audioTracks[0].durationSeconds = 9.4 },
    own("clip.sync", .warning) { $0.audioTracks[0].startSeconds = 0.6 },
    own("container.structure", .warning) { $0.anomalies = ["a box is damaged"] },
    own("container.faststart", .info) { $0.isFastStart = false },
    own("clip.parameter-sets", .error) { $0.videoTracks[0].hasParameterSets = false },
    own("container.brand", .info) { $0.majorBrand = nil },
    own("container.brand", .info) { $0.majorBrand = "heic" },
    own("container.tables", .warning) { $0.tableProblems = ["stsz claims too much"] },
    own("container.timestamps", .warning) { $0.videoTracks[0].stalledSampleCount = 1 },
    own("container.timestamps", .warning) { $0.audioTracks[0].stalledSampleCount = 2 },
    own("container.trailing-data", .warning) { $0.trailer = FileTrailer(kind: "unknown", byteCount: 7) },
    own("container.trailing-data", .info) { $0.trailer = FileTrailer(kind: "insta360", byteCount: 7) },
    own("privacy.device", .warning) {
      $0.deviceCarriers = [PrivacyCarrier(disclosure: .identity, kind: "gopro-serial", place: "moov/udta/CAME")]
    },
    own("privacy.location", .warning) {
      $0.locationCarriers = [PrivacyCarrier(kind: "quicktime-xyz", place: "moov/udta/©xyz")]
    },
  ])
  func eachViolationFailsOnlyItsRule(broken: Case) throws {
    let evaluation = RuleEvaluator(standards: []).evaluate(broken.probe)
    #expect(evaluation.checks.filter { $0.outcome == .fail }.map(\.rule) == [broken.rule])
    #expect(try #require(evaluation.findings.first { $0.rule == broken.rule }).severity == broken.severity)
  }

  /// In MP4 files, durations include the empty edit of a late video. In other files, they don't.
  @Test(arguments: [(isISO: true, outcome: RuleOutcome.pass), (isISO: false, outcome: .fail)])
  func syncRuleCountsALateStartOnce(isISO: Bool, outcome: RuleOutcome) {
    let late = Self.changed {
      $0.videoTracks[0].startSeconds = 0.4
      $0.videoTracks[0].durationSeconds = 10
      $0.audioTracks[0].startSeconds = 0
      $0.audioTracks[0].durationSeconds = 9.7
      if !isISO { ($0.tableProblems, $0.majorBrand, $0.isFastStart) = (nil, nil, nil) }
    }
    #expect(RuleEvaluator(standards: []).evaluate(late).checks.first { $0.rule == "clip.sync" }?.outcome == outcome)
  }

  /// `rally.length` checks the rallies of a match instead.
  @Test func lengthOfAMatchIsNotChecked() throws {
    let match = Self.changed {
      $0.videoTracks[0].durationSeconds = 600
      $0.audioTracks = []
    }
    let evaluation = RuleEvaluator(standards: []).evaluate(match, isMatch: true)
    let check = try #require(evaluation.checks.first { $0.rule == "clip.duration" })
    #expect(check.outcome == .unknown && check.reason?.isEmpty == false)
    #expect(!evaluation.findings.contains { $0.rule == "clip.duration" })
  }

  /// Decoding checks the same rule for all frames.
  @Test(arguments: [(InspectionDepth.samples, true), (.frames, false), (.everything, false)])
  func keyFramesAreCheckedWithoutDecoding(depth: InspectionDepth, isChecked: Bool) {
    let damaged = Self.changed { $0.videoTracks[0].gop?.damagedKeyFrameSeconds = [2] }
    let evaluation = RuleEvaluator(standards: []).evaluate(damaged, depth: depth)
    #expect(evaluation.checks.contains { $0.rule == "clip.nal-units" } == isChecked)
    #expect(evaluation.findings.contains { $0.rule == "clip.nal-units" } == isChecked)
  }

  @Test func locationIsAnErrorInAPublishedClip() {
    let located = Self.changed { $0.locationCarriers = [PrivacyCarrier(kind: "quicktime-xyz", place: "moov/udta")] }
    #expect(RuleEvaluator(isPublished: true).evaluate(located).findings.map(\.severity) == [.error])
  }

  // MARK: Settings

  /// A higher severity applies to the rule's own findings, but not to milder ones.
  @Test func raisingARuleKeepsItsMilderFindings() {
    let slow = Self.changed { $0.isFastStart = false }
    let evaluator = RuleEvaluator(
      standards: [],
      settings: RuleSettings([
        "container.faststart": RuleSetting(grade: .error), "clip.video": RuleSetting(grade: .error),
      ]))
    #expect(evaluator.evaluate(slow).findings.map(\.severity) == [.error])
    let two = Self.changed { $0.videoTracks.append($0.videoTracks[0]) }
    #expect(evaluator.evaluate(two).findings.map(\.severity) == [.warning])
  }

  /// A share ignores settings that would accept what a backend rejects.
  @Test func stricterKeepsOnlyStricterSettings() {
    let settings = RuleSettings([
      "clip.duration": RuleSetting(grade: .warning, minimum: 1, maximum: 30),
      "clip.frame-rate": RuleSetting(grade: .error, minimum: 24),
      "container.faststart": RuleSetting(grade: .warning), "clip.video": RuleSetting(grade: .off),
    ]).stricter
    #expect(settings.allowedRange("clip.duration") == 3...30)
    #expect(settings.rules["clip.duration"]?.grade == nil && !settings.isOff("clip.video"))
    #expect(settings.allowedRange("clip.frame-rate")?.lowerBound == 24)
    #expect(settings.rules["clip.frame-rate"]?.grade == .error)
    #expect(settings.rules["container.faststart"]?.grade == .warning)
  }

  @Test func settingsTurnOffGradeAndBoundRules() {
    let long = Self.changed { $0.videoTracks[0].durationSeconds = 90 }
    var evaluator = RuleEvaluator(standards: [])
    evaluator.settings = RuleSettings(["clip.duration": RuleSetting(grade: .off)])
    let off = evaluator.evaluate(long)
    #expect(
      !off.checks.contains { $0.rule == "clip.duration" } && !off.findings.contains { $0.rule == "clip.duration" })
    evaluator.settings = RuleSettings(["clip.duration": RuleSetting(grade: .warning)])
    #expect(evaluator.evaluate(long).findings.first { $0.rule == "clip.duration" }?.severity == .warning)
    evaluator.settings = RuleSettings(["clip.duration": RuleSetting(maximum: 120)])
    #expect(evaluator.evaluate(long).checks.first { $0.rule == "clip.duration" }?.outcome == .pass)
    evaluator.settings = RuleSettings(["clip.duration": RuleSetting(minimum: 100, maximum: 120)])
    #expect(
      evaluator.evaluate(long).findings.first { $0.rule == "clip.duration" }?.message.contains("100 to 120 s") == true)
  }
}
