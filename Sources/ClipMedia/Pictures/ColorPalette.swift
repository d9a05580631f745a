package import ClipModel

/// A palette of up to 256 colors for a picture, or for all frames of an animation.
package struct ColorPalette: Equatable, Sendable {
  /// The unique colors of the palette, between 1 and 256.
  package let colors: [RGBColor]

  /// - Parameter colors: the colors, of which the first 256 unique ones are used. If empty, the palette contains only
  ///   black.
  package init(_ colors: [RGBColor]) {
    var seen: Set<RGBColor> = []
    let different = colors.filter { seen.insert($0).inserted }.prefix(256)
    self.colors = different.isEmpty ? [RGBColor(red: 0, green: 0, blue: 0)] : Array(different)
  }

  /// Chooses the colors with the smallest squared error. The result is deterministic.
  package init(for histogram: ColorHistogram, count: Int = 256) {
    let bins = histogram.bins
    let boxes = ColorBoxes(bins, count: min(max(count, 1), 256))
    self.init(Self.refineColors(boxes.means, among: bins))
  }

  package init(for pictures: some Sequence<RGBPicture>, count: Int = 256) {
    var histogram = ColorHistogram()
    for picture in pictures { histogram.add(picture) }
    self.init(for: histogram, count: count)
  }

  /// The number of k-means iterations. In each one, every bin is assigned to its nearest color, and then each color
  /// becomes the mean of its bins. More iterations gain little.
  private static let rounds = 8

  private static func refineColors(_ start: [RGBColor], among bins: [ColorBin]) -> [RGBColor] {
    var colors = start
    for _ in 0..<rounds where colors.count > 1 {
      var nearest = NearestColors(colors)
      var totals = [SIMD4<Double>](repeating: .zero, count: colors.count)
      for bin in bins {
        let mean = RGBColor(meanOf: bin.sums)
        let index = nearest.nearestIndex(red: mean.red, green: mean.green, blue: mean.blue)
        totals[Int(index)] += bin.sums
      }
      let moved = zip(colors, totals).map { color, sums in sums.x > 0 ? RGBColor(meanOf: sums) : color }
      guard moved != colors else { break }
      colors = moved
    }
    return colors
  }

  /// The average distance between a color and its nearest neighbor, in code values of one component. 0 if there is only
  /// one color.
  var spacing: Double {
    guard colors.count > 1 else { return 0 }
    let distances = colors.indices.map { index in
      let others = colors.indices.lazy.filter { $0 != index }
      return others.map { Self.distance(colors[index], colors[$0]) }.min() ?? 0
    }
    return distances.reduce(0, +) / Double(distances.count) / 3.squareRoot()
  }

  private static func distance(_ one: RGBColor, _ other: RGBColor) -> Double {
    let red = Double(one.red) - Double(other.red)
    let green = Double(one.green) - Double(other.green)
    let blue = Double(one.blue) - Double(other.blue)
    return (red * red + green * green + blue * blue).squareRoot()
  }
}
