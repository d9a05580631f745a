package import ClipModel

/// How the quantization error is distributed.
package enum Dithering: String, CaseIterable, Sendable {
  /// Uses the nearest color. Flat areas stay flat, but gradients show bands.
  case none
  /// A fixed pattern (Bayer, 8 by 8), for animations: it is the same in each picture, so still areas don't flicker and
  /// compress well.
  case ordered
  /// Distributes the error of each pixel to its neighbors (Floyd and Steinberg, in alternating directions). Best for
  /// stills.
  case errorDiffusion
}

/// Maps every pixel to the index of its palette color. Reuse it for all pictures of an animation, because the mapper
/// caches results.
package struct PaletteMapper: Sendable {
  package let palette: ColorPalette
  private var nearest: NearestColors
  /// The values that are added to all three components, 8 rows of 8.
  private let pattern: [Int32]

  package init(_ palette: ColorPalette) {
    self.palette = palette
    nearest = NearestColors(palette.colors)
    pattern = Self.pattern(spacing: palette.spacing)
  }

  /// Returns one index per pixel, row by row.
  package mutating func indexes(of picture: RGBPicture, dithering: Dithering) -> [UInt8] {
    switch dithering {
    case .none: patterned(picture, by: [Int32](repeating: 0, count: 64))
    case .ordered: patterned(picture, by: pattern)
    case .errorDiffusion: diffused(picture)
    }
  }

  /// The amplitude is half the distance to the next palette color: a smaller amplitude leaves bands, and a larger one
  /// adds noise.
  /// - Parameter spacing: the spacing of the palette, in codes. It is limited, because few colors would cause too much
  ///   noise.
  private static func pattern(spacing: Double) -> [Int32] {
    let strength = min(spacing, 48)
    return (0..<64).map { index in
      let x = index % 8
      let y = index / 8
      // The interleaved bits of x ^ y and y, the lowest first: 0 to 63.
      var rank = 0
      for bit in 0..<3 { rank = rank << 2 | ((x ^ y) >> bit & 1) << 1 | y >> bit & 1 }
      return Int32(((Double(rank) + 0.5) / 64 - 0.5) * strength)
    }
  }

  private mutating func patterned(_ picture: RGBPicture, by pattern: [Int32]) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: picture.width * picture.height)
    var start = 0
    for y in 0..<picture.height {
      for x in 0..<picture.width {
        let added = pattern[(y & 7) << 3 | x & 7]
        result[y * picture.width + x] = nearest.index(
          red: Self.clamped(Int32(picture.bytes[start]) &+ added),
          green: Self.clamped(Int32(picture.bytes[start + 1]) &+ added),
          blue: Self.clamped(Int32(picture.bytes[start + 2]) &+ added))
        start += 3
      }
    }
    return result
  }

  /// Errors are stored in sixteenths and rounded once, when they are used.
  private mutating func diffused(_ picture: RGBPicture) -> [UInt8] {
    let width = picture.width
    var result = [UInt8](repeating: 0, count: width * picture.height)
    // One more element on both sides receives the errors outside the picture.
    var errors = [SIMD4<Int32>](repeating: .zero, count: width + 2)
    var below = errors
    for y in 0..<picture.height {
      for index in below.indices { below[index] = .zero }
      let step = y % 2 == 0 ? 1 : -1
      for column in 0..<width {
        let x = step > 0 ? column : width - 1 - column
        let start = (y * width + x) * 3
        let color = SIMD4(
          Int32(picture.bytes[start]), Int32(picture.bytes[start + 1]), Int32(picture.bytes[start + 2]), 0)
        let target = color &+ ((errors[x + 1] &+ SIMD4(8, 8, 8, 0)) &>> 4)
        let index = nearest.index(
          red: Self.clamped(target.x), green: Self.clamped(target.y), blue: Self.clamped(target.z))
        result[y * width + x] = index
        let chosen = palette.colors[Int(index)]
        let error = Self.limited(target &- SIMD4(Int32(chosen.red), Int32(chosen.green), Int32(chosen.blue), 0))
        errors[x + 1 + step] &+= (error &<< 3) &- error
        below[x + 1 - step] &+= (error &<< 1) &+ error
        below[x + 1] &+= (error &<< 2) &+ error
        below[x + 1 + step] &+= error
      }
      swap(&errors, &below)
    }
    return result
  }

  private static func clamped(_ code: Int32) -> UInt8 { UInt8(truncatingIfNeeded: min(max(code, 0), 255)) }

  /// Without a limit, a color outside the palette's range would accumulate error and smear over the picture.
  private static func limited(_ error: SIMD4<Int32>) -> SIMD4<Int32> {
    error.clamped(lowerBound: SIMD4(repeating: -128), upperBound: SIMD4(repeating: 128))
  }
}
