/// A kind of picture that can be drawn of a clip.
public enum PictureKind: String, Codable, CaseIterable, Sendable {
  /// One frame, as people see it before they press play.
  case poster
  /// A contact sheet: rows of frames with their times.
  case sheet
  /// Many small frames in one picture with an index, for previews under a player's time line.
  case storyboard
  /// A few moving seconds.
  case animated
  /// One row of frames.
  case filmstrip
}

/// How still pictures are stored.
public enum ImageFormat: String, Codable, CaseIterable, Sendable {
  /// Small, and read by everything.
  case jpeg
  /// Without loss.
  case png
  /// Smaller than JPEG.
  case webp

  /// Without a dot.
  public var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
}

/// How moving pictures are stored.
public enum AnimationFormat: String, Codable, CaseIterable, Sendable {
  /// Small, with all colours.
  case webp
  /// Read by everything; 256 colours.
  case gif

  /// Without a dot.
  public var fileExtension: String { rawValue }
}

/// What the user can choose about pictures; the defaults are the product's.
public struct PictureSettings: Codable, Equatable, Sendable {
  /// Each is drawn once, in this order.
  public var kinds: [PictureKind] = [.poster]
  /// Of still pictures.
  public var format = ImageFormat.jpeg
  /// Where the poster is taken, seconds from the start of the clip; clamped to it.
  public var posterSeconds = 2.0
  /// The poster is the best frame, the moving picture the best part.
  public var picksBest = false
  /// The nearest key frames instead of the exact ones.
  public var usesKeyFrames = false
  /// Of JPEG and WebP, 1 to 100; `nil` for what suits the kind.
  public var quality: Int?
  /// Pixels of the whole picture's width, at most; `nil` for what suits the kind.
  public var width: Int?
  /// Columns and rows of a contact sheet; `nil` for what suits the clip's shape.
  public var grid: PictureGrid?
  /// Of moving pictures: one file each.
  public var animationFormats = AnimationFormat.allCases
  /// Length of a moving picture; a shorter clip gives what it has.
  public var animationSeconds = 5.0
  /// Frames per second, at most; a clip that has fewer keeps its own.
  public var animationFrameRate = 15
  /// Bytes of a moving picture, at most: it gets plainer, choppier and smaller until it fits.
  public var animationByteLimit: Int64 = 5_000_000

  public init(kinds: [PictureKind] = [.poster], posterSeconds: Double = 2) {
    self.kinds = kinds
    self.posterSeconds = posterSeconds
  }
}

/// Columns and rows.
public struct PictureGrid: Codable, Equatable, Sendable {
  /// 1 to 20.
  public var columns: Int
  /// 1 to 20.
  public var rows: Int

  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// `4x3`, each from 1 to 20.
  public init?(_ text: String) {
    let parts = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let columns = parts[0], let rows = parts[1], (1...20).contains(columns),
      (1...20).contains(rows)
    else { return nil }
    self.init(columns: columns, rows: rows)
  }
}
