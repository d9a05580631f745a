/// A colour as screens take it: gamma-coded components, 0 to 255.
package struct RGBColor: Hashable, Sendable {
  package var red: UInt8
  package var green: UInt8
  package var blue: UInt8

  package init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }
}

/// A picture in memory, ready to be shown or reduced to a palette.
package struct RGBPicture: Equatable, Sendable {
  package var width: Int
  package var height: Int
  /// Red, green, blue, row by row from the top, no padding: `width * height * 3` bytes.
  package var bytes: [UInt8]

  package init(width: Int, height: Int, bytes: [UInt8]) {
    precondition(width > 0 && height > 0 && bytes.count == width * height * 3, "bytes do not fill the picture")
    self.width = width
    self.height = height
    self.bytes = bytes
  }

  /// All black.
  package init(width: Int, height: Int) {
    self.init(width: width, height: height, bytes: [UInt8](repeating: 0, count: width * height * 3))
  }

  package var size: PictureSize { PictureSize(width: width, height: height) }

  package subscript(x: Int, y: Int) -> RGBColor {
    let start = (y * width + x) * 3
    return RGBColor(red: bytes[start], green: bytes[start + 1], blue: bytes[start + 2])
  }

  /// Each pixel of the result is the mean of the area that it covers, parts of pixels counted as parts: no pixel is
  /// skipped, so that fine patterns do not flicker. In whole numbers: the same on every machine. The mean is that of
  /// the coded values, as terminals and GIF viewers scale.
  package func scaled(to target: PictureSize) -> RGBPicture {
    guard target != size else { return self }
    let columns = Self.shares(of: width, in: target.width)
    let rows = Self.shares(of: height, in: target.height)
    let area = UInt64(width * height)
    var result: [UInt8] = []
    result.reserveCapacity(target.width * target.height * 3)
    for row in rows {
      // The rows of the area, added up: `width * 3` sums.
      var line = [UInt64](repeating: 0, count: width * 3)
      for (offset, weight) in row.weights.enumerated() {
        let start = (row.first + offset) * width * 3
        for index in line.indices { line[index] += weight * UInt64(bytes[start + index]) }
      }
      for column in columns {
        for component in 0..<3 {
          var sum = area / 2
          for (offset, weight) in column.weights.enumerated() {
            sum += weight * line[(column.first + offset) * 3 + component]
          }
          result.append(UInt8(sum / area))
        }
      }
    }
    return RGBPicture(width: target.width, height: target.height, bytes: result)
  }

  /// The source pixels that one target pixel covers along one side.
  private struct Share {
    var first: Int
    /// In parts of a source pixel; all of them add up to the source length.
    var weights: [UInt64]
  }

  /// Source pixel `i` spans `i * target ..< (i + 1) * target`, target pixel `j` spans `j * source ..< (j + 1) * source`.
  private static func shares(of source: Int, in target: Int) -> [Share] {
    (0..<target).map { index in
      let span = index * source..<(index + 1) * source
      let first = span.lowerBound / target
      let last = (span.upperBound - 1) / target
      let weights = (first...last).map { pixel in
        UInt64(min(span.upperBound, (pixel + 1) * target) - max(span.lowerBound, pixel * target))
      }
      return Share(first: first, weights: weights)
    }
  }
}
