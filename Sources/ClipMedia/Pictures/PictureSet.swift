public import ClipModel
import DurableFiles
import Foundation
import LibAV

/// A picture that is to be drawn, and where it is to be stored.
public struct PictureRequest: Sendable {
  /// What is drawn.
  public var plan: PicturePlan
  /// Absolute path of the picture. Files that go with it, and other formats, stand beside it under the same name with
  /// their own extensions.
  public var path: String

  /// - Parameters:
  ///   - plan: what is drawn.
  ///   - path: absolute, with the extension that goes with the plan's format.
  public init(_ plan: PicturePlan, path: String) {
    self.plan = plan
    self.path = path
  }

  /// Beside each other: `BASE-poster.jpg`, `BASE-storyboard.webp`.
  /// - Parameters:
  ///   - plan: what is drawn.
  ///   - base: absolute path without an extension.
  public init(_ plan: PicturePlan, base: String) {
    self.init(plan, path: "\(base)-\(plan.kind.rawValue).\(plan.fileExtensions.first ?? "")")
  }

  /// Everything that will be written.
  public var paths: [String] {
    let stem = (path as NSString).deletingPathExtension
    return [path] + plan.fileExtensions.dropFirst().map { "\(stem).\($0)" }
  }
}

extension PicturePlan {
  /// Of the files that it becomes, the picture's own first.
  public var fileExtensions: [String] {
    switch self {
    case .poster(let plan): [plan.format.fileExtension]
    case .tiles(let plan) where plan.kind == .storyboard: [plan.format.fileExtension, "vtt", "json"]
    case .tiles(let plan): [plan.format.fileExtension]
    case .animation(let plan): plan.formats.map(\.fileExtension)
    }
  }
}

/// The pictures of one clip while they are drawn: all of them from one way through its frames.
final class PictureSet {
  private struct Request {
    var seconds: Double
    var artist: Int
    var place: Int
  }

  private let orders: [PictureRequest]
  private let artists: [any PictureRenderer]
  private let requests: [Request]

  /// - Parameter name: of the clip, for errors.
  init(_ orders: [PictureRequest], geometry: FrameGeometry, name: String) {
    self.orders = orders
    let artists = orders.map { order -> any PictureRenderer in
      switch order.plan {
      case .poster(let plan): PosterRenderer(plan, geometry: geometry)
      case .tiles(let plan):
        TileRenderer(plan, geometry: geometry, name: (order.path as NSString).lastPathComponent)
      case .animation(let plan): AnimationRenderer(plan, geometry: geometry, name: name)
      }
    }
    self.artists = artists
    requests = artists.indices.flatMap { artist in
      artists[artist].seconds.enumerated().map { Request(seconds: $0.element, artist: artist, place: $0.offset) }
    }.sorted { ($0.seconds, $0.artist, $0.place) < ($1.seconds, $1.artist, $1.place) }
  }

  /// When the frames that are wanted are shown, seconds of the presentation, ascending.
  var seconds: [Double] { requests.map(\.seconds) }

  /// - Parameter place: which of `seconds`.
  func take(_ shown: ShownFrame, at place: Int) throws {
    try artists[requests[place].artist].take(shown, at: requests[place].place)
  }

  /// The pictures, once every frame was taken.
  func finish() throws -> FinishedPictures {
    FinishedPictures(
      files: try zip(orders, artists).flatMap { order, artist in
        zip(try artist.finish(), order.paths).map { (order.plan.kind, $0, $1) }
      })
  }
}

/// Pictures that are drawn and not stored yet.
struct FinishedPictures {
  var files: [(kind: PictureKind, file: PictureFile, path: String)] = []

  /// Each appears complete or not at all.
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

/// Takes pictures out of a stream of frames that pass by: those of a transcode, as they are shown in its output.
///
/// Belongs to one thread at a time.
final class PictureTap {
  private let set: PictureSet
  private let seconds: [Double]
  private var next = 0
  private var shown: ShownFrame?
  /// What went wrong; a clip without a picture is worth more than none, so the frames go on.
  private var failure: (any Error)?

  init(_ set: PictureSet) {
    self.set = set
    seconds = set.seconds
  }

  /// - Parameter seconds: when the frame begins to be shown; more than that of the one before.
  func take(_ frame: Frame, at start: Double) {
    let frame = ShownFrame(frame: frame, seconds: start)
    // Before the first frame there is nothing to see but that.
    while next < seconds.count, seconds[next] + FrameReader.slack < start { draw(shown ?? frame) }
    shown = frame
  }

  /// No more frames come: the last one is shown to the end.
  func finish() throws -> FinishedPictures {
    while next < seconds.count, let shown { draw(shown) }
    if let failure { throw failure }
    return try set.finish()
  }

  private func draw(_ shown: ShownFrame) {
    defer { next += 1 }
    guard failure == nil else { return }
    do { try set.take(shown, at: next) } catch { failure = error }
  }
}
