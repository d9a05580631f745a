/// How a frame of a clip is turned into an image of a requested size: the options of Mux's thumbnail URLs.
package struct PictureFraming: Equatable, Sendable {
  package enum Fit: String, CaseIterable, Sendable {
    /// The whole frame within the size, with its aspect ratio preserved.
    case preserve
    /// The whole frame, stretched to the size.
    case stretch
    /// The center of the frame, filling the size.
    case crop
    /// Like `preserve`, with black bars up to the size.
    case pad
  }

  /// The presentation time in seconds. A time after the end selects the last frame; `nil` selects the middle.
  package var atSeconds: Double?
  /// The width in pixels after rotation. `nil` derives it from the height, or from the clip if both are `nil`. Larger
  /// sizes enlarge the frame.
  package var width: Int?
  package var height: Int?
  /// All modes except `preserve` need both width and height.
  package var fit = Fit.preserve
  /// The clockwise rotation: 0, 90, 180 or 270. The frame is rotated, then flipped, then fitted.
  package var clockwiseDegrees = 0
  package var flipsHorizontally = false
  package var flipsVertically = false
  package var format: ImageFormat
  /// The quality of JPEG and WebP, 1 to 100.
  package var quality = PictureRules.posterQuality

  package init(atSeconds: Double? = nil, format: ImageFormat = .jpeg) {
    self.atSeconds = atSeconds
    self.format = format
  }

  /// The maximum width and height in pixels.
  package static let longestSide = 4096

  /// How a frame is scaled, then cropped or padded.
  package struct Layout: Equatable, Sendable {
    /// The size that the rotated frame is scaled to.
    package var scaled: PictureSize
    /// The size that it is then cropped or padded to.
    package var picture: PictureSize
  }

  /// - Parameter rotated: the size of the frame after rotation.
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
  /// Rotates clockwise by 0, 90, 180 or 270 degrees, then flips.
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

  /// Crops the picture to its center where it is larger than `size`, and adds black bars where it is smaller.
  package func centered(in size: PictureSize) -> RGBPicture {
    guard size != self.size else { return self }
    let (left, top) = ((width - size.width) / 2, (height - size.height) / 2)
    return RGBPicture(size, of: self) { ($0 + left, $1 + top) }
  }

  /// Makes both sides even by repeating the last column and row.
  package var withEvenSides: RGBPicture {
    let size = PictureSize(width: width + width % 2, height: height + height % 2)
    return size == self.size ? self : RGBPicture(size, of: self) { (min($0, width - 1), min($1, height - 1)) }
  }

  /// - Parameter source: maps a position in the new picture to one in the old picture. Positions outside are black.
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

/// A part of a clip as a moving image: the options of Mux's animated URLs.
package struct AnimationFraming: Equatable, Sendable {
  /// The start in seconds of presentation time.
  package var start = 0.0
  /// The end in seconds of presentation time, clamped to the clip; `nil` for five seconds after the start.
  package var end: Double?
  /// The maximum width in pixels. `nil` derives it from the height, or is 320 if both are `nil`.
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
  static let defaultWorkerCount = 320

  /// - Returns: `nil` if less than the minimum length remains after the start.
  package func plan(_ rules: PictureRules) -> AnimationPlan? {
    let end = min(end ?? start + Self.usualLength, rules.durationSeconds)
    guard end - start >= Self.lengths.lowerBound, end - start <= Self.lengths.upperBound + 0.001 else { return nil }
    var framing = PictureFraming()
    framing.width = width ?? (height == nil ? Self.defaultWorkerCount : nil)
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
