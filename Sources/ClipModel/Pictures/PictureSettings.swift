/// A kind of picture that can be rendered from a clip.
public enum PictureKind: String, Codable, CaseIterable, Sendable {
  /// A single frame, shown before playback.
  case poster
  /// A contact sheet: rows of frames with their times.
  case sheet
  /// Many small frames in one image with an index, for previews on a player's timeline.
  case storyboard
  /// A few seconds of animation.
  case animated
  /// A single row of frames.
  case filmstrip
}

/// The file format of a still picture.
public enum ImageFormat: String, Codable, CaseIterable, Sendable {
  /// Small and supported everywhere.
  case jpeg
  /// Lossless.
  case png
  /// Smaller than JPEG.
  case webp

  /// The file extension without a period.
  public var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
}

/// The file format of an animation.
public enum AnimationFormat: String, Codable, CaseIterable, Sendable {
  /// Small, with full color.
  case webp
  /// Supported everywhere, but limited to 256 colors.
  case gif

  /// The file extension without a period.
  public var fileExtension: String { rawValue }
}

/// The user's choices for pictures. The defaults are those of the product.
public struct PictureSettings: Codable, Equatable, Sendable {
  /// The kinds. Each is rendered once, in this order.
  public var kinds: [PictureKind] = [.poster]
  /// The format of still pictures.
  public var format = ImageFormat.jpeg
  /// The time of the poster in seconds from the start of the clip, clamped to the clip.
  public var posterSeconds = 2.0
  /// Whether the best frame is used as the poster, and the best part for the animation.
  public var picksBest = false
  /// Whether the nearest key frames are used instead of the exact frames.
  public var usesKeyFrames = false
  /// The quality of JPEG and WebP, 1 to 100; `nil` for the default of the kind.
  public var quality: Int?
  /// The maximum width of the whole picture in pixels; `nil` for the default of the kind.
  public var width: Int?
  /// The columns and rows of a contact sheet; `nil` to derive them from the clip's aspect ratio.
  public var grid: PictureGrid?
  /// The formats of the animation. One file is written for each.
  public var animationFormats = AnimationFormat.allCases
  /// The length of the animation in seconds, limited to that of the clip.
  public var animationSeconds = 5.0
  /// The maximum frame rate of the animation, limited to that of the clip.
  public var animationFrameRate = 15
  /// The maximum size of the animation. Colors, frame rate and size are reduced until it fits.
  public var animationByteLimit: Int64 = 5_000_000

  public init(kinds: [PictureKind] = [.poster], posterSeconds: Double = 2) {
    self.kinds = kinds
    self.posterSeconds = posterSeconds
  }
}

/// The size of a grid.
public struct PictureGrid: Codable, Equatable, Sendable {
  /// 1 to 20.
  public var columns: Int
  /// 1 to 20.
  public var rows: Int

  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// Parses `4x3`, with 1 to 20 columns and rows.
  public init?(_ text: String) {
    let parts = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let columns = parts[0], let rows = parts[1], (1...20).contains(columns),
      (1...20).contains(rows)
    else { return nil }
    self.init(columns: columns, rows: rows)
  }
}
