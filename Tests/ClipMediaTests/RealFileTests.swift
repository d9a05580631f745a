import ClipModel
import Foundation
import TestSupport
import Testing

@testable import ClipMedia

@Suite struct RealFileTests {
  /// Playable files, processed without the length rule.
  @Test(arguments: [
    "phone-1080p-gps-loci-4s.mp4", "phone-1080p-rot90-gps-xyz.mp4", "phone-4k-hevc-portrait-9s.mp4",
    "gopro-hero5-karma-gpmf-480p-12s.mp4", "iphone-dovi84-hlg-1080p-rot90-editlist.mp4", "hdr10-pq-hevc-1080p.mp4",
    "park-h264-1080p-6s.mp4", "phone-hevc-1376x1840-vfr-5s.mp4", "screencast-h264-8.8fps-audio-first.mp4",
    "no-audio-h264.mp4", "anamorphic-sar-3x2.mp4", "canon-mjpeg-422-pcm.avi", "vp9-opus-screencast.webm",
    "matroska-h264-13s.mkv", "prores-422-10bit.mov", "rot270-h264-tiny.mov", "iphone6s-livephoto-pcm-gps-mebx.mov",
    "pixel-night-vp9-1920x1440-gps-ilst.mp4", "nasa-two-video-two-audio-two-subs.mp4", "partially-fragmented.mp4",
    "iphone14pro-dovi-hlg-1080p-rot90-gps.mov", "android-hevc-1080p-rot90-gps-xyz-mett.mp4",
  ])
  func readableFilesAreProcessedAsPlanned(name: String) async throws {
    guard let path = SharedMedia.path(name) else { return }
    let maker = try ProcessedClipMaker()
    let folder = maker.folder
    let source = try await OpenedClip(path: path)
    let probe = source.probe
    let planned = ClipRules().ofAnyLength.plan(probe, settings: ProcessingSettings())
    guard case .plan(let plan) = planned else {
      Issue.record("refused: \(planned)")
      return
    }
    let clip = try await ClipProcessor.process(
      source, plan: plan, to: folder.path("clip.mp4"), options: maker.options(for: plan))
    print(
      name, probe.mainVideo?.shownSize.description ?? "", "->", clip.probe.mainVideo?.shownSize.description ?? "",
      probe.byteCount, "->", clip.byteCount, clip.notes, plan.decisions.map(\.what))
    #expect(clip.probe.locationCarriers.isEmpty)
    #expect(clip.posterPath != nil)
    if let keep = ProcessInfo.processInfo.environment["BSC_TEST_KEEP"] {
      let stem = (name as NSString).deletingPathExtension
      try? FileManager.default.removeItem(atPath: "\(keep)/\(stem).jpg")
      try FileManager.default.copyItem(atPath: folder.path("clip-poster.jpg"), toPath: "\(keep)/\(stem).jpg")
      try? FileManager.default.removeItem(atPath: "\(keep)/\(stem).mp4")
      try FileManager.default.copyItem(atPath: folder.path("clip.mp4"), toPath: "\(keep)/\(stem).mp4")
    }
  }
}
