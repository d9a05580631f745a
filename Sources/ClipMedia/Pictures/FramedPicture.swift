package import ClipModel
import DurableFiles
import Foundation
import LibAV

extension PictureRendering {
  /// Renders a frame at the requested size and saves the picture.
  /// - Throws: the errors thrown by `draw`, and `ClipMediaError.noFrames`.
  package static func draw(_ framing: PictureFraming, of path: String, to destination: String) async throws {
    try await MediaThread.run(named: "bsc pictures") { interruption in
      let reader = try FrameReader(path: path, interruption: interruption)
      let seconds = framing.atSeconds ?? reader.pictureRules().durationSeconds / 2
      var file: [UInt8] = []
      try reader.read([seconds]) { _, shown in
        file = try framing.encodeFile(of: shown.frame, reader.geometry)
      }
      guard !file.isEmpty else { throw ClipMediaError.noFrames(name: reader.container.name) }
      try DurableFile.write(file, to: destination)
    }
  }

  /// Decodes a key frame.
  /// - Throws: `ClipMediaError.noFrames` if no key frame can be decoded, `FFmpegError`, `CancellationError`.
  package static func requireFrame(of path: String) async throws {
    try await MediaThread.run(named: "bsc frame") { interruption in
      try FrameReader(path: path, precision: .keyFrames, interruption: interruption).read([0]) { _, _ in }
    }
  }

  /// Renders an animation and saves it.
  /// - Returns: `false` if the requested part isn't in the clip.
  package static func draw(_ framing: AnimationFraming, of path: String, to destination: String) async throws -> Bool {
    guard let plan = framing.plan(try await readRules(for: path)) else { return false }
    _ = try await draw([PictureRequest(.animation(plan), path: destination)], of: path)
    return true
  }

  /// Returns the storyboard of a clip, with the tiles and their times but no URL.
  package static func makeStoryboard(of path: String) async throws -> Storyboard {
    Storyboard(try await makeStoryboardPlan(of: path, format: .jpeg), url: "")
  }

  /// Renders a storyboard picture and saves it, with index files in the same folder.
  package static func drawStoryboard(_ format: ImageFormat, of path: String, to destination: String) async throws {
    let plan = try await makeStoryboardPlan(of: path, format: format)
    _ = try await draw([PictureRequest(.tiles(plan), path: destination)], of: path)
  }

  private static func makeStoryboardPlan(of path: String, format: ImageFormat) async throws -> TilePlan {
    var settings = PictureSettings(kinds: [.storyboard])
    settings.format = format
    guard case .tiles(let plan)? = try await readRules(for: path).makePlans(settings).first else {
      throw ClipMediaError.noFrames(name: (path as NSString).lastPathComponent)
    }
    return plan
  }
}

extension PictureFraming {
  /// The maximum number of pixels in a scaled frame. Larger frames would require gigabytes of memory.
  private static let pixelLimit = 64_000_000

  fileprivate func encodeFile(of frame: Frame, _ geometry: FrameGeometry) throws -> [UInt8] {
    let swaps = clockwiseDegrees == 90 || clockwiseDegrees == 270
    let shown = geometry.shownSize(of: frame)
    let layout = layout(of: swaps ? shown.transposed : shown)
    guard layout.scaled.width <= Self.pixelLimit / layout.scaled.height else {
      throw ClipMediaError.pictureTooBig(
        name: "the frame", byteCount: Int64(layout.scaled.width) * Int64(layout.scaled.height) * 3,
        limit: Int64(Self.pixelLimit) * 3)
    }
    let upright = swaps ? layout.scaled.transposed : layout.scaled
    let picture = try UprightScaler(geometry, to: upright, layout: FrameLayout.rgb).scale(frame).rgbPicture()
      .rotated(clockwise: clockwiseDegrees, flipsHorizontally: flipsHorizontally, flipsVertically: flipsVertically)
      .centered(in: layout.picture)
    return try ImageCoder(format: format, quality: quality).encodeOddSize(picture)
  }
}

extension ImageCoder {
  /// Encodes a picture in the same way as `encode`, but also supports odd widths and heights. The last 4:2:0 chroma
  /// column or row may cover only one pixel.
  fileprivate func encodeOddSize(_ picture: RGBPicture) throws -> [UInt8] {
    guard format != .png, picture.width % 2 + picture.height % 2 > 0 else { return try encode(picture) }
    let even = picture.withEvenSides
    let frame = try FrameScaler(target: layout(even.size)).scale(Frame(even, as: .rgbPlanes))
    return try encode(frame.cropped(width: picture.width, height: picture.height))
  }
}
