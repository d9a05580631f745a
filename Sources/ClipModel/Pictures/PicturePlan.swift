/// A plan for rendering a picture from a clip: the frames, the size and the format. `PictureRules` creates plans.
public enum PicturePlan: Equatable, Sendable {
  /// A single video frame.
  case poster(PosterPlan)
  /// A contact sheet, storyboard or filmstrip.
  case tiles(TilePlan)
  /// A short animation.
  case animation(AnimationPlan)

  /// The kind of picture.
  public var kind: PictureKind {
    switch self {
    case .poster: .poster
    case .tiles(let plan): plan.kind
    case .animation: .animated
    }
  }

  /// Returns the same plan for a clip that is shorter than expected.
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

/// A plan for the picture that players show before playback.
public struct PosterPlan: Codable, Equatable, Sendable {
  /// The presentation time of the frame in seconds. If `candidates` is set, this time is the fallback.
  public var atSeconds: Double
  /// The presentation times of the frames to choose from, in seconds and ascending. The best frame becomes the poster.
  public var candidates: [Double]?
  /// The time range when the ball is in play, in seconds; `nil` if unknown.
  public var play: Range<Double>?
  /// The reason why the poster isn't from the requested time.
  public var note: String?
  /// The maximum width or height in pixels. Posters are never enlarged.
  public var maximumSide = PictureRules.posterSide
  /// The maximum displayed width in pixels.
  public var maximumWidth: Int?
  /// The JPEG or WebP quality, from 1 to 100.
  public var quality = PictureRules.posterQuality
  /// The file format.
  public var format = ImageFormat.jpeg

  /// Returns the poster size for a clip with the given displayed size.
  public func size(of shown: PictureSize) -> PictureSize {
    guard let maximumWidth else { return shown.fitted(longSide: maximumSide, shortSide: maximumSide) }
    return shown.fitted(width: maximumWidth).fitted(height: PictureRules.pictureSide)
  }
}

/// A plan for a grid of frames.
public struct TilePlan: Codable, Equatable, Sendable {
  /// The kind of grid: `sheet`, `storyboard` or `filmstrip`.
  public var kind: PictureKind
  /// The presentation time of each tile in seconds, in ascending order.
  public var seconds: [Double]
  /// The number of tiles per row, at least 1.
  public var columns: Int
  /// The displayed size of each tile.
  public var tile: PictureSize
  /// The gap between and around the tiles, in pixels.
  public var gap: Int
  /// Whether each tile shows its time.
  public var isLabelled: Bool
  /// The JPEG or WebP quality, from 1 to 100.
  public var quality: Int
  /// The file format.
  public var format: ImageFormat
  /// The clip duration in seconds.
  public var durationSeconds: Double

  /// The number of rows. The last row may be incomplete.
  public var rows: Int { (seconds.count + columns - 1) / columns }

  /// The size of the complete picture.
  public var size: PictureSize {
    PictureSize(
      width: columns * (tile.width + gap) + gap, height: rows * (tile.height + gap) + gap)
  }

  /// Returns the top-left corner of the tile at the given index.
  public func tileOrigin(of index: Int) -> (x: Int, y: Int) {
    (gap + index % columns * (tile.width + gap), gap + index / columns * (tile.height + gap))
  }
}

/// A plan for an animation of a few seconds.
public struct AnimationPlan: Codable, Equatable, Sendable {
  /// The part of the clip to animate, in seconds of presentation time. If `picksBest` is set, only its length matters.
  public var range: Range<Double>
  /// Whether to search the entire clip for the best part of this length.
  public var picksBest = false
  /// The time range when the ball is in play, in seconds; `nil` if unknown.
  public var play: Range<Double>?
  /// The number of frames per second.
  public var framesPerSecond: Double
  /// The displayed size of the animation.
  public var size: PictureSize
  /// The file formats. One file is written for each format.
  public var formats: [AnimationFormat]
  /// The maximum size of each file in bytes. Colors, frame rate and dimensions are reduced until the file fits.
  public var byteLimit: Int64
  /// The clip duration in seconds.
  public var durationSeconds: Double

  /// The presentation times of the frames in seconds, in ascending order. If `picksBest` is set, they cover the entire
  /// clip instead of only `range`.
  public var seconds: [Double] {
    let searched = picksBest ? 0..<durationSeconds : range
    let count = Int(saturating: ((searched.upperBound - searched.lowerBound) * framesPerSecond).rounded(.up))
    return (0..<max(count, 1)).map { searched.lowerBound + Double($0) / framesPerSecond }
  }
}

/// A picture that was rendered from a clip.
public struct RenderedPicture: Codable, Equatable, Sendable {
  /// The kind of picture.
  public var kind: PictureKind
  /// The absolute path of the picture.
  public var path: String
  /// The width in pixels.
  public var width: Int
  /// The height in pixels.
  public var height: Int
  /// The file size in bytes.
  public var byteCount: Int64
  /// The presentation times of the frames, in seconds.
  public var seconds: [Double]
  /// Notes for the user, such as the use of a frame other than the requested one.
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
