package import ClipModel

/// Counts the colors in all frames of an animation, to create one palette for them.
///
/// Frames are added one at a time, so they don't need to be in memory together.
package struct ColorHistogram: Sendable {
  /// The number of bits per component, which results in 64 bins that are 4 code values wide. This is finer than the
  /// spacing of a 256-color palette, and fast to iterate over.
  static let bits = 6
  private static let shift = 8 - bits

  /// For each bin, the number of pixels and the sums of their red, green and blue values.
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

  /// The non-empty bins, sorted by color.
  var bins: [ColorBin] {
    sums.indices.compactMap { index in
      guard sums[index].x > 0 else { return nil }
      let mask = 1 << Self.bits - 1
      return ColorBin(
        position: SIMD3(index >> (2 * Self.bits), index >> Self.bits & mask, index & mask),
        sums: SIMD4<Double>(sums[index]))
    }
  }
}

/// A group of pixels with similar colors.
struct ColorBin {
  /// The quantized red, green and blue values, from 0 to 63.
  var position: SIMD3<Int>
  /// The number of pixels, and the sums of their red, green and blue values.
  var sums: SIMD4<Double>
}
