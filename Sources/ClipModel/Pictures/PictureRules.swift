/// Decides how pictures are rendered from a clip.
public struct PictureRules: Sendable {
  /// The length of the clip's presentation in seconds.
  public var durationSeconds: Double
  /// The displayed size of the clip.
  public var shown: PictureSize
  /// The average frame rate; `nil` if unknown.
  public var frameRate: Double?
  /// When the ball is in play, in seconds from the start of the clip; `nil` if unknown.
  public var play: Range<Double>?

  public init(durationSeconds: Double, shown: PictureSize, frameRate: Double?, play: Range<Double>? = nil) {
    // Files may claim any value. Comparisons with NaN are false, so NaN becomes 0.
    self.durationSeconds = durationSeconds > 0 ? min(durationSeconds, Self.longestSeconds) : 0
    self.shown = shown
    self.frameRate = frameRate.flatMap { $0 > 0 ? min($0, 1000) : nil }
    self.play = play.flatMap { $0.lowerBound < durationSeconds && $0.upperBound > 0 ? $0 : nil }
  }

  /// About four months, in seconds.
  static let longestSeconds = 1e7
  /// The maximum width and height of a picture in pixels. WebP is limited to 16383, JPEG and PNG to more.
  static let pictureSide = 16_000
  /// The maximum width and height of a poster: enough for a page or a link preview on any screen.
  static let posterSide = 1280
  /// Looks lossless at the size of a poster. For small frames next to each other, a lower quality is sufficient.
  static let posterQuality = 85
  static let tileQuality = 78
  /// The width of a contact sheet.
  static let sheetWidth = 1600
  /// The maximum width and height of a storyboard's tile, as in Mux.
  static let storyboardSide = 256
  /// The number of tiles for clips below and above a quarter of an hour, as in Mux.
  static let storyboardCounts = (short: 50, long: 100)
  static let storyboardColumns = 5
  static let storyboardLongSeconds = 900.0
  /// The height and the number of tiles in a filmstrip.
  static let filmstripHeight = 90
  static let filmstripCount = 10
  /// The default width of an animation, and the maximum of its width and height, as in Mux.
  static let animationWidth = 320
  static let animationSide = 640
  /// The best part is only searched for in clips up to this length, because the whole clip has to be decoded.
  static let searchedSeconds = 900.0
  /// The time between the frames that are compared to find the best one, in seconds, and their maximum number.
  static let candidateStep = 0.2
  static let candidateLimit = 300

  /// When the ball is in play in a rally that the app cut. The app adds 2 s before play (half a second for rallies
  /// shorter than 2.5 s) and half a second after it.
  public static func play(inRallyOf seconds: Double) -> Range<Double>? {
    let after = 0.5
    let before = seconds - 2 - after >= 2.5 ? 2.0 : 0.5
    return seconds > before + after ? before..<seconds - after : nil
  }

  /// The plans, in the order of the requested kinds.
  public func plans(_ settings: PictureSettings) -> [PicturePlan] {
    var seen: Set<PictureKind> = []
    return settings.kinds.filter { seen.insert($0).inserted }.map { kind in
      switch kind {
      case .poster: .poster(poster(settings))
      case .sheet: .tiles(sheet(settings))
      case .storyboard: .tiles(storyboard(settings))
      case .filmstrip: .tiles(filmstrip(settings))
      case .animated: .animation(animation(settings))
      }
    }
  }

  private func poster(_ settings: PictureSettings) -> PosterPlan {
    // Times after the end select the last frame, which may start exactly at the end if the container only estimates its
    // duration.
    var plan = PosterPlan(
      atSeconds: min(max(settings.posterSeconds, 0), durationSeconds),
      candidates: settings.picksBest ? candidates() : nil,
      play: play,
      maximumSide: Self.posterSide, maximumWidth: settings.width,
      quality: settings.quality ?? Self.posterQuality, format: settings.format)
    if settings.posterSeconds > durationSeconds + 0.01, plan.candidates == nil {
      let requested = decimal(min(settings.posterSeconds, Self.longestSeconds))
      plan.note =
        "the requested time is \(requested) s, but the clip ends at \(decimal(durationSeconds)) s; "
        + "the last frame is used"
    }
    return plan
  }

