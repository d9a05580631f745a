/// A gamma-encoded color with components between 0 and 255.
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

/// An in-memory picture with 8 bits per component.
package struct RGBPicture: Equatable, Sendable {
  package var width: Int
  package var height: Int
  /// The red, green and blue values, row by row from the top and without padding: `width * height * 3` bytes.
  package var bytes: [UInt8]

  package init(width: Int, height: Int, bytes: [UInt8]) {
    precondition(width > 0 && height > 0 && bytes.count == width * height * 3, "the byte count does not match the size")
    self.width = width
    self.height = height
    self.bytes = bytes
  }

  /// Creates a black picture.
  package init(width: Int, height: Int) {
    self.init(width: width, height: height, bytes: [UInt8](repeating: 0, count: width * height * 3))
  }

  package var size: PictureSize { PictureSize(width: width, height: height) }

  package subscript(x: Int, y: Int) -> RGBColor {
    let start = (y * width + x) * 3
    return RGBColor(red: bytes[start], green: bytes[start + 1], blue: bytes[start + 2])
  }

  /// Scales the picture by averaging the source area that each pixel covers, including fractions of pixels, so fine
  /// patterns don't flicker. Integer arithmetic produces the same result on every machine. Like terminals and GIF
  /// viewers, this method averages gamma-encoded values.
  package func scaled(to target: PictureSize) -> RGBPicture {
    guard target != size else { return self }
    let columns = Self.pixelCoverage(of: width, in: target.width)
    let rows = Self.pixelCoverage(of: height, in: target.height)
    let area = UInt64(width * height)
    var result: [UInt8] = []
    result.reserveCapacity(target.width * target.height * 3)
    for row in rows {
      // The sums of the covered rows, one per component and column.
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

  /// The source pixels that one target pixel covers along one axis, and their weights.
  private struct PixelCoverage {
    var first: Int
    /// The weights of the source pixels. Their sum is the source length.
    var weights: [UInt64]
  }

  /// Source pixel `i` spans `i * target ..< (i + 1) * target`, and target pixel `j` spans `j * source ..< (j + 1) *
  /// source`.
  private static func pixelCoverage(of source: Int, in target: Int) -> [PixelCoverage] {
    (0..<target).map { index in
      let span = index * source..<(index + 1) * source
      let first = span.lowerBound / target
      let last = (span.upperBound - 1) / target
      let weights = (first...last).map { pixel in
        UInt64(min(span.upperBound, (pixel + 1) * target) - max(span.lowerBound, pixel * target))
      }
      return PixelCoverage(first: first, weights: weights)
    }
  }
}
