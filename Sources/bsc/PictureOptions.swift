public import ArgumentParser
public import ClipModel
import ShareEngine

/// What is drawn of a clip.
struct PictureOptions: ParsableArguments {
  @Option(
    name: .customLong("kind"),
    help: "poster, sheet, storyboard, animated or filmstrip. Repeat it for several.")
  var kinds: [PictureKind] = []

  @Option(help: "Where the poster is taken: seconds, or 1:23.5. (default: 2)")
  var at: ClockTime?

  @Flag(help: "Take the best frame for the poster, and the best part for the animation.")
  var best = false

  @Option(help: "jpeg, png or webp. (default: by the name of the output, else jpeg)")
  var imageFormat: ImageFormat?

  @Option(help: "Columns and rows of the sheet, up to 20x20. (default: 4x4, upright clips 6x3)")
  var grid: PictureGrid?

  @Option(help: "webp or gif. Repeat it for both. (default: both)")
  var animatedFormat: [AnimationFormat] = []

  @Option(name: .customLong("length"), help: "Seconds of the animation, 0.25 to 10. (default: 5)")
  var animatedSeconds: Double?

  @Option(name: .customLong("fps"), help: "Frames per second of the animation, 1 to 30. (default: 15)")
  var animatedFrameRate: Int?

  @Option(help: "Bytes of the animation at most; it gets plainer until it fits. (default: 5MB)")
  var animatedSize: ByteLimit?

  func validate() throws {
    if at != nil, best { throw ValidationError("--at and --best exclude each other.") }
    // Mux's limits, so that ours can stand in for theirs.
    if let animatedSeconds, !(0.25...10).contains(animatedSeconds) {
      throw ValidationError("--length is from 0.25 to 10 seconds.")
    }
    if let animatedFrameRate, !(1...30).contains(animatedFrameRate) {
      throw ValidationError("--fps is from 1 to 30.")
    }
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
  func settings(_ surroundings: Surroundings, usual: [PictureKind]) -> PictureSettings {
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
  @Option(help: "Pixels of a picture's width at most.")
  var pictureWidth: Int?

  @Option(help: "Of JPEG and WebP pictures, 1 to 100. (default: 85, small frames 78)")
  var pictureQuality: Int?

  func validate() throws { try Self.check(width: pictureWidth, quality: pictureQuality, prefix: "picture-") }

  var isGiven: Bool { pictureWidth != nil || pictureQuality != nil }

  func apply(to settings: inout PictureSettings) {
    settings.width = pictureWidth
    if let pictureQuality { settings.quality = pictureQuality }
  }

  static func check(width: Int?, quality: Int?, prefix: String = "") throws {
    if let width, !(16...16_000).contains(width) {
      throw ValidationError("--\(prefix)width is from 16 to 16000.")
    }
    if let quality, !(1...100).contains(quality) { throw ValidationError("--\(prefix)quality is from 1 to 100.") }
  }
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
extension PictureGrid: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}

/// What was drawn, for people.
enum PictureText {
  /// `✓ clip-poster.jpg, 1280x720, 143 kB: the frame at 2 s`.
  /// - Parameter name: as the user would write the path.
  static func lines(_ picture: DrawnPicture, name: String, isKeyFrame: Bool = false) -> [String] {
    let size = "\(picture.width)x\(picture.height), \(ByteCount.text(picture.byteCount))"
    return ["✓ \(name), \(size): \(content(picture, isKeyFrame: isKeyFrame))"]
      + picture.notes.map { "  note: \($0)" } + fewKeyFrames(picture, isKeyFrame: isKeyFrame)
  }

  private static func fewKeyFrames(_ picture: DrawnPicture, isKeyFrame: Bool) -> [String] {
    guard isKeyFrame, picture.kind != .poster, picture.kind != .animated,
      Set(picture.seconds).count * 2 < picture.seconds.count
    else { return [] }
    return ["  note: the clip has few key frames; without --fast each frame is another"]
  }

  private static func content(_ picture: DrawnPicture, isKeyFrame: Bool) -> String {
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
