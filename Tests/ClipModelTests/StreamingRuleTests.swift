import Testing

@testable import ClipModel

/// Clips are uploaded during the encode only if a second encode is unlikely.
@Suite struct StreamingRuleTests {
  private static func plan(
    seconds: Double = 20, cap: Int64? = nil, isPromise: Bool = false, estimate: Int64? = nil,
    change: (inout VideoEncoding) -> Void = { _ in }
  ) -> ProcessingPlan {
    var encoding = VideoEncoding()
    encoding.sizeCap = cap.map {
      VideoEncoding.SizeCap(byteCount: $0, bitsPerSecond: 1, floorBitsPerSecond: 1, isPromise: isPromise)
    }
    change(&encoding)
    return ProcessingPlan(
      video: .transcode(trackIndex: 0, steps: [], encoding: encoding), durationSeconds: seconds,
      estimatedByteCount: estimate)
  }

  private static let mp4: ClipProbe = {
    var probe = ClipProbe(container: "mov", byteCount: 100)
    probe.isFastStart = true
    return probe
  }()

  private static func isStreamed(
    _ plan: ProcessingPlan, from source: ClipProbe = mp4, _ streaming: UploadStreaming = .on,
    to upload: UploadConditions = mux
  ) -> Bool {
    var upload = upload
    upload.streaming = streaming
    return StreamingRule.apply(to: plan, of: source, upload).placesIndexAtEnd == true
  }

  private static let mux = UploadConditions(.auto, host: "api.mux.com")

  /// 20 s at 8 Mbit/s have 20 MB, and the margin is 10 %.
  @Test(
    arguments: [(nil, true), (23_000_000, true), (22_000_001, true), (21_900_000, false), (1, false)], [true, false])
  func sizeLimitNeedsMargin(limit: (cap: Int64?, isStreamed: Bool), isPromise: Bool) {
    #expect(Self.isStreamed(Self.plan(cap: limit.cap, isPromise: isPromise)) == limit.isStreamed)
  }

  /// A clip that is estimated to be smaller has a margin of a quarter.
  @Test(arguments: [(7_900_000, true), (8_100_000, false), (20_000_000, false)])
  func estimateNeedsMargin(estimate: Int64, expected: Bool) {
    #expect(Self.isStreamed(Self.plan(cap: 10_000_000, estimate: estimate)) == expected)
  }

  /// Below the lowest bit rate that looks good, the larger clip is kept.
  @Test(arguments: [(999, false, true), (1000, false, false), (999, true, false)])
  func limitWithoutSecondEncodeIsIgnored(bitsPerSecond: Int64, isPromise: Bool, expected: Bool) {
    let plan = Self.plan {
      $0.sizeCap = .init(
        byteCount: 1, bitsPerSecond: bitsPerSecond, floorBitsPerSecond: 1000, isPromise: isPromise)
    }
    #expect(Self.isStreamed(plan) == expected)
    #expect(StreamingRule.pauses(plan, predictedByteCount: 2) == !expected)
  }

  @Test(arguments: [(nil, 1e9, false), (11_000_000, 9.9e6, false), (11_000_000, 10.1e6, true)])
  func uploadPausesNearTheLimit(cap: Int64?, predicted: Double, expected: Bool) {
    #expect(StreamingRule.pauses(Self.plan(cap: cap), predictedByteCount: predicted) == expected)
  }

  @Test(arguments: [(3_999_999, false), (4_000_000, true), (nil, true)])
  func smallClipsAreStreamedOnRequest(estimate: Int64?, isLarge: Bool) {
    let plan = Self.plan(estimate: estimate)
    #expect(Self.isStreamed(plan, .auto) == isLarge)
    #expect(Self.isStreamed(plan, .on) && !Self.isStreamed(plan, .off))
  }

  @Test(arguments: [(3, false), (5.9, false), (6, true), (60, true)])
  func shortClipsAreNotStreamed(seconds: Double, expected: Bool) {
    #expect(Self.isStreamed(Self.plan(seconds: seconds)) == expected)
  }

  @Test func otherPlansAreNotStreamed() {
    #expect(Self.isStreamed(Self.plan()))
    #expect(!Self.isStreamed(Self.plan { $0.usesHardware = true }))
    var damaged = Self.plan()
    damaged.salvages = true
    #expect(!Self.isStreamed(damaged))
    #expect(!Self.isStreamed(ProcessingPlan(video: .copy(trackIndex: 0), durationSeconds: 20)))
  }

  @Test func uploadDecides() {
    var upload = Self.mux
    upload.isLocal = true
    #expect(Self.isStreamed(Self.plan(), .on, to: upload) && !Self.isStreamed(Self.plan(), .auto, to: upload))
    upload.isPost = true
    #expect(!Self.isStreamed(Self.plan(), .on, to: upload))
    upload = Self.mux
    upload.requiresSize = true
    #expect(!Self.isStreamed(Self.plan(), .on, to: upload))
  }

  @Test func audioCopiedFromOtherContainersIsNotStreamed() {
    let stream = ClipProbe(container: "mpegts", byteCount: 100)
    var plan = Self.plan()
    #expect(Self.isStreamed(plan, from: stream))
    plan.audio = .copy(trackIndex: 1)
    #expect(Self.isStreamed(plan) && !Self.isStreamed(plan, from: stream))
  }

  @Test func decisionHasAReason() {
    let streamed = StreamingRule.apply(to: Self.plan(), of: Self.mp4, Self.mux)
    let later = StreamingRule.apply(to: Self.plan(), of: Self.mp4, UploadConditions(.off, host: "api.mux.com"))
    #expect(streamed.upload?.what != later.upload?.what && streamed.upload?.why != later.upload?.why)
    #expect(streamed.video.encoding?.keyFrameIntervalSeconds == 2)
    #expect(later.video.encoding?.keyFrameIntervalSeconds == 10)
  }
}
