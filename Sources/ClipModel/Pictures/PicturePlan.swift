/// A picture that is rendered from a clip: the frames, the size and the format. `PictureRules` creates it.
public enum PicturePlan: Equatable, Sendable {
  /// A single frame.
  case poster(PosterPlan)
  /// A contact sheet, storyboard or filmstrip.
  case tiles(TilePlan)
  /// A few seconds of animation.
  case animation(AnimationPlan)

  /// The kind of the picture.
  public var kind: PictureKind {
    switch self {
    case .poster: .poster
    case .tiles(let plan): plan.kind
    case .animation: .animated
    }
  }

  /// The same plan for a clip that turned out to be shorter.
  public func shortened(to seconds: Double) -> PicturePlan {
    switch self {
    case .poster(var plan):
      plan.atSeconds = min(plan.atSeconds, seconds)
      plan.candidates = plan.candidates.map { candidates in
        let left = candidates.filter { $0 < seconds }
        return left.isEmpty ? [0] : left
      }
      return .poster(plan)
    case .tiles(var plan):
      let share = plan.durationSeconds > 0 ? min(seconds / plan.durationSeconds, 1) : 1
      plan.seconds = plan.seconds.map { $0 * share }
      plan.durationSeconds = min(plan.durationSeconds, seconds)
      return .tiles(plan)
    case .animation(var plan):
      plan.durationSeconds = min(plan.durationSeconds, seconds)
      plan.range = plan.range.clamped(to: 0..<max(plan.durationSeconds, 0.001))
      return .animation(plan)
    }
  }
}

/// The picture that is shown before playback.
public struct PosterPlan: Codable, Equatable, Sendable {
  /// The presentation time of the frame, in seconds. If there are `candidates`, it is the fallback.
  public var atSeconds: Double
  /// The times of candidate frames in seconds, ascending. The best of these frames is used instead.
  public var candidates: [Double]?
  /// When the ball is in play, in seconds; `nil` if unknown.
  public var play: Range<Double>?
  /// The reason why the time differs from the requested time.
  public var note: String?
  /// The maximum width and height in pixels. Posters are never enlarged.
  public var maximumSide = PictureRules.posterSide
  /// The maximum displayed width in pixels.
  public var maximumWidth: Int?
  /// The quality of JPEG and WebP, 1 to 100.
  public var quality = PictureRules.posterQuality
  /// The file format.
  public var format = ImageFormat.jpeg

  /// The size of the poster for a clip with this displayed size.
  public func size(of shown: PictureSize) -> PictureSize {
    guard let maximumWidth else { return shown.fitted(longSide: maximumSide, shortSide: maximumSide) }
    return shown.fitted(width: maximumWidth).fitted(height: PictureRules.pictureSide)
  }
}

/// A grid of frames.
public struct TilePlan: Codable, Equatable, Sendable {
  /// `sheet`, `storyboard` or `filmstrip`.
  public var kind: PictureKind
  /// The time of each tile in reading order, in seconds of presentation time, ascending.
  public var seconds: [Double]
  /// The number of tiles per row, at least 1.
  public var columns: Int
  /// The displayed size of a tile.
  public var tile: PictureSize
  /// The number of pixels between and around the tiles.
  public var gap: Int
  /// Whether each tile shows its time.
  public var isLabelled: Bool
  /// The quality of JPEG and WebP, 1 to 100.
  public var quality: Int
  /// The file format.
  public var format: ImageFormat
  /// The length of the clip in seconds.
  public var durationSeconds: Double

  /// The number of rows. The last one may be incomplete.
  public var rows: Int { (seconds.count + columns - 1) / columns }

  /// The size of the whole picture.
  public var size: PictureSize {
    PictureSize(
      width: columns * (tile.width + gap) + gap, height: rows * (tile.height + gap) + gap)
  }

  /// The position of a tile's top left corner.
  public func place(of index: Int) -> (x: Int, y: Int) {
    (gap + index % columns * (tile.width + gap), gap + index / columns * (tile.height + gap))
  }
}

/// An animation of a few seconds.
public struct AnimationPlan: Codable, Equatable, Sendable {
  /// The part of the clip, in seconds of presentation time. If `picksBest` is set, only its length matters.
  public var range: Range<Double>
  /// Whether the best part of this length is searched for in the whole clip.
  public var picksBest = false
  /// When the ball is in play, in seconds; `nil` if unknown.
  public var play: Range<Double>?
  /// The frame rate.
  public var framesPerSecond: Double
  /// The displayed size.
  public var size: PictureSize
  /// The formats. One file is written for each.
  public var formats: [AnimationFormat]
  /// The maximum size of each file. Colors, frame rate and size are reduced until it fits.
  public var byteLimit: Int64
  /// The length of the clip in seconds.
  public var durationSeconds: Double

  /// The times of the frames in seconds, ascending: within the part, or within the whole clip if the best part is
  /// searched for.
  public var seconds: [Double] {
    let searched = picksBest ? 0..<durationSeconds : range
    let count = Int(saturating: ((searched.upperBound - searched.lowerBound) * framesPerSecond).rounded(.up))
    return (0..<max(count, 1)).map { searched.lowerBound + Double($0) / framesPerSecond }
  }
}

/// A rendered picture.
public struct RenderedPicture: Codable, Equatable, Sendable {
  /// The kind of the picture.
  public var kind: PictureKind
  /// The absolute path.
  public var path: String
  /// The width in pixels.
  public var width: Int
  /// The height in pixels.
  public var height: Int
  /// The size of the file.
  public var byteCount: Int64
  /// The presentation times of the frames, in seconds.
  public var seconds: [Double]
  /// Remarks for the user, such as a frame that differs from the requested one.
  public var notes: [String]

  public init(
    kind: PictureKind, path: String, width: Int, height: Int, byteCount: Int64, seconds: [Double], notes: [String] = []
  ) {
    self.kind = kind
    self.path = path
    self.width = width
    self.height = height
    self.byteCount = byteCount
    self.seconds = seconds
    self.notes = notes
  }
}
