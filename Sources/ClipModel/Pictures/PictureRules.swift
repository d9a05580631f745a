/// The decisions about pictures: from what a clip is to what is drawn of it.
public struct PictureRules: Sendable {
  /// Length of the clip's presentation in seconds.
  public var durationSeconds: Double
  /// As people see it: upright, with square pixels.
  public var shown: PictureSize
  /// Frames per second on average; `nil` when unknown.
  public var frameRate: Double?
  /// When the ball is in play, seconds of the clip; `nil` when nobody knows.
  public var play: Range<Double>?

  public init(durationSeconds: Double, shown: PictureSize, frameRate: Double?, play: Range<Double>? = nil) {
    // Whatever a file claims. NaN is below nothing, so it goes first.
    self.durationSeconds = durationSeconds > 0 ? min(durationSeconds, Self.longestSeconds) : 0
    self.shown = shown
    self.frameRate = frameRate.flatMap { $0 > 0 ? min($0, 1000) : nil }
    self.play = play.flatMap { $0.lowerBound < durationSeconds && $0.upperBound > 0 ? $0 : nil }
  }

  /// Seconds: some four months.
  static let longestSeconds = 1e7
  /// Pixels of a picture's side: what WebP can hold (16383), JPEG and PNG more.
  static let pictureSide = 16_000
  /// Longest side of a poster: enough for a page or a link's preview on any screen.
  public static let posterSide = 1280
  /// No difference to be seen at a poster's size; small frames side by side hide more.
  static let posterQuality = 85
  static let tileQuality = 78
  /// Width of a contact sheet.
  public static let sheetWidth = 1600
  /// Longest side of a storyboard's tile, and how many there are below and above a quarter of an hour, as at Mux.
  public static let storyboardSide = 256
  /// Tiles of a storyboard: of clips below a quarter of an hour, and of longer ones.
  public static let storyboardCounts = (short: 50, long: 100)
  static let storyboardColumns = 5
  static let storyboardLongSeconds = 900.0
  /// Height and number of a filmstrip's tiles.
  static let filmstripHeight = 90
  static let filmstripCount = 10
  /// Width of a moving picture, and the longest side that it may have, as at Mux.
  public static let animationWidth = 320
  static let animationSide = 640
  /// Longer clips are not searched for their best part: that means looking at all of it.
  static let searchedSeconds = 900.0
  /// Distance of the frames that are compared for the best one, seconds, and how many there are at most.
  static let candidateStep = 0.2
  static let candidateLimit = 300

  /// When the ball is in play in a rally that the app cut: it leaves 2 s before (half a second before rallies of less
  /// than 2.5 s), and half a second behind.
  public static func play(inRallyOf seconds: Double) -> Range<Double>? {
    let behind = 0.5
    let before = seconds - 2 - behind >= 2.5 ? 2.0 : 0.5
    return seconds > before + behind ? before..<seconds - behind : nil
  }

  /// What is drawn, in the order of the kinds that were asked for.
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
    // Behind the end means the last frame, which begins at the end itself where a container only guesses its length.
    var plan = PosterPlan(
      atSeconds: min(max(settings.posterSeconds, 0), durationSeconds),
      candidates: settings.picksBest ? candidates() : nil,
      play: play,
      maximumSide: Self.posterSide, maximumWidth: settings.width,
      quality: settings.quality ?? Self.posterQuality, format: settings.format)
    if settings.posterSeconds > durationSeconds + 0.01, plan.candidates == nil {
      plan.note =
        "the clip ends at \(decimal(durationSeconds)) s, before \(decimal(min(settings.posterSeconds, Self.longestSeconds)))"
        + " s: its last frame is drawn"
    }
    return plan
  }

  /// Frames to choose from: where the ball is in play, if that is known.
  func candidates() -> [Double] {
    let whole = 0..<max(durationSeconds, 0.001)
    let searched = play.map { $0.clamped(to: whole) } ?? whole
    let length = searched.upperBound - searched.lowerBound
    let count = min(max(Int(length / Self.candidateStep), 1), Self.candidateLimit)
    return (0..<count).map { searched.lowerBound + (Double($0) + 0.5) * length / Double(count) }
  }

  /// The middles of equal parts: neither the black first frame nor the ground at the end.
  private func middles(_ count: Int) -> [Double] {
    (0..<count).map { (Double($0) + 0.5) * durationSeconds / Double(count) }
  }

  /// Not more than there are frames: a frame twice helps nobody.
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
    // A tile stands for the time that begins with it.
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
