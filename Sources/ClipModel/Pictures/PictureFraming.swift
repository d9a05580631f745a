/// How a video frame is turned into an image of the requested size. The options match Mux's thumbnail URLs.
package struct PictureFraming: Equatable, Sendable {
  package enum FitMode: String, CaseIterable, Sendable {
    /// Fits the entire frame within the size and preserves its aspect ratio.
    case preserve
    /// Stretches the entire frame to the size.
    case stretch
    /// Fills the size with the center of the frame.
    case crop
    /// Fits the entire frame like `preserve`, and fills the remaining area with black bars.
    case pad
  }

  /// The presentation time in seconds. Times after the end select the last frame; `nil` selects the middle of the clip.
  package var atSeconds: Double?
  /// The width in pixels after rotation. If it's `nil`, the height determines the width; if both are `nil`, the clip
  /// determines them. The frame is enlarged if necessary.
  package var width: Int?
  package var height: Int?
  /// How the frame fits the size. All modes except `preserve` require both width and height.
  package var fit = FitMode.preserve
  /// The clockwise rotation: 0, 90, 180 or 270 degrees. The frame is rotated, then flipped, then fitted.
  package var clockwiseDegrees = 0
  package var flipsHorizontally = false
  package var flipsVertically = false
  package var format: ImageFormat
  /// The JPEG or WebP quality, from 1 to 100.
  package var quality = PictureRules.posterQuality

  package init(atSeconds: Double? = nil, format: ImageFormat = .jpeg) {
    self.atSeconds = atSeconds
    self.format = format
  }

  /// The maximum width or height in pixels.
  package static let longestSide = 4096

  /// How a frame is scaled, then cropped or padded.
  package struct Layout: Equatable, Sendable {
    /// The size of the scaled frame.
    package var scaled: PictureSize
    /// The size after cropping or padding.
    package var picture: PictureSize
  }

  /// Returns how to scale a frame and then crop or pad it.
  /// - Parameter rotated: the frame size after rotation.
  package func layout(of rotated: PictureSize) -> Layout {
    let (across, down) = (Double(rotated.width), Double(rotated.height))
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
  /// Rotates the picture clockwise by 0, 90, 180 or 270 degrees, then flips it.
  package func rotated(clockwise degrees: Int, flipsHorizontally: Bool, flipsVertically: Bool) -> RGBPicture {
    guard degrees != 0 || flipsHorizontally || flipsVertically else { return self }
    let swaps = degrees == 90 || degrees == 270
    let size = swaps ? self.size.transposed : self.size
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

  /// Crops the picture around its center or adds black bars, so that it has the given size.
  package func centered(in size: PictureSize) -> RGBPicture {
    guard size != self.size else { return self }
    let (left, top) = ((width - size.width) / 2, (height - size.height) / 2)
    return RGBPicture(size, of: self) { ($0 + left, $1 + top) }
  }

  /// The picture with an even width and height. Repeats the last column or row if necessary.
  package var withEvenSides: RGBPicture {
    let size = PictureSize(width: width + width % 2, height: height + height % 2)
    return size == self.size ? self : RGBPicture(size, of: self) { (min($0, width - 1), min($1, height - 1)) }
  }

  /// Creates a picture by copying each pixel from a position in another picture.
  /// - Parameter source: maps a position in the new picture to a position in the old one. Positions outside the old
  ///   picture are black.
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

/// A part of a clip as an animated image. The options match Mux's animated URLs.
package struct AnimationFraming: Equatable, Sendable {
  /// The start in seconds of presentation time.
  package var start = 0.0
  /// The end in seconds of presentation time, clamped to the clip's duration; `nil` for five seconds after the start.
  package var end: Double?
  /// The maximum width in pixels. If it's `nil`, the height determines the width; if both are `nil`, the width is 320.
  package var width: Int?
  package var height: Int?
  package var framesPerSecond = 15
  package var format: AnimationFormat

  package init(format: AnimationFormat) { self.format = format }

  /// The duration, size and frame rate limits that Mux specifies.
  package static let lengths = 0.25...10
  package static let longestSide = 640
  package static let frameRates = 1...30
  static let usualLength = 5.0
  static let defaultWidth = 320

  /// Returns a plan for rendering the animation.
  /// - Returns: the plan, or `nil` if the time range is shorter or longer than Mux allows.
  package func plan(_ rules: PictureRules) -> AnimationPlan? {
    let end = min(end ?? start + Self.usualLength, rules.durationSeconds)
    guard end - start >= Self.lengths.lowerBound, end - start <= Self.lengths.upperBound + 0.001 else { return nil }
    var framing = PictureFraming()
    framing.width = width ?? (height == nil ? Self.defaultWidth : nil)
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
