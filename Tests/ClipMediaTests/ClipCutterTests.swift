import ClipModel
import DurableFiles
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ClipMedia

/// Compares cut clips with the source, and with clips that are processed one by one.
@Suite struct ClipCutterTests {
  /// A match with a key frame each second, three B-frames, and audio.
  private static func match(_ name: String, _ arguments: [String] = []) throws -> String {
    try ClipFactory.clip(
      name,
      [
        "-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=20", "-f", "lavfi", "-i", "sine=f=440:r=48000:d=20", "-c:v",
        "libx264", "-preset", "veryfast", "-bf", "3", "-g", "25", "-x264-params", "open-gop=0:scenecut=0", "-c:a",
        "aac",
      ] + arguments)
  }

  /// The digest of each decoded frame, with its time.
  private func frames(_ path: String) throws -> [(seconds: Double, digest: String)] {
    let text = try Tool.run(
      "ffmpeg",
      ["-v", "error", "-nostdin", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-f", "framemd5", "-"])
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
    // `#tb 0: 1/12800`
    let base = lines.first { $0.hasPrefix("#tb 0:") }?.split(separator: "/").last.flatMap { Double($0) } ?? 1
    return lines.filter { !$0.hasPrefix("#") }.map { line in
      let fields = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      return (Double(fields[2]).map { $0 / base } ?? -1, fields[5])
    }
  }

  private func cut(
    _ path: String, _ ranges: [Range<Double>], hidesLead: Bool = true, width: Int = 1
  ) async throws -> (clips: [ProcessedClip], plans: [ProcessingPlan]) {
    let folder = try ScratchFolder()
    let cutter = try await ClipCutter(path: path)
    let orders = try ranges.enumerated().map { index, range in
      let verdict = ClipRules().plan(cutter.probe, cut: range, settings: ProcessingSettings(), hidesLead: hidesLead)
      guard case .plan(let plan) = verdict else { throw ClipFactory.Failure(description: "\(verdict)") }
      return ClipCutter.CutOrder(plan, destination: folder.path("\(index).mp4"))
    }
    let made = Mutex<[Int: ProcessedClip]>([:])
    var observer = ClipCutter.Observer()
    observer.isComplete = { _, clip in #expect(!FileManager.default.fileExists(atPath: clip.path)) }
    observer.ended = { index, outcome in
      guard case .made(let clip) = outcome else { throw ClipFactory.Failure(description: "\(outcome)") }
      made.withLock { $0[index] = clip }
    }
    try await cutter.cut(orders, width: width, policy: .keepExisting, observer: observer)
    let clips = try orders.indices.map { index in try #require(made.withLock { $0[index] }) }
    return (clips, orders.map(\.plan))
  }

  /// Not at key frames, unsorted, and with the first range repeated.
  private static let ranges = [3.4..<7.2, 10.52..<14.0, 0.0..<3.2, 16.8..<20.0, 3.4..<7.2]

  @Test(arguments: [1, 2])
  func copiedClipsStartAtTheirRally(width: Int) async throws {
    let match = try Self.match("match.mp4", ["-movflags", "+faststart"])
    let source = try frames(match)
    let (clips, plans) = try await cut(match, Self.ranges, width: width)
    for ((clip, plan), range) in zip(zip(clips, plans), Self.ranges) {
      #expect(plan.video == .copy(trackIndex: 0) && plan.trim == range)
      #expect(clip.probe.mainVideo?.hasSimpleEdits == true)
      let shown = try frames(clip.path).filter { $0.seconds >= -0.001 }
      let first = try #require(source.firstIndex { $0.seconds >= range.lowerBound - 0.001 })
      let count = Int(((range.upperBound - range.lowerBound) * 25).rounded())
      // All frames are those of the match from the start of the rally, with a few more at the end that others need.
      #expect((count...count + 6).contains(shown.count), "\(range): \(shown.count)")
      #expect(shown.map(\.digest) == source[first..<min(first + shown.count, source.count)].map(\.digest), "\(range)")
      #expect(abs((shown.first?.seconds ?? 1)) < 0.001)
      let hidden = clip.probe.mainVideo?.hiddenSeconds ?? 0
      #expect(abs(hidden - (range.lowerBound - range.lowerBound.rounded(.down))) < 0.1, "\(hidden)")
      // The audio starts with the video.
      #expect(clip.probe.audioTracks.count == 1 && (clip.probe.mainAudio?.startSeconds ?? 1) < 0.03)
    }
    #expect(clips[0].sha256 == clips[4].sha256)
  }

  /// Also for containers without an index, whose key frames are unknown.
  @Test(arguments: TestScope.some(1, of: ["match.ts", "match.mp4", "match.mkv"]))
  func encodedClipsMatchThoseProcessedOneByOne(name: String) async throws {
    let match = try Self.match(name)
    let (clips, plans) = try await cut(match, Self.ranges, hidesLead: false)
    let maker = try ProcessedClipMaker()
    for ((clip, plan), range) in zip(zip(clips, plans), Self.ranges) {
      let alone = try await maker.process(match, probe: try await Prober.probe(path: match), plan: plan)
      let (ours, theirs) = (try frames(clip.path), try frames(alone.path))
      #expect(ours.map(\.seconds) == theirs.map(\.seconds) && !ours.isEmpty, "\(range)")
      // Under load the encoder's output differs in some bits, so compare the frames.
      for seconds in [0, 2.0] {
        let (left, right) = (try Tool.pixels(clip.path, at: seconds), try Tool.pixels(alone.path, at: seconds))
        let sum = zip(left.bytes, right.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        #expect(Double(sum) / Double(max(left.bytes.count, 1)) < 1, "\(range)")
      }
      if plan.video.encoding != nil {
        #expect(abs(Double(ours.count) - (range.upperBound - range.lowerBound) * 25) <= 1, "\(range): \(ours.count)")
      }
    }
  }

  @Test func cutsFarFromAKeyFrameAreEncoded() async throws {
    let match = try ClipFactory.clip(
      "far.mp4",
      ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=16", "-c:v", "libx264", "-preset", "veryfast", "-g", "300"]
        + ["-x264-params", "open-gop=0:scenecut=0"])
    let (_, plans) = try await cut(match, [4.0..<8.0, 6.0..<10.0])
    #expect(plans[0].leadSeconds == 4 && plans[0].video.encoding == nil)
    #expect(plans[1].leadSeconds == nil && plans[1].video.encoding != nil)
  }

  /// A failed clip is reported, and the next one is cut.
  @Test func failedClipsDoNotStopTheOthers() async throws {
    let match = try Self.match("match.mp4", ["-movflags", "+faststart"])
    let folder = try ScratchFolder()
    try folder.write("mine", to: "1.mp4")
    let cutter = try await ClipCutter(path: match)
    let orders = try [1.0..<5.0, 6.0..<10.0, 11.0..<15.0].enumerated().map { index, range in
      guard case .plan(let plan) = ClipRules().plan(cutter.probe, cut: range, settings: ProcessingSettings()) else {
        throw ClipFactory.Failure(description: "refused")
      }
      return ClipCutter.CutOrder(plan, destination: folder.path("\(index).mp4"))
    }
    let failed = Mutex<[Int]>([])
    var observer = ClipCutter.Observer()
    observer.ended = { index, outcome in if case .failed = outcome { failed.withLock { $0.append(index) } } }
    try await cutter.cut(orders, width: 2, policy: .keepExisting, observer: observer)
    #expect(failed.withLock { $0 } == [1])
    #expect(try folder.names() == ["0.mp4", "1.mp4", "2.mp4"] && folder.text("1.mp4") == "mine")
  }
}
