/// One frame of a clip as a picture of an asked size: what Mux's thumbnail URLs can ask for.
package struct PictureFraming: Equatable, Sendable {
  package enum Fit: String, CaseIterable, Sendable {
    /// All of the frame, in its own shape, inside the size.
    case preserve
    /// All of the frame, in the shape of the size.
    case stretch
    /// The middle of the frame fills the size.
    case crop
    /// As `preserve`, with black around it up to the size.
    case pad
  }

  /// Seconds of the presentation; behind the end means the last frame, `nil` the middle.
  package var atSeconds: Double?
  /// Pixels of the picture as it is turned; `nil` goes by the other one, and both by the clip. Larger ones enlarge.
  package var width: Int?
  package var height: Int?
  /// All but `preserve` need both sides.
  package var fit = Fit.preserve
  /// Clockwise: 0, 90, 180 or 270. The frame is turned, then mirrored, then fitted.
  package var clockwiseDegrees = 0
  package var flipsHorizontally = false
  package var flipsVertically = false
  package var format: ImageFormat
  /// Of JPEG and WebP, 1 to 100.
  package var quality = PictureRules.posterQuality

  package init(atSeconds: Double? = nil, format: ImageFormat = .jpeg) {
    self.atSeconds = atSeconds
    self.format = format
  }

  /// Pixels of a side at most.
  package static let longestSide = 4096

  /// What has to be done to a frame that is shown with these pixels, upright and turned.
  package struct Layout: Equatable, Sendable {
    /// The frame is scaled to this; as turned.
    package var scaled: PictureSize
    /// Then cropped or padded to this.
    package var picture: PictureSize
  }

  /// - Parameter turned: the frame's size after `clockwiseDegrees`.
  package func layout(of turned: PictureSize) -> Layout {
    let (across, down) = (Double(turned.width), Double(turned.height))
    func scaled(by scale: Double) -> PictureSize {
      PictureSize(width: max(Int((across * scale).rounded()), 1), height: max(Int((down * scale).rounded()), 1))
    }
    guard let width, let height else {
      let scale = width.map { Double($0) / across } ?? height.map { Double($0) / down } ?? 1
      var size = scaled(by: scale)
      if let width { size.width = width }
      if let height { size.height = height }
      return Layout(scaled: size, picture: size)
    }
    let target = PictureSize(width: width, height: height)
    let scales = (Double(width) / across, Double(height) / down)
    let inside = scaled(by: min(scales.0, scales.1))
    switch fit {
    case .preserve: return Layout(scaled: inside, picture: inside)
    case .stretch: return Layout(scaled: target, picture: target)
    case .pad: return Layout(scaled: inside, picture: target)
    case .crop:
      let around = scaled(by: max(scales.0, scales.1))
      return Layout(
        scaled: PictureSize(width: max(around.width, width), height: max(around.height, height)), picture: target)
    }
  }
}

extension RGBPicture {
  /// Turned clockwise by 0, 90, 180 or 270 degrees, then mirrored.
  package func turned(clockwise degrees: Int, flipsHorizontally: Bool, flipsVertically: Bool) -> RGBPicture {
    guard degrees != 0 || flipsHorizontally || flipsVertically else { return self }
    let swaps = degrees == 90 || degrees == 270
    let size = swaps ? self.size.turned : self.size
    return RGBPicture(size, of: self) { x, y in
      let column = flipsHorizontally ? size.width - 1 - x : x
      let row = flipsVertically ? size.height - 1 - y : y
      return switch degrees {
      case 90: (row, height - 1 - column)
      case 180: (width - 1 - column, height - 1 - row)
      case 270: (width - 1 - row, column)
      default: (column, row)
      }
    }
  }

  /// The middle of it where it is larger, black around it where it is smaller.
  package func centered(in size: PictureSize) -> RGBPicture {
    guard size != self.size else { return self }
    let (left, top) = ((width - size.width) / 2, (height - size.height) / 2)
    return RGBPicture(size, of: self) { ($0 + left, $1 + top) }
  }

  /// With even sides: the last column and row twice where they are odd.
  package var evened: RGBPicture {
    let size = PictureSize(width: width + width % 2, height: height + height % 2)
    return size == self.size ? self : RGBPicture(size, of: self) { (min($0, width - 1), min($1, height - 1)) }
  }

  /// - Parameter source: which of this picture's pixels goes there; outside of it is black.
  private init(_ size: PictureSize, of picture: RGBPicture, source: (_ x: Int, _ y: Int) -> (x: Int, y: Int)) {
    var bytes = [UInt8](repeating: 0, count: size.width * size.height * 3)
    var target = 0
    for y in 0..<size.height {
      for x in 0..<size.width {
        let (column, row) = source(x, y)
        if column >= 0, row >= 0, column < picture.width, row < picture.height {
          let start = (row * picture.width + column) * 3
          bytes[target] = picture.bytes[start]
          bytes[target + 1] = picture.bytes[start + 1]
          bytes[target + 2] = picture.bytes[start + 2]
        }
        target += 3
      }
    }
    self.init(width: size.width, height: size.height, bytes: bytes)
  }
}

/// A few seconds of a clip that move, as Mux's animated URLs ask for them.
package struct AnimationFraming: Equatable, Sendable {
  /// Seconds of the presentation.
  package var start = 0.0
  /// `nil` for five seconds behind the start. Behind the clip's end means that.
  package var end: Double?
  /// Pixels at most; `nil` goes by the other one, and both by 320 pixels of width.
  package var width: Int?
  package var height: Int?
  package var framesPerSecond = 15
  package var format: AnimationFormat

  package init(format: AnimationFormat) { self.format = format }

  /// Mux's limits.
  package static let lengths = 0.25...10
  package static let longestSide = 640
  package static let frameRates = 1...30
  static let usualLength = 5.0
  static let usualWidth = 320

  /// - Returns: `nil` when the start is behind the clip's end, or too near to it.
  package func plan(_ rules: PictureRules) -> AnimationPlan? {
    let end = min(end ?? start + Self.usualLength, rules.durationSeconds)
    guard end - start >= Self.lengths.lowerBound, end - start <= Self.lengths.upperBound + 0.001 else { return nil }
    var framing = PictureFraming()
    framing.width = width ?? (height == nil ? Self.usualWidth : nil)
    framing.height = height
    var size = framing.layout(of: rules.shown).picture
    if size.longSide > Self.longestSide {
      (framing.width, framing.height) = (min(size.width, Self.longestSide), min(size.height, Self.longestSide))
      size = framing.layout(of: rules.shown).picture
    }
    return AnimationPlan(
      range: start..<end, framesPerSecond: min(Double(framesPerSecond), max(rules.frameRate ?? .infinity, 1)),
      size: size, formats: [format], byteLimit: .max, durationSeconds: rules.durationSeconds)
  }
}
