public import ClipModel
import DurableFiles
import Foundation
import LibAV

/// A picture to render, and the path at which to save it.
public struct PictureRequest: Sendable {
  /// The picture to render.
  public var plan: PicturePlan
  /// The absolute path of the picture. Accompanying files and other formats have the same path with different
  /// extensions.
  public var path: String

  /// - Parameters:
  ///   - plan: the picture to render.
  ///   - path: an absolute path with the file extension of the plan's format.
  public init(_ plan: PicturePlan, path: String) {
    self.plan = plan
    self.path = path
  }

  /// Creates a request whose path depends on the kind of picture, such as `BASE-poster.jpg` or `BASE-storyboard.webp`.
  /// - Parameters:
  ///   - plan: the picture to render.
  ///   - base: an absolute path without an extension.
  public init(_ plan: PicturePlan, base: String) {
    self.init(plan, path: "\(base)-\(plan.kind.rawValue).\(plan.fileExtensions.first ?? "")")
  }

  /// The paths of all files that will be written.
  public var paths: [String] {
    let stem = (path as NSString).deletingPathExtension
    return [path] + plan.fileExtensions.dropFirst().map { "\(stem).\($0)" }
  }
}

extension PicturePlan {
  /// The extensions of the picture's files, starting with the extension of the picture itself.
  public var fileExtensions: [String] {
    switch self {
    case .poster(let plan): [plan.format.fileExtension]
    case .tiles(let plan) where plan.kind == .storyboard: [plan.format.fileExtension, "vtt", "json"]
    case .tiles(let plan): [plan.format.fileExtension]
    case .animation(let plan): plan.formats.map(\.fileExtension)
    }
  }
}

/// Renders multiple pictures of a clip in one pass over its frames.
final class PictureSet {
  private struct FrameRequest {
    var seconds: Double
    var renderer: Int
    var index: Int
  }

  private let pictures: [PictureRequest]
  private let renderers: [any PictureRenderer]
  private let frames: [FrameRequest]

  /// - Parameter name: the clip's name, for error messages.
  init(_ pictures: [PictureRequest], geometry: FrameGeometry, name: String) {
    self.pictures = pictures
    let renderers = pictures.map { picture -> any PictureRenderer in
      switch picture.plan {
      case .poster(let plan): PosterRenderer(plan, geometry: geometry)
      case .tiles(let plan):
        TileRenderer(plan, geometry: geometry, name: (picture.path as NSString).lastPathComponent)
      case .animation(let plan): AnimationRenderer(plan, geometry: geometry, name: name)
      }
    }
    self.renderers = renderers
    frames = renderers.enumerated().flatMap { number, renderer in
      renderer.seconds.enumerated().map { FrameRequest(seconds: $0.element, renderer: number, index: $0.offset) }
    }.sorted { ($0.seconds, $0.renderer, $0.index) < ($1.seconds, $1.renderer, $1.index) }
  }

  /// The presentation times of the requested frames in seconds, sorted.
  var seconds: [Double] { frames.map(\.seconds) }

  /// Adds the frame for the time `seconds[index]`.
  func add(_ shown: ShownFrame, at index: Int) throws {
    try renderers[frames[index].renderer].add(shown, at: frames[index].index)
  }

  /// Returns the pictures. Call this method after all frames have been added.
  func finish() throws -> FinishedPictures {
    FinishedPictures(
      files: try zip(pictures, renderers).flatMap { picture, renderer in
        zip(try renderer.finish(), picture.paths).map { (picture.plan.kind, $0, $1) }
      })
  }
}

/// Rendered pictures that haven't been saved yet.
struct FinishedPictures {
  var files: [(kind: PictureKind, file: PictureFile, path: String)] = []

  /// Saves the pictures. Each file is replaced atomically.
  func store(_ policy: ReplacePolicy) throws -> [RenderedPicture] {
    try files.compactMap { kind, file, path in
      try DurableFile.write(file.bytes, to: path, permissions: 0o644, policy: policy)
      guard let size = file.size else { return nil }
      return RenderedPicture(
        kind: kind, path: path, width: size.width, height: size.height, byteCount: Int64(file.bytes.count),
        seconds: file.seconds, notes: file.notes)
    }
  }
}

/// Renders pictures from a transcode's frames while the frames are being encoded.
///
/// Must be used on only one thread at a time.
final class FrameTap {
  private let set: PictureSet
  private let seconds: [Double]
  private var next = 0
  private var shown: ShownFrame?
  /// The first rendering error. Errors don't stop the transcode, because a clip without pictures is better than no
  /// clip.
  private var failure: (any Error)?

  init(_ set: PictureSet) {
    self.set = set
    seconds = set.seconds
  }

  /// - Parameter start: the time at which the frame is first shown, in seconds. Must be later than the start of the
  ///   previous frame.
  func add(_ frame: Frame, at start: Double) {
    let frame = ShownFrame(frame: frame, seconds: start)
    // For requested times before the first frame, use the first frame.
    while next < seconds.count, seconds[next] + FrameReader.slack < start { draw(shown ?? frame) }
    shown = frame
  }

  /// Renders the remaining pictures from the last frame, which is shown until the end of the clip, and returns all
  /// pictures.
  func finish() throws -> FinishedPictures {
    while next < seconds.count, let shown { draw(shown) }
    if let failure { throw failure }
    return try set.finish()
  }

  private func draw(_ shown: ShownFrame) {
    defer { next += 1 }
    guard failure == nil else { return }
    do { try set.add(shown, at: next) } catch { failure = error }
  }
}
