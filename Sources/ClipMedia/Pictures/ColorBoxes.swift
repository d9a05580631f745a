import ClipModel

/// Cuts the colours of a histogram into boxes, always where it saves the most squared error (after Wu, 1991).
struct ColorBoxes {
  /// Reordered so that each box is a range.
  private var bins: [ColorBin]
  private var boxes: [Box] = []

  private struct Box {
    var range: Range<Int>
    var cut: Cut?
  }

  private struct Cut {
    /// Squared error that it saves, in squared codes times pixels.
    var gain: Double
    var axis: Int
    /// The first place along the axis that goes to the upper part.
    var place: Int
  }

  /// At most `count` boxes; fewer when there are fewer colours.
  init(_ bins: [ColorBin], count: Int) {
    self.bins = bins
    guard !bins.isEmpty else { return }
    boxes = [box(bins.indices)]
    while boxes.count < count, split() {}
  }

  /// The mean colour of each box.
  var means: [RGBColor] { boxes.map { RGBColor(meanOf: total(in: $0.range)) } }

  private func total(in range: Range<Int>) -> SIMD4<Double> {
    bins[range].reduce(into: .zero) { $0 += $1.sums }
  }

  /// False when no box can be cut any more.
  private mutating func split() -> Bool {
    var best: (index: Int, cut: Cut)?
    for (index, box) in boxes.enumerated() {
      if let cut = box.cut, cut.gain > best?.cut.gain ?? 0 { best = (index, cut) }
    }
    guard let best else { return false }
    let range = boxes[best.index].range
    let middle = bins[range].partition { $0.place[best.cut.axis] >= best.cut.place }
    boxes[best.index] = box(range.lowerBound..<middle)
    boxes.append(box(middle..<range.upperBound))
    return true
  }

  private func box(_ range: Range<Int>) -> Box {
    Box(range: range, cut: range.count > 1 ? bestCut(of: range) : nil)
  }

  private func bestCut(of range: Range<Int>) -> Cut? {
    let total = total(in: range)
    var best: Cut?
    for axis in 0..<3 {
      var slabs = [SIMD4<Double>](repeating: .zero, count: 1 << ColorHistogram.bits)
      for bin in bins[range] { slabs[bin.place[axis]] += bin.sums }
      var lower = SIMD4<Double>.zero
      for place in 1..<slabs.count {
        lower += slabs[place - 1]
        let upper = total - lower
        guard lower.x > 0, upper.x > 0 else { continue }
        let gain = Self.spread(lower) + Self.spread(upper) - Self.spread(total)
        if gain > best?.gain ?? 0 { best = Cut(gain: gain, axis: axis, place: place) }
      }
    }
    return best
  }

  /// Squared length of the sum over the number of pixels: what is left out of the squared error by using the mean.
  private static func spread(_ sums: SIMD4<Double>) -> Double {
    (sums.y * sums.y + sums.z * sums.z + sums.w * sums.w) / sums.x
  }
}

extension RGBColor {
  /// - Parameter sums: number of pixels, above 0, and sums of red, green, blue.
  init(meanOf sums: SIMD4<Double>) {
    let mean = (sums / sums.x).rounded(.toNearestOrAwayFromZero)
    self.init(red: UInt8(mean.y), green: UInt8(mean.z), blue: UInt8(mean.w))
  }
}
