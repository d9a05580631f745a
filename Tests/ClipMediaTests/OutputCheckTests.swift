import ClipModel
import Foundation
import LibAV
import TestSupport
import Testing

@testable import ClipMedia

/// Each requirement rejects an output that doesn't meet it.
@Suite struct OutputCheckTests {
  /// An intact output, and what it was made from.
  private struct Output {
    var check: OutputCheck
    var probe: ClipProbe

    func verify() throws { try check.verify(probe) }
  }

  /// - Parameter codec: the source's codec. H.264 is copied.
  private static func output(_ codec: String, more: [String] = []) async throws -> Output {
    let source = try ClipFactory.clip(
      "checked.mp4",
      ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=30:d=4", "-f", "lavfi", "-i", "sine=d=4"] + more
        + ["-g", "30", "-bf", "0", "-pix_fmt", "yuv420p", "-c:v", codec, "-c:a", "aac"])
    let maker = try ProcessedClipMaker()
    let (probe, plan) = try await maker.plan(source)
    let clip = try await maker.process(source, probe: probe, plan: plan)
    return Output(
      check: OutputCheck(source: "checked.mp4", plan: plan, probe: probe, report: PipelineReport()), probe: clip.probe)
  }

  struct Change: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// The ID of the error.
    var id: String
    var apply: @Sendable (inout ClipProbe) -> Void

    init(
      _ name: String, _ id: String = "clip.verification-failed", _ apply: @escaping @Sendable (inout ClipProbe) -> Void
    ) {
      (testDescription, self.id, self.apply) = (name, id, apply)
    }
  }

  /// Properties that copied and transcoded video must have.
  private static let changes = [
    Change("no video") { $0.videoTracks = [] },
    Change("two video tracks") { $0.videoTracks.append($0.videoTracks[0]) },
    Change("a data track") { $0.dataTracks = [DataTrack(index: 2, type: "data")] },
    Change("no audio") { $0.audioTracks = [] },
    Change("two audio tracks") { $0.audioTracks.append($0.audioTracks[0]) },
    Change("index at the end") { $0.isFastStart = false },
    Change("metadata") { $0.metadataKeys.append("artist") },
    Change("other codec") { $0.videoTracks[0].codec = "vp9" },
    Change("unknown duration") { ($0.videoTracks[0].durationSeconds, $0.durationSeconds) = (nil, nil) },
    Change("too short", "clip.damaged") { $0.videoTracks[0].durationSeconds = 3.9 },
    Change("too long", "clip.damaged") { $0.videoTracks[0].durationSeconds = 4.1 },
    Change("late start", "clip.damaged") { $0.videoTracks[0].startSeconds = 0.11 },
    Change("a missing frame", "clip.damaged") { $0.videoTracks[0].frameCount = 119 },
    Change("location data", "clip.location-left") {
      $0.locationCarriers = [PrivacyCarrier(kind: "quicktime-xyz", place: "moov/udta/©xyz")]
    },
  ]

  @Test(arguments: ["libx264", "mpeg4"], changes) func differencesAreRejected(codec: String, change: Change)
    async throws
  {
    var output = try await Self.output(codec)
    #expect((output.check.plan.video.encoding == nil) == (codec == "libx264"))
    try output.verify()
    change.apply(&output.probe)
    let error = #expect(throws: ClipMediaError.self) { try output.verify() }
    #expect(error?.explanation.id == change.id)
  }

  /// Properties of encoded video.
  @Test(arguments: [
    Change("profile") { $0.videoTracks[0].profile = "Main" },
    Change("pixel format") { $0.videoTracks[0].pixelFormat = "yuv422p" },
    Change("colors") { $0.videoTracks[0].color.transfer = "smpte2084" },
    Change("range") { $0.videoTracks[0].color.range = "pc" },
    Change("pixel shape") { $0.videoTracks[0].sampleAspectRatio = Rational(4, 3) },
    Change("edits") { $0.videoTracks[0].hasSimpleEdits = false },
    Change("open GOPs") { $0.videoTracks[0].gop?.isClosed = false },
    Change("bit rate") { $0.videoTracks[0].bitsPerSecond = 500_000_000 },
  ]) func differencesOfEncodedVideoAreRejected(change: Change) async throws {
    var output = try await Self.output("mpeg4")
    change.apply(&output.probe)
    let error = #expect(throws: ClipMediaError.self) { try output.verify() }
    #expect(error?.explanation.id == change.id)
  }

  /// libav shortens the last packet by the delay of a video that starts late. Only then is the shorter duration accepted.
  @Test(arguments: [(0.5, true), (0.0, false)]) func delayOfTheVideoIsATolerance(delay: Double, isAccepted: Bool)
    async throws
  {
    var output = try await Self.output("mpeg4")
    output.check.probe.videoTracks[0].startSeconds = delay
    output.check.probe.audioTracks[0].startSeconds = 0
    output.probe.videoTracks[0].durationSeconds = 3.6
    if isAccepted { try output.verify() } else { #expect(throws: ClipMediaError.self) { try output.verify() } }
  }

  /// Frames that the report lists as dropped aren't missing, and audio that has no packets isn't either.
  @Test func reportedDifferencesAreAccepted() async throws {
    var output = try await Self.output("mpeg4")
    output.probe.videoTracks[0].frameCount = 118
    #expect(throws: ClipMediaError.self) { try output.verify() }
    output.check.report.droppedCount = 2
    try output.verify()
    output.probe.audioTracks = []
    #expect(throws: ClipMediaError.self) { try output.verify() }
    output.check.report.hasAudio = false
    try output.verify()
    output.probe.videoTracks[0].durationSeconds = 2
    #expect(throws: ClipMediaError.self) { try output.verify() }
    output.check.report.salvagedSeconds = 2
    try output.verify()
  }
}
