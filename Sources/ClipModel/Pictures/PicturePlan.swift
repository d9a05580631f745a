/// One picture that will be drawn of a clip: which frames, how big, how stored. `PictureRules` makes it.
public enum PicturePlan: Equatable, Sendable {
  /// One frame.
  case poster(PosterPlan)
  /// A contact sheet, a storyboard or a filmstrip.
  case tiles(TilePlan)
  /// A few moving seconds.
  case animation(AnimationPlan)

  /// What people call it.
  public var kind: PictureKind {
    switch self {
    case .poster: .poster
    case .tiles(let plan): plan.kind
    case .animation: .animated
    }
  }

  /// The same of a clip that turned out shorter.
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

/// The picture people see before they press play.
public struct PosterPlan: Codable, Equatable, Sendable {
  /// Seconds of the clip's presentation; with `candidates` where nothing better is found.
  public var atSeconds: Double
  /// The best of these frames is taken instead, seconds, ascending.
  public var candidates: [Double]?
  /// When the ball is in play, seconds; `nil` when unknown.
  public var play: Range<Double>?
  /// Why it is another time than the one that was asked for.
  public var note: String?
  /// Longest side in pixels at most; never enlarged.
  public var maximumSide = PictureRules.posterSide
  /// Pixels of the width at most, as shown.
  public var maximumWidth: Int?
  /// Of JPEG and WebP, 1 to 100.
  public var quality = PictureRules.posterQuality
  /// How it is stored.
  public var format = ImageFormat.jpeg

  /// Pixels of the picture of a clip that is shown with these.
  public func size(of shown: PictureSize) -> PictureSize {
    guard let maximumWidth else { return shown.fitted(longSide: maximumSide, shortSide: maximumSide) }
    return shown.fitted(width: maximumWidth).fitted(height: PictureRules.pictureSide)
  }
}

/// Frames side by side.
public struct TilePlan: Codable, Equatable, Sendable {
  /// `sheet`, `storyboard` or `filmstrip`.
  public var kind: PictureKind
  /// Of each tile, in reading order, seconds of the clip's presentation, ascending.
  public var seconds: [Double]
  /// How many tiles are in a row, at least one.
  public var columns: Int
  /// Of one tile as shown, pixels.
  public var tile: PictureSize
  /// Pixels between the tiles and around them.
  public var gap: Int
  /// Each tile says its time.
  public var isLabelled: Bool
  /// Of JPEG and WebP, 1 to 100.
  public var quality: Int
  /// How it is stored.
  public var format: ImageFormat
  /// Length of the clip, seconds.
  public var durationSeconds: Double

  /// How many rows the tiles make; the last may have fewer.
  public var rows: Int { (seconds.count + columns - 1) / columns }

  /// Pixels of the whole.
  public var size: PictureSize {
    PictureSize(
      width: columns * (tile.width + gap) + gap, height: rows * (tile.height + gap) + gap)
  }

  /// Where a tile's top left corner is.
  public func place(of index: Int) -> (x: Int, y: Int) {
    (gap + index % columns * (tile.width + gap), gap + index / columns * (tile.height + gap))
  }
}

/// A few seconds that move.
public struct AnimationPlan: Codable, Equatable, Sendable {
  /// The part that is shown, seconds of the clip's presentation; with `picksBest` the best part of that length.
  public var range: Range<Double>
  /// The part is looked for in the whole clip.
  public var picksBest = false
  /// When the ball is in play, seconds; `nil` when unknown.
  public var play: Range<Double>?
  /// How many frames a second has.
  public var framesPerSecond: Double
  /// As shown, pixels.
  public var size: PictureSize
  /// One file is written for each.
  public var formats: [AnimationFormat]
  /// Bytes of each file, at most: it gets plainer, choppier and smaller until it fits.
  public var byteLimit: Int64
  /// Length of the clip, seconds.
  public var durationSeconds: Double

  /// When the frames are taken, seconds, ascending: of the part, or of the whole clip when the best part is looked for.
  public var seconds: [Double] {
    let searched = picksBest ? 0..<durationSeconds : range
    let count = Int(saturating: ((searched.upperBound - searched.lowerBound) * framesPerSecond).rounded(.up))
    return (0..<max(count, 1)).map { searched.lowerBound + Double($0) / framesPerSecond }
  }
}

/// A picture that was drawn.
public struct RenderedPicture: Codable, Equatable, Sendable {
  /// What people call it.
  public var kind: PictureKind
  /// Absolute path.
  public var path: String
  /// Pixels.
  public var width: Int
  /// Pixels.
  public var height: Int
  /// Bytes of the file.
  public var byteCount: Int64
  /// Where the frames were taken, seconds of the clip's presentation.
  public var seconds: [Double]
  /// Things worth telling: another frame than the one that was asked for.
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
