public import ArgumentParser
public import ClipModel
import ShareEngine

/// What is drawn of a clip.
struct PictureOptions: ParsableArguments {
  @Option(
    name: .customLong("kind"),
    help: "poster, sheet, storyboard, animated or filmstrip. Repeat it for several.")
  var kinds: [PictureKind] = []

  @Option(help: "Where the poster is taken: seconds, or 1:23.5. (default: 2)", transform: ClockTime.read)
  var at: ClockTime?

  @Flag(help: "Take the best frame for the poster, and the best part for the animation.")
  var best = false

  @Option(help: "jpeg, png or webp. (default: by the name of the output, else jpeg)")
  var imageFormat: ImageFormat?

  @Option(
    help: "Columns and rows of the sheet, up to 20x20. (default: 4x4, upright clips 6x3)",
    transform: PictureGrid.read)
  var grid: PictureGrid?

  @Option(help: "webp or gif. Repeat it for both. (default: both)")
  var animatedFormat: [AnimationFormat] = []

  // Here and below Mux's limits, so that ours can stand in for theirs.
  @Option(
    name: .customLong("length"), help: "Seconds of the animation, 0.25 to 10. (default: 5)",
    transform: ArgumentNumber.decimal(0.25...10, of: "seconds"))
  var animatedSeconds: Double?

  @Option(
    name: .customLong("fps"), help: "Frames per second of the animation, 1 to 30. (default: 15)",
    transform: ArgumentNumber.whole(1...30))
  var animatedFrameRate: Int?

  @Option(
    help: "Bytes of the animation at most; it gets plainer until it fits. (default: 5MB)", transform: ByteLimit.read)
  var animatedSize: ByteLimit?

  func validate() throws {
    if at != nil, best { throw ValidationError("--at and --best exclude each other.") }
  }

  var isFormatGiven: (still: Bool, animated: Bool) { (imageFormat != nil, !animatedFormat.isEmpty) }

  /// - Parameter kinds: what will be drawn.
  /// - Throws: for options that say something of what is not drawn.
  func check(for kinds: [PictureKind]) throws {
    let isAnimated =
      animatedSeconds != nil || animatedFrameRate != nil || animatedSize != nil || !animatedFormat.isEmpty
    let wanted: [(isGiven: Bool, names: String, kinds: Set<PictureKind>)] = [
      (at != nil, "--at goes with --kind poster", [.poster]),
      (best, "--best goes with --kind poster or animated", [.poster, .animated]),
      (grid != nil, "--grid goes with --kind sheet", [.sheet]),
      (
        isAnimated,
        "--length, --fps, --animated-format and --animated-size go with --kind animated", [.animated]
      ),
      (imageFormat != nil, "--image-format goes with a --kind that stands still", Set(PictureKind.still)),
    ]
    if let first = wanted.first(where: { $0.isGiven && $0.kinds.isDisjoint(with: kinds) }) {
      throw ValidationError(first.names + ".")
    }
  }

  /// - Parameter usual: the kinds when none was named.
  func settings(_ surroundings: EngineEnvironment, usual: [PictureKind]) -> PictureSettings {
    var settings = PictureSettings(
      kinds: kinds.isEmpty ? usual : kinds,
      posterSeconds: at?.seconds ?? surroundings.configuration.posterAtSeconds.value)
    settings.picksBest = best
    settings.format = imageFormat ?? .jpeg
    settings.grid = grid
    if !animatedFormat.isEmpty { settings.animationFormats = AnimationFormat.allCases.filter(animatedFormat.contains) }
    if let animatedSeconds { settings.animationSeconds = animatedSeconds }
    if let animatedFrameRate { settings.animationFrameRate = animatedFrameRate }
    if let animatedSize { settings.animationByteLimit = animatedSize.byteCount }
    return settings
  }
}

/// How big and how good pictures are, where `--width` and `--quality` mean something else.
struct PictureLookOptions: ParsableArguments {
  @Option(help: "Pixels of a picture's width at most.", transform: PictureLookOptions.width)
  var pictureWidth: Int?

  @Option(
    help: "Of JPEG and WebP pictures, 1 to 100. (default: 85, small frames 78)", transform: PictureLookOptions.quality)
  var pictureQuality: Int?

  var isGiven: Bool { pictureWidth != nil || pictureQuality != nil }

  func apply(to settings: inout PictureSettings) {
    settings.width = pictureWidth
    if let pictureQuality { settings.quality = pictureQuality }
  }

  static let width = ArgumentNumber.whole(16...16_000)
  static let quality = ArgumentNumber.whole(1...100)
}

extension PictureKind {
  static let still = allCases.filter { $0 != .animated }
}

extension PictureKind: ExpressibleByArgument {}
extension ImageFormat: ExpressibleByArgument {
  public init?(argument: String) {
    self.init(rawValue: argument == "jpg" ? "jpeg" : argument)
  }
}
extension AnimationFormat: ExpressibleByArgument {}
extension PictureGrid {
  /// - Throws: `ArgumentFault`.
  fileprivate static func read(_ text: String) throws -> PictureGrid {
    if let grid = PictureGrid(text) { return grid }
    let square = PictureGrid("\(text)x\(text)").map { "did you mean \($0.columns)x\($0.rows)? " } ?? ""
    throw ArgumentFault(
      value: text, why: "it is no number of columns and rows", next: "\(square)give both, as 4x3, up to 20x20")
  }
}

/// What was drawn, for people.
enum PictureText {
  /// `✓ clip-poster.jpg, 1280x720, 143 kB: the frame at 2 s`.
  /// - Parameter name: as the user would write the path.
  static func lines(_ picture: RenderedPicture, name: String, isKeyFrame: Bool = false) -> [StyledText] {
    let size = "\(picture.width)x\(picture.height), \(ByteCount.text(picture.byteCount))"
    var notes = picture.notes
    if isKeyFrame, hasFewKeyFrames(picture) {
      notes.append("the clip has few key frames; without --fast each frame is another")
    }
    return ["\("✓", .good) \(whole: name, .strong), \(size): \(content(picture, isKeyFrame: isKeyFrame))"]
      + notes.map { "  \("note:", .faint) \($0)" }
  }

  private static func hasFewKeyFrames(_ picture: RenderedPicture) -> Bool {
    picture.kind != .poster && picture.kind != .animated
      && Set(picture.seconds).count * 2 < picture.seconds.count
  }

  private static func content(_ picture: RenderedPicture, isKeyFrame: Bool) -> String {
    let frame = isKeyFrame ? "key frame" : "frame"
    let first = picture.seconds.first.map(decimal) ?? "0"
    switch picture.kind {
    case .poster: return "the \(frame) at \(first) s"
    case .sheet, .filmstrip: return Set(picture.seconds).count.counting(frame)
    case .storyboard: return Set(picture.seconds).count.counting(frame) + ", with .vtt and .json beside it"
    case .animated: return "from \(first) s"
    }
  }
}
