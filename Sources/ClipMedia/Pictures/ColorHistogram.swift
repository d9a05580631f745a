package import ClipModel

/// How often each colour occurs in the pictures of an animation: what a palette for all of them is made from.
///
/// Pictures are counted one at a time, so that they need not be in memory together.
package struct ColorHistogram: Sendable {
  /// 64 bins per component, each 4 codes wide: finer than the spacing of 256 colours, small enough to go through often.
  static let bits = 6
  private static let shift = 8 - bits

  /// Per bin: number of pixels, sums of red, green, blue.
  private var sums = [SIMD4<UInt64>](repeating: .zero, count: 1 << (3 * bits))

  package init() {}

  package mutating func add(_ picture: RGBPicture) {
    var start = 0
    while start + 2 < picture.bytes.count {
      let red = picture.bytes[start]
      let green = picture.bytes[start + 1]
      let blue = picture.bytes[start + 2]
      let bin =
        Int(red >> Self.shift) << (2 * Self.bits) | Int(green >> Self.shift) << Self.bits | Int(blue >> Self.shift)
      sums[bin] &+= SIMD4(1, UInt64(red), UInt64(green), UInt64(blue))
      start += 3
    }
  }

  /// The bins that are not empty, in the order of their colours.
  var bins: [ColorBin] {
    sums.indices.compactMap { index in
      guard sums[index].x > 0 else { return nil }
      let mask = 1 << Self.bits - 1
      return ColorBin(
        place: SIMD3(index >> (2 * Self.bits), index >> Self.bits & mask, index & mask),
        sums: SIMD4<Double>(sums[index]))
    }
  }
}

/// The pixels whose colours are almost the same.
struct ColorBin {
  /// The coarse red, green, blue, 0 to 63.
  var place: SIMD3<Int>
  /// Number of pixels, sums of red, green, blue.
  var sums: SIMD4<Double>
}
