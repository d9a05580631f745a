import ClipModel
import LibAV

/// Draws the frame at one time, or the best of several.
final class PosterRenderer: PictureRenderer {
  private let plan: PosterPlan
  private let geometry: FrameGeometry
  private let coder: ImageCoder
  /// The frame to draw.
  private var shown: ShownFrame?
  private var judge: FrameSelector?

  init(_ plan: PosterPlan, geometry: FrameGeometry) {
    self.plan = plan
    self.geometry = geometry
    coder = ImageCoder(format: plan.format, quality: plan.quality)
    judge = plan.candidates.map { _ in FrameSelector(play: plan.play) }
  }

  var seconds: [Double] { plan.candidates ?? [plan.atSeconds] }

  func take(_ shown: ShownFrame, at place: Int) throws {
    // A frame that is not the one of its time would be judged twice.
    if judge != nil, shown.note == nil {
      try judge?.add(shown)
    } else if self.shown == nil {
      self.shown = shown
    }
  }

  func finish() throws -> [PictureFile] {
    guard let shown = judge?.finish() ?? shown else { return [] }
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
