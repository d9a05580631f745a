import ClipModel

/// Divides the colors of a histogram into boxes. Each cut reduces the squared error as much as possible (after Wu,
/// 1991).
struct ColorBoxes {
  /// The bins, sorted so that each box is a range.
  private var bins: [ColorBin]
  private var boxes: [Box] = []

  private struct Box {
    var range: Range<Int>
    var cut: Cut?
  }

  private struct Cut {
    /// The reduction of the squared error, in squared code values times pixels.
    var gain: Double
    var axis: Int
    /// The first position along the axis that belongs to the upper part.
    var position: Int
  }

  /// Creates at most `count` boxes, or fewer if there are fewer colors.
  init(_ bins: [ColorBin], count: Int) {
    self.bins = bins
    guard !bins.isEmpty else { return }
    boxes = [box(bins.indices)]
    while boxes.count < count, split() {}
  }

  /// The mean color of each box.
  var means: [RGBColor] { boxes.map { RGBColor(meanOf: total(in: $0.range)) } }

  private func total(in range: Range<Int>) -> SIMD4<Double> {
    bins[range].reduce(into: .zero) { $0 += $1.sums }
  }

  /// Cuts one box. Returns false if no box can be cut.
  private mutating func split() -> Bool {
    var best: (index: Int, cut: Cut)?
    for (index, box) in boxes.enumerated() {
      if let cut = box.cut, cut.gain > best?.cut.gain ?? 0 { best = (index, cut) }
    }
    guard let best else { return false }
    let range = boxes[best.index].range
    let middle = bins[range].partition { $0.position[best.cut.axis] >= best.cut.position }
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
      for bin in bins[range] { slabs[bin.position[axis]] += bin.sums }
      var lower = SIMD4<Double>.zero
      for position in 1..<slabs.count {
        lower += slabs[position - 1]
        let upper = total - lower
        guard lower.x > 0, upper.x > 0 else { continue }
        let gain = Self.spread(lower) + Self.spread(upper) - Self.spread(total)
        if gain > best?.gain ?? 0 { best = Cut(gain: gain, axis: axis, position: position) }
      }
    }
    return best
  }

  /// The squared length of the sum divided by the number of pixels: the amount by which the mean reduces the squared
  /// error.
  private static func spread(_ sums: SIMD4<Double>) -> Double {
    (sums.y * sums.y + sums.z * sums.z + sums.w * sums.w) / sums.x
  }
}

extension RGBColor {
  /// - Parameter sums: the number of pixels, above 0, and the sums of red, green, blue.
  init(meanOf sums: SIMD4<Double>) {
    let mean = (sums / sums.x).rounded(.toNearestOrAwayFromZero)
    self.init(red: UInt8(mean.y), green: UInt8(mean.z), blue: UInt8(mean.w))
  }
}
