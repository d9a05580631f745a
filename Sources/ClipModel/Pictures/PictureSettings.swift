/// A kind of picture that bsc can render from a clip.
public enum PictureKind: String, Codable, CaseIterable, Sendable {
  /// A single frame that players show before playback.
  case poster
  /// A contact sheet: a grid of frames with timestamps.
  case sheet
  /// Many small frames in one image, with an index, for previews on a player's timeline.
  case storyboard
  /// A short animation.
  case animated
  /// A single row of frames.
  case filmstrip
}

/// The file format of a still image.
public enum ImageFormat: String, Codable, CaseIterable, Sendable {
  /// A small file that every program can display.
  case jpeg
  /// Lossless.
  case png
  /// A smaller file than JPEG.
  case webp

  /// The file extension without a period.
  public var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
}

/// The file format of an animation.
public enum AnimationFormat: String, Codable, CaseIterable, Sendable {
  /// A small file in full color.
  case webp
  /// Supported everywhere, but limited to 256 colors.
  case gif

  /// The file extension without a period.
  public var fileExtension: String { rawValue }
}

/// The user's picture settings. The initial values are the product's defaults.
public struct PictureSettings: Codable, Equatable, Sendable {
  /// The kinds of pictures. Each kind is rendered once, in this order.
  public var kinds: [PictureKind] = [.poster]
  /// The format of still images.
  public var format = ImageFormat.jpeg
  /// The poster time in seconds from the start of the clip, clamped to the clip's duration.
  public var posterSeconds = 2.0
  /// Whether to use the best frame as the poster and the best part for the animation.
  public var picksBest = false
  /// Whether to use the nearest key frames instead of the exact frames.
  public var usesKeyFrames = false
  /// The JPEG or WebP quality, from 1 to 100; `nil` for the default of the picture kind.
  public var quality: Int?
  /// The maximum width of the complete picture in pixels; `nil` for the default of the picture kind.
  public var width: Int?
  /// The number of columns and rows in a contact sheet; `nil` to choose them based on the clip's aspect ratio.
  public var grid: PictureGrid?
  /// The animation formats. One file is written for each format.
  public var animationFormats = AnimationFormat.allCases
  /// The maximum duration of the animation in seconds. The animation is never longer than the clip.
  public var animationSeconds = 5.0
  /// The maximum frame rate of the animation, which never exceeds the clip's frame rate.
  public var animationFrameRate = 15
  /// The maximum file size of the animation in bytes. Colors, frame rate and dimensions are reduced until the file
  /// fits.
  public var animationByteLimit: Int64 = 5_000_000

  public init(kinds: [PictureKind] = [.poster], posterSeconds: Double = 2) {
    self.kinds = kinds
    self.posterSeconds = posterSeconds
  }
}

/// The dimensions of a contact sheet.
public struct PictureGrid: Codable, Equatable, Sendable {
  /// The number of columns, from 1 to 20.
  public var columns: Int
  /// The number of rows, from 1 to 20.
  public var rows: Int

  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// Parses text such as `4x3`, with 1 to 20 columns and rows.
  public init?(_ text: String) {
    let parts = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let columns = parts[0], let rows = parts[1], (1...20).contains(columns),
      (1...20).contains(rows)
    else { return nil }
    self.init(columns: columns, rows: rows)
  }
}
