package import ClipModel

/// Up to 256 colors that represent the colors of a picture, or of all pictures of an animation.
package struct ColorPalette: Equatable, Sendable {
  /// The 1 to 256 unique colors.
  package let colors: [RGBColor]

  /// - Parameter colors: the first 256 unique ones are used; black if there are none.
  package init(_ colors: [RGBColor]) {
    var seen: Set<RGBColor> = []
    let different = colors.filter { seen.insert($0).inserted }.prefix(256)
    self.colors = different.isEmpty ? [RGBColor(red: 0, green: 0, blue: 0)] : Array(different)
  }

  /// Chooses the colors with the least squared error. The result is deterministic.
  package init(for histogram: ColorHistogram, count: Int = 256) {
    let bins = histogram.bins
    let boxes = ColorBoxes(bins, count: min(max(count, 1), 256))
    self.init(Self.refined(boxes.means, among: bins))
  }

  package init(for pictures: some Sequence<RGBPicture>, count: Int = 256) {
    var histogram = ColorHistogram()
    for picture in pictures { histogram.add(picture) }
    self.init(for: histogram, count: count)
  }

  /// The number of k-means rounds: each bin is assigned to its nearest color, then each color becomes the mean of its
  /// bins. More rounds gain little.
  private static let rounds = 8

  private static func refined(_ start: [RGBColor], among bins: [ColorBin]) -> [RGBColor] {
    var colors = start
    for _ in 0..<rounds where colors.count > 1 {
      var nearest = NearestColors(colors)
      var totals = [SIMD4<Double>](repeating: .zero, count: colors.count)
      for bin in bins {
        let mean = RGBColor(meanOf: bin.sums)
        let index = nearest.index(red: mean.red, green: mean.green, blue: mean.blue)
        totals[Int(index)] += bin.sums
      }
      let moved = zip(colors, totals).map { color, sums in sums.x > 0 ? RGBColor(meanOf: sums) : color }
      guard moved != colors else { break }
      colors = moved
    }
    return colors
  }

  /// The average distance of a color from its nearest neighbor, in codes of one component. 0 for a single color.
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
