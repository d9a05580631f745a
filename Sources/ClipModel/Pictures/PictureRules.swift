/// Decides how to render pictures from a clip.
public struct PictureRules: Sendable {
  /// The clip's presentation duration in seconds.
  public var durationSeconds: Double
  /// The clip's displayed size.
  public var shown: PictureSize
  /// The average frame rate; `nil` if unknown.
  public var frameRate: Double?
  /// The time range when the ball is in play, in seconds from the start of the clip; `nil` if unknown.
  public var play: Range<Double>?

  public init(durationSeconds: Double, shown: PictureSize, frameRate: Double?, play: Range<Double>? = nil) {
    // Files may contain any value. Comparisons with NaN are false, so NaN becomes 0.
    self.durationSeconds = durationSeconds > 0 ? min(durationSeconds, Self.longestSeconds) : 0
    self.shown = shown
    self.frameRate = frameRate.flatMap { $0 > 0 ? min($0, 1000) : nil }
    self.play = play.flatMap { $0.lowerBound < durationSeconds && $0.upperBound > 0 ? $0 : nil }
  }

  /// The maximum duration in seconds, about four months.
  static let longestSeconds = 1e7
  /// The maximum width or height of a picture in pixels. WebP is limited to 16383 pixels; JPEG and PNG allow more.
  static let pictureSide = 16_000
  /// The maximum width or height of a poster in pixels, enough for a page or a link preview on any screen.
  static let posterSide = 1280
  /// The quality of a poster, which looks lossless. A lower quality is sufficient for small tiles.
  static let posterQuality = 85
  static let tileQuality = 78
  /// The width of a contact sheet in pixels.
  static let sheetWidth = 1600
  /// The maximum width or height of a storyboard tile in pixels, as in Mux.
  static let storyboardSide = 256
  /// The number of tiles for clips shorter and longer than 15 minutes, as in Mux.
  static let storyboardCounts = (short: 50, long: 100)
  static let storyboardColumns = 5
  static let storyboardLongSeconds = 900.0
  /// The height of a filmstrip in pixels, and its number of tiles.
  static let filmstripHeight = 90
  static let filmstripCount = 10
  /// The default width of an animation in pixels, and the maximum width and height, as in Mux.
  static let animationWidth = 320
  static let animationSide = 640
  /// The maximum duration, in seconds, of clips that are searched for the best part. The search decodes the entire
  /// clip.
  static let searchedSeconds = 900.0
  /// The interval, in seconds, between the frames that are compared to find the best one, and their maximum number.
  static let candidateStep = 0.2
  static let candidateLimit = 300

  /// Returns the time range when the ball is in play in a rally that the app has cut. The app adds 2 s before play (0.5
  /// s for rallies shorter than 2.5 s) and 0.5 s after it.
  public static func rangeOfPlay(inRallyOf seconds: Double) -> Range<Double>? {
    let after = 0.5
    let before = seconds - 2 - after >= 2.5 ? 2.0 : 0.5
    return seconds > before + after ? before..<seconds - after : nil
  }

  /// Returns the plans in the order of the requested kinds.
  public func makePlans(_ settings: PictureSettings) -> [PicturePlan] {
    var seen: Set<PictureKind> = []
    return settings.kinds.filter { seen.insert($0).inserted }.map { kind in
      switch kind {
      case .poster: .poster(posterPlan(settings))
      case .sheet: .tiles(sheetPlan(settings))
      case .storyboard: .tiles(storyboardPlan(settings))
      case .filmstrip: .tiles(filmstripPlan(settings))
      case .animated: .animation(animationPlan(settings))
      }
    }
  }

