package import ClipModel

/// How the error of a palette is spread.
package enum Dithering: String, CaseIterable, Sendable {
  /// The nearest colour: flat areas stay flat, gradients show bands.
  case none
  /// A fixed pattern (Bayer, 8 by 8): the same from picture to picture, so that what stands still does not flicker and
  /// compresses well. For animations.
  case ordered
  /// Each pixel passes its error on to its neighbours (Floyd and Steinberg, rows in turns): best for stills.
  case errorDiffusion
}

/// Gives every pixel the index of its palette colour. Keep it for all pictures of an animation: it learns.
package struct PaletteMapper: Sendable {
  package let palette: ColorPalette
  private var nearest: NearestColors
  /// What is added to all three components, 8 rows of 8.
  private let pattern: [Int32]

  package init(_ palette: ColorPalette) {
    self.palette = palette
    nearest = NearestColors(palette.colors)
    pattern = Self.pattern(spacing: palette.spacing)
  }

  /// One index for each pixel, row by row.
  package mutating func indexes(of picture: RGBPicture, dithering: Dithering) -> [UInt8] {
    switch dithering {
    case .none: patterned(picture, by: [Int32](repeating: 0, count: 64))
    case .ordered: patterned(picture, by: pattern)
    case .errorDiffusion: diffused(picture)
    }
  }

  /// The pattern reaches from one palette colour half way to the next on either side: less leaves bands, more is noise.
  /// - Parameter spacing: of the palette, in codes; few colours would ask for more than eyes take, hence the limit.
  private static func pattern(spacing: Double) -> [Int32] {
    let strength = min(spacing, 48)
    return (0..<64).map { place in
      let x = place % 8
      let y = place / 8
      // The bits of x ^ y and y, interleaved, the lowest first: 0 to 63.
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

  /// Errors are kept in sixteenths and rounded once, where they are used.
  private mutating func diffused(_ picture: RGBPicture) -> [UInt8] {
    let width = picture.width
    var result = [UInt8](repeating: 0, count: width * picture.height)
    // One pixel more on either side takes what would fall out of the picture.
    var errors = [SIMD4<Int32>](repeating: .zero, count: width + 2)
    var below = errors
    for y in 0..<picture.height {
      for place in below.indices { below[place] = .zero }
      let step = y % 2 == 0 ? 1 : -1
      for column in 0..<width {
        let x = step > 0 ? column : width - 1 - column
        let start = (y * width + x) * 3
        let color = SIMD4(
          Int32(picture.bytes[start]), Int32(picture.bytes[start + 1]), Int32(picture.bytes[start + 2]), 0)
        let wanted = color &+ ((errors[x + 1] &+ SIMD4(8, 8, 8, 0)) &>> 4)
        let index = nearest.index(
          red: Self.clamped(wanted.x), green: Self.clamped(wanted.y), blue: Self.clamped(wanted.z))
        result[y * width + x] = index
        let taken = palette.colors[Int(index)]
        let error = Self.limited(wanted &- SIMD4(Int32(taken.red), Int32(taken.green), Int32(taken.blue), 0))
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

  /// A colour outside of what the palette spans would pile up error without end and smear over the picture.
  private static func limited(_ error: SIMD4<Int32>) -> SIMD4<Int32> {
    error.clamped(lowerBound: SIMD4(repeating: -128), upperBound: SIMD4(repeating: 128))
  }
}
