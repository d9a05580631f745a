import ClipModel
import TestSupport
import Testing

@testable import ClipMedia

/// Clips with facts that are easy to get wrong, made by ffmpeg.
@Suite struct VerdictTests {
  private static func outcomes(_ name: String, _ recipe: [String]) async throws -> [String: RuleOutcome] {
    let probe = try await Prober.probeForRules(path: try ClipFactory.clip(name, recipe))
    let checks = RuleEvaluator().evaluate(probe).checks
    return Dictionary(uniqueKeysWithValues: checks.map { ($0.rule, $0.outcome) })
  }

  private static func scene(_ seconds: Int, rate: Int = 5, _ codec: [String]) -> [String] {
    ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=\(rate):d=\(seconds)"] + codec + ["-pix_fmt", "yuv420p"]
  }

  /// libav counts only the fragments that it has read: the first one.
  @Test func allFragmentsCount() async throws {
    let fragments = ["-movflags", "frag_keyframe+empty_moov"]
    let long = try await Self.outcomes(
      "frag-long.mp4", Self.scene(24, ["-c:v", "libx264", "-g", "50", "-sc_threshold", "0"]) + fragments)
    #expect(
      long["mux.key-frames"] == .pass && long["mux.closed-gop"] == .pass && long["mux.bit-rate"] == .pass, "\(long)")
    let sparse = try await Self.outcomes(
      "frag-sparse.mp4", Self.scene(48, ["-c:v", "libx264", "-g", "115", "-sc_threshold", "0"]) + fragments)
    #expect(sparse["mux.key-frames"] == .fail, "\(sparse)")
    let loud = try await Self.outcomes(
      "frag-loud.mp4",
      [
        "-f", "lavfi", "-i", "testsrc2=s=640x480:r=30:d=4,noise=alls=90:allf=t", "-c:v", "libx264", "-preset",
        "ultrafast", "-qp", "4", "-g", "30", "-pix_fmt", "yuv420p",
      ] + fragments)
    #expect(loud["mux.bit-rate"] == .fail && loud["mux.gop-bit-rate"] == .fail, "\(loud)")
  }

  /// A cut between key frames hides the start of a group, but not its length.
  @Test func cutGroupsKeepTheirLength() async throws {
    let whole = try ClipFactory.clip(
      "sparse.mp4", Self.scene(46, ["-c:v", "libx264", "-g", "115", "-sc_threshold", "0"]))
    let cut = try await Self.outcomes("sparse-cut.mp4", ["-ss", "1", "-i", whole, "-c", "copy"])
    #expect(cut["mux.key-frames"] == .fail, "\(cut)")
  }

  /// Six channels whose layout is in a program configuration of the stream.
  @Test func channelsOfProgramConfigurationsAreCounted() async throws {
    let side = try await Self.outcomes(
      "side.mp4",
      ["-f", "lavfi", "-i", "sine=d=4"] + Self.scene(4, ["-c:v", "libx264"])
        + ["-af", "aformat=channel_layouts=5.1(side)", "-c:a", "aac"])
    #expect(side["mux.audio-channels"] == .pass, "\(side)")
  }

  @Test func encryptedVideoIsRejected() async throws {
    let clip = try await Self.outcomes(
      "cenc.mp4",
      Self.scene(4, ["-c:v", "libx264"]) + [
        "-encryption_scheme", "cenc-aes-ctr", "-encryption_key", "00112233445566778899aabbccddeeff", "-encryption_kid",
        "112233445566778899aabbccddeeff00",
      ])
    #expect(clip["clip.video"] == .fail, "\(clip)")
  }

  @Test func severalVideoTracksFailASeparateRule() async throws {
    let clip = try await Self.outcomes(
      "two.mp4",
      ["-f", "lavfi", "-i", "testsrc=s=320x240:r=5:d=4"] + Self.scene(4, ["-map", "0", "-map", "1", "-c:v", "libx264"]))
    #expect(clip["clip.video"] == .pass && clip["clip.one-video"] == .fail, "\(clip)")
  }
}
