import ClipModel
import Foundation
import LibAV

/// Renders grids of frames, such as contact sheets, storyboards and filmstrips.
final class TileRenderer: PictureRenderer {
  private let plan: TilePlan
  private let geometry: FrameGeometry
  /// The picture's file name, which the index files refer to.
  private let name: String
  private var canvas: RGBPicture
  private var scaler: UprightScaler?
  private var shownSeconds: [Double] = []
  private var notes: [String] = []

  /// The gray level of the background, which is dark to make the tiles stand out.
  private static let background: UInt8 = 24

  init(_ plan: TilePlan, geometry: FrameGeometry, name: String) {
    self.plan = plan
    self.geometry = geometry
    self.name = name
    let size = plan.size
    canvas = RGBPicture(
      width: size.width, height: size.height,
      bytes: [UInt8](repeating: Self.background, count: size.width * size.height * 3))
  }

  var seconds: [Double] { plan.seconds }

  func add(_ shown: ShownFrame, at index: Int) throws {
    let scaler = try self.scaler ?? UprightScaler(geometry, to: plan.tile, layout: FrameLayout.rgb)
    self.scaler = scaler
    let tile = try scaler.scale(shown.frame).rgbPicture()
    let corner = plan.tileOrigin(of: index)
    canvas.pasteTile(tile, x: corner.x, y: corner.y)
    if plan.isLabelled {
      let height = max(min(plan.tile.width, plan.tile.height) / 11, 10)
      let label = TimestampLabel(seconds: shown.seconds, lineHeight: height)
      let margin = height / 2
      label.draw(
        on: &canvas, x: corner.x + margin, y: corner.y + plan.tile.height - margin - label.size.height)
    }
    shownSeconds.append(shown.seconds)
    if let note = shown.note { notes.append(note) }
  }

  func finish() throws -> [PictureFile] {
    guard !shownSeconds.isEmpty else { return [] }
    let coder = ImageCoder(format: plan.format, quality: plan.quality)
    var files = [
      PictureFile(
        fileExtension: plan.format.fileExtension, bytes: try coder.encode(canvas),
        pixels: plan.format == .png ? canvas : nil, size: plan.size,
        seconds: shownSeconds, notes: notes.summarized)
    ]
    guard plan.kind == .storyboard else { return files }
    let index = Storyboard(plan, url: name)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    files.append(PictureFile(fileExtension: "vtt", bytes: [UInt8](index.webVTT.utf8)))
    files.append(PictureFile(fileExtension: "json", bytes: [UInt8](try encoder.encode(index)) + [0x0A]))
    return files
  }
}

extension RGBPicture {
  /// Draws a second picture over this picture, clipped to this picture's edges.
  mutating func pasteTile(_ other: RGBPicture, x: Int, y: Int) {
    let columns = min(other.width, width - x)
    guard x >= 0, y >= 0, columns > 0 else { return }
    for row in 0..<max(min(other.height, height - y), 0) {
      let source = row * other.width * 3
      let target = ((y + row) * width + x) * 3
      bytes.replaceSubrange(target..<target + columns * 3, with: other.bytes[source..<source + columns * 3])
    }
  }
}
