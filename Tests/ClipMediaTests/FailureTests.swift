import ClipModel
import Foundation
import TestSupport
import Testing

@testable import ClipMedia

@Suite struct FailureTests {
  private static func clip() throws -> String {
    try ClipFactory.clip(
      "failure.mp4",
      [
        "-f", "lavfi", "-i", "testsrc2=s=1280x720:r=30:d=5", "-c:v", "libx265", "-preset", "ultrafast", "-movflags",
        "faststart",
      ])
  }

  @Test func interruptedRunsLeaveNoFiles() async throws {
    let path = try Self.clip()
    let maker = try ProcessedClipMaker()
    let (probe, plan) = try await maker.plan(path)
    let (progress, continuation) = AsyncStream.makeStream(of: Double.self)
    let work = Task {
      try await ClipProcessor.process(
        OpenedClip(path: path, known: probe), plan: plan, to: maker.folder.path("clip.mp4"),
        options: maker.options(for: plan)
      ) { continuation.yield($0) }
    }
    for await fraction in progress where fraction > 0 { break }
    work.cancel()
    await #expect(throws: CancellationError.self) { try await work.value }
    #expect(try FileManager.default.contentsOfDirectory(atPath: maker.folder.path).isEmpty)
  }

  /// A file that ends after its index: the missing bytes are counted, and the plan is refused.
  @Test func truncatedFilesAreRefused() async throws {
    let whole = try Data(contentsOf: URL(fileURLWithPath: try Self.clip()))
    let folder = try ScratchFolder()
    let path = folder.path("cut.mp4")
    try whole.prefix(whole.count * 2 / 3).write(to: URL(fileURLWithPath: path))
    let probe = try await Prober.probe(path: path)
    #expect(probe.missingByteCount == Int64(whole.count - whole.count * 2 / 3))
    guard case .rejection(let findings) = ClipRules().plan(probe, settings: ProcessingSettings()) else {
      Issue.record("a truncated file was planned")
      return
    }
    #expect(findings.contains { $0.rule == "clip.truncated" && $0.severity == .error })
  }

  /// Overwritten bytes in the middle: the error has the time of the damage.
  @Test func damagedStreamsAreRefusedWithTheTime() async throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: try Self.clip()))
    let middle = bytes.count / 2
    for offset in middle..<(middle + 20_000) { bytes[offset] = UInt8(truncatingIfNeeded: offset &* 31) }
    let folder = try ScratchFolder()
    let path = folder.path("damaged.mp4")
    try bytes.write(to: URL(fileURLWithPath: path))
    let maker = try ProcessedClipMaker()
    do {
      _ = try await maker.process(path)
      Issue.record("a damaged file was processed")
    } catch let error as ClipMediaError {
      guard case .damaged(_, let seconds, _) = error else {
        Issue.record("\(error)")
        return
      }
      #expect((1...4).contains(seconds))
      #expect(error.explanation.category == .rejected)
    }
    #expect(!FileManager.default.fileExists(atPath: maker.folder.path("clip.mp4")))
  }

  /// Playlists with the name of a video don't open other files.
  @Test(arguments: [
    ("list.mp4", "#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n"),
    ("concat.mp4", "ffconcat version 1.0\nfile '/etc/passwd'\n"), ("text.mp4", "this is not a video\n"),
    ("empty.mp4", ""),
  ])
  func otherFilesAreNotMedia(name: String, content: String) async throws {
    let folder = try ScratchFolder()
    try Data(content.utf8).write(to: URL(fileURLWithPath: folder.path(name)))
    await #expect(throws: ClipMediaError.self) { try await Prober.probe(path: folder.path(name)) }
  }

  /// The output must not be bigger than its source.
  @Test func lowBitRateSourcesDoNotGrow() async throws {
    let path = try ClipFactory.clip(
      "frugal.mp4",
      [
        "-f", "lavfi", "-i", "testsrc2=s=1280x720:r=30:d=4,noise=alls=8", "-c:v", "libx265", "-preset", "ultrafast",
        "-x265-params",
        "bitrate=1500:vbv-maxrate=1500:vbv-bufsize=1500",
      ])
    let clip = try await ProcessedClipMaker().process(path)
    let source = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64 ?? 0
    #expect(clip.byteCount <= source)
  }
}
