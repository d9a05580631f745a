import Testing

@testable import ClipModel

/// Clips are uploaded during the encode only if a second encode is unlikely.
@Suite struct StreamingRuleTests {
  private static func plan(
    seconds: Double = 20, cap: Int64? = nil, isPromise: Bool = false, change: (inout VideoEncoding) -> Void = { _ in }
  ) -> ProcessingPlan {
    var encoding = VideoEncoding()
    encoding.sizeCap = cap.map {
      VideoEncoding.SizeCap(byteCount: $0, bitsPerSecond: 1, floorBitsPerSecond: 1, isPromise: isPromise)
    }
    change(&encoding)
    return ProcessingPlan(
      video: .transcode(trackIndex: 0, steps: [], encoding: encoding), durationSeconds: seconds)
  }

  private static let mp4: ClipProbe = {
    var probe = ClipProbe(container: "mov", byteCount: 100)
    probe.isFastStart = true
    return probe
  }()

  private static func isStreamed(_ plan: ProcessingPlan, from source: ClipProbe = mp4, refusal: String? = nil) -> Bool {
    StreamingRule.apply(to: plan, of: source, refusal: refusal).placesIndexAtEnd == true
  }

  /// 20 s at 8 Mbit/s have 20 MB, and the margin is 10 %.
  @Test(
    arguments: [(nil, true), (23_000_000, true), (22_000_001, true), (21_900_000, false), (1, false)], [true, false])
  func sizeLimitNeedsMargin(limit: (cap: Int64?, isStreamed: Bool), isPromise: Bool) {
    #expect(Self.isStreamed(Self.plan(cap: limit.cap, isPromise: isPromise)) == limit.isStreamed)
  }

  @Test(arguments: [(3, false), (5.9, false), (6, true), (60, true)])
  func shortClipsAreNotStreamed(seconds: Double, expected: Bool) {
    #expect(Self.isStreamed(Self.plan(seconds: seconds)) == expected)
  }

  @Test func otherPlansAreNotStreamed() {
    #expect(Self.isStreamed(Self.plan()))
    #expect(!Self.isStreamed(Self.plan(), refusal: "the host requires the size"))
    #expect(!Self.isStreamed(Self.plan { $0.usesHardware = true }))
    var damaged = Self.plan()
    damaged.salvages = true
    #expect(!Self.isStreamed(damaged))
    #expect(!Self.isStreamed(ProcessingPlan(video: .copy(trackIndex: 0), durationSeconds: 20)))
  }

  @Test func audioCopiedFromOtherContainersIsNotStreamed() {
    let stream = ClipProbe(container: "mpegts", byteCount: 100)
    var plan = Self.plan()
    #expect(Self.isStreamed(plan, from: stream))
    plan.audio = .copy(trackIndex: 1)
    #expect(Self.isStreamed(plan) && !Self.isStreamed(plan, from: stream))
  }

  @Test func decisionHasAReason() {
    let streamed = StreamingRule.apply(to: Self.plan(), of: Self.mp4, refusal: nil)
    let later = StreamingRule.apply(to: Self.plan(), of: Self.mp4, refusal: "the host requires the size")
    #expect(streamed.decisions.count == 1 && later.decisions.map(\.why) == ["the host requires the size"])
    #expect(streamed.decisions.map(\.what) != later.decisions.map(\.what))
    #expect(streamed.video.encoding?.keyFrameIntervalSeconds == 2)
    #expect(later.video.encoding?.keyFrameIntervalSeconds == 10)
  }
}
