import ClipModel
import LibAV

/// Renders the frame at a given time, or the best of several frames.
final class PosterRenderer: PictureRenderer {
  private let plan: PosterPlan
  private let geometry: FrameGeometry
  private let coder: ImageCoder
  /// The frame to render if the selector has no frame.
  private var shown: ShownFrame?
  private var selector: FrameSelector?

  init(_ plan: PosterPlan, geometry: FrameGeometry) {
    self.plan = plan
    self.geometry = geometry
    coder = ImageCoder(format: plan.format, quality: plan.quality)
    selector = plan.candidates.map { _ in FrameSelector(play: plan.play) }
  }

  var seconds: [Double] { plan.candidates ?? [plan.atSeconds] }

  func add(_ shown: ShownFrame, at index: Int) throws {
    // A frame with a note is a replacement for a different frame and may already have been scored.
    if selector != nil, shown.note == nil {
      try selector?.add(shown)
    } else if self.shown == nil {
      self.shown = shown
    }
  }

  func finish() throws -> [PictureFile] {
    guard let shown = selector?.finish() ?? shown else { return [] }
    let size = plan.size(of: geometry.shownSize(of: shown.frame))
    let picture = try UprightScaler(geometry, to: size, layout: coder.layout).scale(shown.frame)
    return [
      PictureFile(
        fileExtension: plan.format.fileExtension, bytes: try coder.encode(picture),
        pixels: plan.format == .png ? picture.rgbPicture() : nil, size: size,
        seconds: [shown.seconds], notes: [shown.note, plan.note].compactMap(\.self))
    ]
  }
}