  /// The times of frames to choose from: while the ball is in play, if that is known.
  func candidates() -> [Double] {
    let whole = 0..<max(durationSeconds, 0.001)
    let searched = play.map { $0.clamped(to: whole) } ?? whole
    let length = searched.upperBound - searched.lowerBound
    let count = min(max(Int(length / Self.candidateStep), 1), Self.candidateLimit)
    return (0..<count).map { searched.lowerBound + (Double($0) + 0.5) * length / Double(count) }
  }

  /// The middles of equal parts, which avoids a black first frame and a camera that points at the ground at the end.
  private func middles(_ count: Int) -> [Double] {
    (0..<count).map { (Double($0) + 0.5) * durationSeconds / Double(count) }
  }

  /// Limits a number of tiles to the number of frames, so that none is repeated.
  private func limited(_ count: Int) -> Int {
    max(1, min(count, frameRate.map { Int(saturating: (durationSeconds * $0).rounded()) } ?? count))
  }

  private func sheet(_ settings: PictureSettings) -> TilePlan {
    let usual = shown.height > shown.width ? PictureGrid(columns: 6, rows: 3) : PictureGrid(columns: 4, rows: 4)
    let grid = settings.grid ?? usual
    let gap = 8
    let width = ((settings.width ?? Self.sheetWidth) - gap) / grid.columns - gap
    return TilePlan(
      kind: .sheet, seconds: middles(limited(grid.columns * grid.rows)), columns: grid.columns,
      tile: shown.fitted(width: max(width, 16)).fitted(height: Self.pictureSide / grid.rows - gap), gap: gap,
      isLabelled: true,
      quality: settings.quality ?? Self.tileQuality,
      format: settings.format, durationSeconds: durationSeconds)
  }

  private func storyboard(_ settings: PictureSettings) -> TilePlan {
    let usual =
      durationSeconds < Self.storyboardLongSeconds ? Self.storyboardCounts.short : Self.storyboardCounts.long
    let count = limited(usual)
    let columns = min(Self.storyboardColumns, count)
    let largest =
      settings.width.map { shown.fitted(width: max($0 / columns, 16)) }
      ?? shown.fitted(longSide: Self.storyboardSide, shortSide: Self.storyboardSide)
    let tile = largest.fitted(height: Self.pictureSide / ((count + columns - 1) / columns))
    // A tile represents the time from its frame to the next one.
    return TilePlan(
      kind: .storyboard, seconds: (0..<count).map { Double($0) * durationSeconds / Double(count) }, columns: columns,
      tile: tile, gap: 0, isLabelled: false, quality: settings.quality ?? Self.tileQuality, format: settings.format,
      durationSeconds: durationSeconds)
  }

  private func filmstrip(_ settings: PictureSettings) -> TilePlan {
    let count = limited(Self.filmstripCount)
    let largest =
      settings.width.map { shown.fitted(width: max($0 / count, 8)) } ?? shown.fitted(height: Self.filmstripHeight)
    let tile = largest.fitted(width: Self.pictureSide / count).fitted(height: Self.pictureSide)
    return TilePlan(
      kind: .filmstrip, seconds: middles(count), columns: count, tile: tile, gap: 0, isLabelled: false,
      quality: settings.quality ?? Self.tileQuality, format: settings.format, durationSeconds: durationSeconds)
  }

  private func animation(_ settings: PictureSettings) -> AnimationPlan {
    let length = min(settings.animationSeconds, max(durationSeconds, 0.001))
    let rate = min(Double(settings.animationFrameRate), max(frameRate ?? .infinity, 1))
    let isSearched = settings.picksBest && durationSeconds <= Self.searchedSeconds && length < durationSeconds
    return AnimationPlan(
      range: 0..<length, picksBest: isSearched, play: play, framesPerSecond: rate,
      size: shown.fitted(width: settings.width ?? Self.animationWidth)
        .fitted(longSide: Self.animationSide, shortSide: Self.animationSide), formats: settings.animationFormats,
      byteLimit: settings.animationByteLimit, durationSeconds: durationSeconds)
  }
}