  private func posterPlan(_ settings: PictureSettings) -> PosterPlan {
    // Times after the end select the last frame. That frame may start exactly at the end if the container only
    // estimates its duration.
    var plan = PosterPlan(
      atSeconds: min(max(settings.posterSeconds, 0), durationSeconds),
      candidates: settings.picksBest ? candidateTimes() : nil,
      play: play,
      maximumSide: Self.posterSide, maximumWidth: settings.width,
      quality: settings.quality ?? Self.posterQuality, format: settings.format)
    if settings.posterSeconds > durationSeconds + 0.01, plan.candidates == nil {
      let requested = decimal(min(settings.posterSeconds, Self.longestSeconds))
      plan.note =
        "the requested time is \(requested) s, but the clip ends at \(decimal(durationSeconds)) s; "
        + "bsc uses the last frame"
    }
    return plan
  }

  /// The presentation times of frames to choose from. If the play range is known, only frames in that range qualify.
  func candidateTimes() -> [Double] {
    let whole = 0..<max(durationSeconds, 0.001)
    let searched = play.map { $0.clamped(to: whole) } ?? whole
    let length = searched.upperBound - searched.lowerBound
    let count = min(max(Int(length / Self.candidateStep), 1), Self.candidateLimit)
    return (0..<count).map { searched.lowerBound + (Double($0) + 0.5) * length / Double(count) }
  }

  /// The midpoints of equal parts, which avoid a black first frame and a camera pointing at the ground at the end.
  private func midpoints(_ count: Int) -> [Double] {
    (0..<count).map { (Double($0) + 0.5) * durationSeconds / Double(count) }
  }

  /// Limits the tile count to the frame count, so no frame is repeated.
  private func limitTileCount(_ count: Int) -> Int {
    max(1, min(count, frameRate.map { Int(saturating: (durationSeconds * $0).rounded()) } ?? count))
  }

  private func sheetPlan(_ settings: PictureSettings) -> TilePlan {
    let usual = shown.height > shown.width ? PictureGrid(columns: 6, rows: 3) : PictureGrid(columns: 4, rows: 4)
    let grid = settings.grid ?? usual
    let gap = 8
    let width = ((settings.width ?? Self.sheetWidth) - gap) / grid.columns - gap
    return TilePlan(
      kind: .sheet, seconds: midpoints(limitTileCount(grid.columns * grid.rows)), columns: grid.columns,
      tile: shown.fitted(width: max(width, 16)).fitted(height: Self.pictureSide / grid.rows - gap), gap: gap,
      isLabelled: true,
      quality: settings.quality ?? Self.tileQuality,
      format: settings.format, durationSeconds: durationSeconds)
  }

  private func storyboardPlan(_ settings: PictureSettings) -> TilePlan {
    let usual =
      durationSeconds < Self.storyboardLongSeconds ? Self.storyboardCounts.short : Self.storyboardCounts.long
    let count = limitTileCount(usual)
    let columns = min(Self.storyboardColumns, count)
    let largest =
      settings.width.map { shown.fitted(width: max($0 / columns, 16)) }
      ?? shown.fitted(longSide: Self.storyboardSide, shortSide: Self.storyboardSide)
    let tile = largest.fitted(height: Self.pictureSide / ((count + columns - 1) / columns))
    // Each tile represents the time from its frame to the next tile's frame.
    return TilePlan(
      kind: .storyboard, seconds: (0..<count).map { Double($0) * durationSeconds / Double(count) }, columns: columns,
      tile: tile, gap: 0, isLabelled: false, quality: settings.quality ?? Self.tileQuality, format: settings.format,
      durationSeconds: durationSeconds)
  }

  private func filmstripPlan(_ settings: PictureSettings) -> TilePlan {
    let count = limitTileCount(Self.filmstripCount)
    let largest =
      settings.width.map { shown.fitted(width: max($0 / count, 8)) } ?? shown.fitted(height: Self.filmstripHeight)
    let tile = largest.fitted(width: Self.pictureSide / count).fitted(height: Self.pictureSide)
    return TilePlan(
      kind: .filmstrip, seconds: midpoints(count), columns: count, tile: tile, gap: 0, isLabelled: false,
      quality: settings.quality ?? Self.tileQuality, format: settings.format, durationSeconds: durationSeconds)
  }

  private func animationPlan(_ settings: PictureSettings) -> AnimationPlan {
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
