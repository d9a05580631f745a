import ClipModel
import Foundation

/// A timestamp label with white digits on a dark rounded background, which can be drawn on a picture.
///
/// The digits consist of strokes instead of font glyphs, so that they are smooth at any size and identical on every
/// machine.
struct TimestampLabel {
  let size: PictureSize
  private let glyphs: [Glyph]
  /// The height of the digits in pixels.
  private let height: Double
  private let padding: Double

  /// The gap between digits, relative to their height. `strokeRadius` is half the width of a stroke, also relative to
  /// the height.
  private static let gap = 0.2
  private static let strokeRadius = 0.075
  /// The transparency of the background, from 0 to 1.
  private static let backgroundTransparency = 0.4

  /// - Parameter lineHeight: the height of the label in pixels.
  init(seconds: Double, lineHeight: Int) {
    glyphs = clock(max(seconds, 0)).map { Glyph($0) }
    height = Double(lineHeight) * 0.6
    padding = (Double(lineHeight) - height) / 2
    let advance = glyphs.reduce(0) { $0 + $1.width + Self.gap } - Self.gap
    size = PictureSize(width: Int((advance * height + 3 * padding).rounded(.up)), height: lineHeight)
  }

  func draw(on picture: inout RGBPicture, x left: Int, y top: Int) {
    for row in 0..<size.height where (0..<picture.height).contains(top + row) {
      for column in 0..<size.width where (0..<picture.width).contains(left + column) {
        let (x, y) = (Double(column) + 0.5, Double(row) + 0.5)
        let ink = min(max(digitCoverage(x, y), 0), 1)
        let background = min(max(backgroundCoverage(x, y), 0), 1) * (1 - Self.backgroundTransparency)
        let start = ((top + row) * picture.width + left + column) * 3
        for index in start..<start + 3 {
          let darkened = Double(picture.bytes[index]) * (1 - background)
          picture.bytes[index] = UInt8((darkened + (255 - darkened) * ink).rounded())
        }
      }
    }
  }

  /// Returns the fraction of a pixel that the digits cover, based on the distance between the digits and the pixel's
  /// center.
  private func digitCoverage(_ x: Double, _ y: Double) -> Double {
    let radius = Self.strokeRadius * height
    var start = 1.5 * padding
    var nearest = Double.infinity
    for glyph in glyphs {
      let local = ((x - start) / height, (y - padding) / height)
      if (-0.2...glyph.width + 0.2).contains(local.0) {
        nearest = min(nearest, glyph.distance(local.0, local.1) * height)
      }
      start += (glyph.width + Self.gap) * height
    }
    return radius - nearest + 0.5
  }

  private func backgroundCoverage(_ x: Double, _ y: Double) -> Double {
    let radius = Double(size.height) / 2
    let nearest = min(max(x, radius), Double(size.width) - radius)
    return radius - ((x - nearest) * (x - nearest) + (y - radius) * (y - radius)).squareRoot() + 0.5
  }
}

/// The strokes of a digit in a box of height 1. The y axis points down.
private struct Glyph {
  typealias Point = (x: Double, y: Double)

  let width: Double
  private let strokes: [[Point]]

  init(_ character: Character) {
    // All digits have the same width, so that labels with the same number of digits also have the same width.
    width = character == ":" || character == "." ? 0.1 : 0.6
    strokes =
      switch character {
      case ":": [[(0.05, 0.3)], [(0.05, 0.8)]]
      case ".": [[(0.05, 0.93)]]
      case "0": [Self.arc(0.3, 0.5, 0.25, 0.46, from: 0, to: 360)]
      case "1": [[(0.14, 0.2), (0.34, 0.04), (0.34, 0.96)]]
      case "2": [Self.arc(0.3, 0.29, 0.23, 0.25, from: 195, to: 395) + [(0.06, 0.96), (0.55, 0.96)]]
      case "3":
        [Self.arc(0.29, 0.26, 0.21, 0.22, from: 200, to: 450), Self.arc(0.29, 0.72, 0.25, 0.24, from: 270, to: 520)]
      case "4": [[(0.43, 0.96), (0.43, 0.04), (0.04, 0.69), (0.58, 0.69)]]
      case "5":
        [[(0.51, 0.04), (0.14, 0.04), (0.1, 0.45)] + Self.arc(0.29, 0.66, 0.25, 0.3, from: 228, to: 500)]
      case "6":
        [Self.arc(0.3, 0.68, 0.25, 0.28, from: 0, to: 360), Self.arc(0.56, 0.68, 0.51, 0.64, from: 180, to: 262)]
      case "7": [[(0.06, 0.04), (0.54, 0.04), (0.22, 0.96)]]
      case "8":
        [Self.arc(0.3, 0.26, 0.21, 0.22, from: 0, to: 360), Self.arc(0.3, 0.72, 0.25, 0.24, from: 0, to: 360)]
      // The digit 9 is a rotated 6.
      default:
        [Self.arc(0.3, 0.32, 0.25, 0.28, from: 0, to: 360), Self.arc(0.04, 0.32, 0.51, 0.64, from: 0, to: 82)]
      }
  }

  /// Returns the points of an elliptical arc. Angles are in degrees, clockwise from the right.
  private static func arc(
    _ x: Double, _ y: Double, _ radiusX: Double, _ radiusY: Double, from start: Double, to end: Double
  ) -> [Point] {
    let count = max(Int(abs(end - start) / 12), 2)
    return (0...count).map { step in
      let angle = (start + (end - start) * Double(step) / Double(count)) * .pi / 180
      return (x + radiusX * cos(angle), y + radiusY * sin(angle))
    }
  }

  func distance(_ x: Double, _ y: Double) -> Double {
    var nearest = Double.infinity
    for stroke in strokes {
      for (a, b) in zip(stroke, stroke.dropFirst() + stroke.suffix(1)) {
        let (dx, dy) = (b.x - a.x, b.y - a.y)
        let length = dx * dx + dy * dy
        let along = length > 0 ? min(max(((x - a.x) * dx + (y - a.y) * dy) / length, 0), 1) : 0
        let (ex, ey) = (x - a.x - along * dx, y - a.y - along * dy)
        nearest = min(nearest, ex * ex + ey * ey)
      }
    }
    return nearest.squareRoot()
  }
}
