import ClipModel
import Foundation
import TestSupport
import Testing

@testable import ClipMedia

@Suite struct RealFileTests {
  /// Playable files that are too short for a highlight. The end-to-end tests share the others.
  @Test(arguments: [
    "phone-1080p-rot90-gps-xyz.mp4", "iphone-dovi84-hlg-1080p-rot90-editlist.mp4", "hdr10-pq-hevc-1080p.mp4",
    "canon-mjpeg-422-pcm.avi", "prores-422-10bit.mov", "rot270-h264-tiny.mov", "iphone6s-livephoto-pcm-gps-mebx.mov",
    "pixel-night-vp9-1920x1440-gps-ilst.mp4", "partially-fragmented.mp4", "iphone14pro-dovi-hlg-1080p-rot90-gps.mov",
    "android-hevc-1080p-rot90-gps-xyz-mett.mp4",
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
    #expect(clip.probe.locationCarriers.isEmpty)
    #expect(clip.posterPath != nil)
  }
}
