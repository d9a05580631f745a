import ClipModel

/// Divides the colors of a histogram into boxes. Each cut reduces the squared error as much as possible (Wu, 1991).
struct ColorBoxes {
  /// The histogram bins, in an order in which each box is a contiguous range.
  private var bins: [ColorBin]
  private var boxes: [ColorBox] = []

  private struct ColorBox {
    var range: Range<Int>
    var cut: BoxCut?
  }

  private struct BoxCut {
    /// The reduction of the squared error, in squared code values multiplied by pixels.
    var gain: Double
    var axis: Int
    /// The first position along the axis that belongs to the upper box.
    var position: Int
  }

  /// Divides the bins into `count` boxes, or fewer if there are fewer colors.
  init(_ bins: [ColorBin], count: Int) {
    self.bins = bins
    guard !bins.isEmpty else { return }
    boxes = [makeBox(bins.indices)]
    while boxes.count < count, splitBestBox() {}
  }

  /// The mean color of each box.
  var means: [RGBColor] { boxes.map { RGBColor(meanOf: sumColors(in: $0.range)) } }

  private func sumColors(in range: Range<Int>) -> SIMD4<Double> {
    bins[range].reduce(into: .zero) { $0 += $1.sums }
  }

  /// Cuts one box in two. Returns `false` if no box can be cut.
  private mutating func splitBestBox() -> Bool {
    var best: (index: Int, cut: BoxCut)?
    for (index, box) in boxes.enumerated() {
      if let cut = box.cut, cut.gain > best?.cut.gain ?? 0 { best = (index, cut) }
    }
    guard let best else { return false }
    let range = boxes[best.index].range
    let middle = bins[range].partition { $0.position[best.cut.axis] >= best.cut.position }
    boxes[best.index] = makeBox(range.lowerBound..<middle)
    boxes.append(makeBox(middle..<range.upperBound))
    return true
  }

  private func makeBox(_ range: Range<Int>) -> ColorBox {
    ColorBox(range: range, cut: range.count > 1 ? findBestCut(of: range) : nil)
  }

  private func findBestCut(of range: Range<Int>) -> BoxCut? {
    let total = sumColors(in: range)
    var best: BoxCut?
    for axis in 0..<3 {
      var slabs = [SIMD4<Double>](repeating: .zero, count: 1 << ColorHistogram.bits)
      for bin in bins[range] { slabs[bin.position[axis]] += bin.sums }
      var lower = SIMD4<Double>.zero
      for position in 1..<slabs.count {
        lower += slabs[position - 1]
        let upper = total - lower
        guard lower.x > 0, upper.x > 0 else { continue }
        let gain = Self.errorReduction(lower) + Self.errorReduction(upper) - Self.errorReduction(total)
        if gain > best?.gain ?? 0 { best = BoxCut(gain: gain, axis: axis, position: position) }
      }
    }
    return best
  }

  /// Returns the amount by which using the mean color reduces the squared error: the squared length of the sum divided
  /// by the number of pixels.
  private static func errorReduction(_ sums: SIMD4<Double>) -> Double {
    (sums.y * sums.y + sums.z * sums.z + sums.w * sums.w) / sums.x
  }
}

extension RGBColor {
  /// - Parameter sums: the number of pixels, which must not be 0, and the sums of their red, green and blue values.
  init(meanOf sums: SIMD4<Double>) {
    let mean = (sums / sums.x).rounded(.toNearestOrAwayFromZero)
    self.init(red: UInt8(mean.y), green: UInt8(mean.z), blue: UInt8(mean.w))
  }
}
