package import ClipModel

/// The method for distributing the quantization error.
package enum Dithering: String, CaseIterable, Sendable {
  /// No dithering: each pixel has the nearest color. Flat areas remain flat, but gradients show bands.
  case none
  /// A fixed 8 × 8 Bayer pattern, for animations. The pattern is the same in every frame, so static areas compress well
  /// and don't flicker.
  case ordered
  /// Floyd–Steinberg error diffusion in alternating directions, which is best for still pictures.
  case errorDiffusion
}

/// Maps each pixel to the index of a palette color. Reuse the same mapper for all frames of an animation, because it
/// caches results.
package struct PaletteMapper: Sendable {
  package let palette: ColorPalette
  private var nearest: NearestColors
  /// The dithering pattern, with 8 rows of 8 values that are added to all three components.
  private let pattern: [Int32]

  package init(_ palette: ColorPalette) {
    self.palette = palette
    nearest = NearestColors(palette.colors)
    pattern = Self.makeDitherPattern(spacing: palette.spacing)
  }

  /// Returns the palette index of each pixel, row by row.
  package mutating func indexes(of picture: RGBPicture, dithering: Dithering) -> [UInt8] {
    switch dithering {
    case .none: mapWithPattern(picture, by: [Int32](repeating: 0, count: 64))
    case .ordered: mapWithPattern(picture, by: pattern)
    case .errorDiffusion: mapWithErrorDiffusion(picture)
    }
  }

  /// Returns a dithering pattern whose amplitude is half the distance to the next palette color. A smaller amplitude
  /// would leave bands, and a larger one would add noise.
  /// - Parameter spacing: the spacing of the palette's colors, in code values. It is capped, because a palette with few
  ///   colors would cause too much noise.
  private static func makeDitherPattern(spacing: Double) -> [Int32] {
    let strength = min(spacing, 48)
    return (0..<64).map { index in
      let x = index % 8
      let y = index / 8
      // The rank, from 0 to 63, consists of the interleaved bits of x ^ y and y, starting with the lowest bits.
      var rank = 0
      for bit in 0..<3 { rank = rank << 2 | ((x ^ y) >> bit & 1) << 1 | y >> bit & 1 }
      return Int32(((Double(rank) + 0.5) / 64 - 0.5) * strength)
    }
  }

  private mutating func mapWithPattern(_ picture: RGBPicture, by pattern: [Int32]) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: picture.width * picture.height)
    var start = 0
    for y in 0..<picture.height {
      for x in 0..<picture.width {
        let added = pattern[(y & 7) << 3 | x & 7]
        result[y * picture.width + x] = nearest.nearestIndex(
          red: Self.clampedCode(Int32(picture.bytes[start]) &+ added),
          green: Self.clampedCode(Int32(picture.bytes[start + 1]) &+ added),
          blue: Self.clampedCode(Int32(picture.bytes[start + 2]) &+ added))
        start += 3
      }
    }
    return result
  }

  /// Maps a picture with error diffusion. Errors are stored in sixteenths and rounded only when they are applied.
  private mutating func mapWithErrorDiffusion(_ picture: RGBPicture) -> [UInt8] {
    let width = picture.width
    var result = [UInt8](repeating: 0, count: width * picture.height)
    // One additional element on each side receives errors outside the picture.
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
        let index = nearest.nearestIndex(
          red: Self.clampedCode(target.x), green: Self.clampedCode(target.y), blue: Self.clampedCode(target.z))
        result[y * width + x] = index
        let chosen = palette.colors[Int(index)]
        let error = Self.clampedError(target &- SIMD4(Int32(chosen.red), Int32(chosen.green), Int32(chosen.blue), 0))
        errors[x + 1 + step] &+= (error &<< 3) &- error
        below[x + 1 - step] &+= (error &<< 1) &+ error
        below[x + 1] &+= (error &<< 2) &+ error
        below[x + 1 + step] &+= error
      }
      swap(&errors, &below)
    }
    return result
  }

  private static func clampedCode(_ code: Int32) -> UInt8 { UInt8(truncatingIfNeeded: min(max(code, 0), 255)) }

  /// Limits an error. Otherwise, a color outside the palette's gamut would accumulate errors that smear across the
  /// picture.
  private static func clampedError(_ error: SIMD4<Int32>) -> SIMD4<Int32> {
    error.clamped(lowerBound: SIMD4(repeating: -128), upperBound: SIMD4(repeating: 128))
  }
}
