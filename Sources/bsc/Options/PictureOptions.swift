public import ArgumentParser
public import ClipModel
import ShareEngine

/// Options for rendering pictures from a clip.
struct PictureOptions: ParsableArguments {
  @Option(
    name: .customLong("kind"), help: "Picture kind: poster, sheet, storyboard, animated or filmstrip. Can be repeated.")
  var kinds: [PictureKind] = []

  @Option(help: "Time of the poster frame, for example 83.5 or 1:23.5. (default: 2)", transform: ClockTime.parse)
  var at: ClockTime?

  @Flag(help: "Choose the best frame for the poster and the best part for the animation.")
  var best = false

  @Option(help: "Image format: jpeg, png or webp. (default: based on the output file's extension, otherwise jpeg)")
  var imageFormat: ImageFormat?

  @Option(
    help: "Columns and rows of the contact sheet, up to 20x20. (default: 4x4, or 6x3 for portrait clips)",
    transform: PictureGrid.parse)
  var grid: PictureGrid?

  @Option(help: "Animation format: webp or gif. Repeat the option for both. (default: both)")
  var animatedFormat: [AnimationFormat] = []

  // The limits are the same as Mux's, so that bsc's animations can replace Mux's.
  @Option(
    name: .customLong("length"), help: "Length of the animation in seconds, 0.25 to 10. (default: 5)",
    transform: NumericArgument.decimalParser(0.25...10, of: "seconds"))
  var animatedSeconds: Double?

  @Option(
    name: .customLong("fps"), help: "Frame rate of the animation, 1 to 30. (default: 15)",
    transform: NumericArgument.wholeNumberParser(1...30))
  var animatedFrameRate: Int?

  @Option(
    help: "Maximum file size of the animation; the quality is reduced to fit. (default: 5MB)",
    transform: ByteLimit.parse
  )
  var animatedSize: ByteLimit?

  func validate() throws {
    if at != nil, best { throw ValidationError("--at and --best cannot be combined.") }
  }

  var isFormatGiven: (still: Bool, animated: Bool) { (imageFormat != nil, !animatedFormat.isEmpty) }

  /// - Parameter kinds: the picture kinds that are rendered.
  /// - Throws: `ValidationError` if an option applies only to other picture kinds.
  func validateOptions(for kinds: [PictureKind]) throws {
    let isAnimated =
      animatedSeconds != nil || animatedFrameRate != nil || animatedSize != nil || !animatedFormat.isEmpty
    let uses: [(isGiven: Bool, names: String, kinds: Set<PictureKind>)] = [
      (at != nil, "--at requires --kind poster", [.poster]),
      (best, "--best requires --kind poster or animated", [.poster, .animated]),
      (grid != nil, "--grid requires --kind sheet", [.sheet]),
      (isAnimated, "--length, --fps, --animated-format and --animated-size require --kind animated", [.animated]),
      (imageFormat != nil, "--image-format requires a --kind other than animated", Set(PictureKind.still)),
    ]
    if let first = uses.first(where: { $0.isGiven && $0.kinds.isDisjoint(with: kinds) }) {
      throw ValidationError(first.names + ".")
    }
  }

  /// - Parameter defaultKinds: the picture kinds to render if `--kind` is not set.
  func makeSettings(_ environment: EngineEnvironment, defaultKinds: [PictureKind]) -> PictureSettings {
    var settings = PictureSettings(
      kinds: kinds.isEmpty ? defaultKinds : kinds,
      posterSeconds: at?.seconds ?? environment.configuration.posterAtSeconds.value)
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

/// The size and quality of pictures, for commands whose `--width` and `--quality` apply to the video.
struct PictureSizeOptions: ParsableArguments {
  @Option(help: "Maximum picture width in pixels.", transform: PictureSizeOptions.width)
  var pictureWidth: Int?

  @Option(
    help: "Quality of JPEG and WebP pictures, 1 to 100. (default: 85; 78 for small frames)",
    transform: PictureSizeOptions.quality)
  var pictureQuality: Int?

  static let width = NumericArgument.wholeNumberParser(16...16_000)
  static let quality = NumericArgument.wholeNumberParser(1...100)

  func validate(with pictures: PictureOptions) throws {
    try pictures.validateOptions(for: pictures.kinds)
    if pictures.kinds.isEmpty, pictureWidth != nil || pictureQuality != nil {
      throw ValidationError("--picture-width and --picture-quality require --kind.")
    }
  }

  func apply(to settings: inout PictureSettings) {
    settings.width = pictureWidth
    if let pictureQuality { settings.quality = pictureQuality }
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
extension PictureGrid {
  /// - Throws: `ArgumentFault`.
  fileprivate static func parse(_ text: String) throws -> PictureGrid {
    if let grid = PictureGrid(text) { return grid }
    let square = PictureGrid("\(text)x\(text)").map { "did you mean \($0.columns)x\($0.rows)? " } ?? ""
    throw ArgumentFault(
      value: text, why: "it is not a valid grid size",
      next: "\(square)enter columns and rows, as in 4x3, up to 20x20")
  }
}
