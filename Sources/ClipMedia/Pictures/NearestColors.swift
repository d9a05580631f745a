import ClipModel

/// Finds the nearest palette color for any color. The result is exact, and the search is fast enough for every pixel of
/// an animation.
///
/// The color cube is divided into cells that are 8 code values wide. Each cell has a list of the few palette colors
/// that can be nearest to a color in the cell (Heckbert's locally sorted search). Lists are created on first use.
struct NearestColors {
  private struct PaletteEntry {
    var red: Int16
    var green: Int16
    var blue: Int16
    var index: UInt8
  }

  private let entries: [PaletteEntry]
  private static let bits = 5
  private static let shift = 8 - bits
  /// The range of each cell's list in `lists`. The end is 0 until the list is created.
  private var ranges = [(start: Int32, end: Int32)](repeating: (0, 0), count: 1 << (3 * bits))
  /// The lists of all cells in one array, each sorted by palette index.
  private var lists: [PaletteEntry] = []
  /// A cache of results, indexed by a hash of the color. Adjacent pixels and consecutive frames often have the same
  /// colors.
  private var cache = [(color: UInt32, index: UInt8)](repeating: (.max, 0), count: 1 << cacheBits)
  private static let cacheBits = 14

  /// - Parameter colors: the palette, with 1 to 256 colors.
  init(_ colors: [RGBColor]) {
    entries = colors.prefix(256).enumerated().map { index, color in
      PaletteEntry(red: Int16(color.red), green: Int16(color.green), blue: Int16(color.blue), index: UInt8(index))
    }
  }

  /// Returns the index of the color with the smallest squared distance, or the first one if several colors have the
  /// same distance.
  mutating func nearestIndex(red: UInt8, green: UInt8, blue: UInt8) -> UInt8 {
    let color = UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
    let slot = Int((color &* 0x9E37_79B1) >> (32 - Self.cacheBits))
    if cache[slot].color == color { return cache[slot].index }
    let index = findNearest(red: red, green: green, blue: blue)
    cache[slot] = (color, index)
    return index
  }

  private mutating func findNearest(red: UInt8, green: UInt8, blue: UInt8) -> UInt8 {
    let cell =
      Int(red >> Self.shift) << (2 * Self.bits) | Int(green >> Self.shift) << Self.bits | Int(blue >> Self.shift)
    if ranges[cell].end == 0 { createCandidateList(cell, red: red, green: green, blue: blue) }
    let start = Int(ranges[cell].start)
    let end = Int(ranges[cell].end)
    var nearest = lists[start].index
    var least = Int32.max
    for entry in lists[start..<end] {
      let one = Int32(entry.red &- Int16(red))
      let two = Int32(entry.green &- Int16(green))
      let three = Int32(entry.blue &- Int16(blue))
      let distance = one &* one &+ two &* two &+ three &* three
      if distance < least {
        least = distance
        nearest = entry.index
      }
    }
    return nearest
  }

  /// Creates the list of a cell. A palette color is excluded if its distance to the nearest point of the cell is larger
  /// than the distance between another palette color and the farthest point of the cell.
  private mutating func createCandidateList(_ cell: Int, red: UInt8, green: UInt8, blue: UInt8) {
    let width = Int32(1 << Self.shift)
    let corner = SIMD4<Int32>(Int32(red), Int32(green), Int32(blue), 0) & SIMD4(repeating: -width)
    let opposite = corner &+ SIMD4(width - 1, width - 1, width - 1, 0)
    var limit = Int32.max
    var distances: [Int32] = []
    distances.reserveCapacity(entries.count)
    for entry in entries {
      let color = SIMD4<Int32>(Int32(entry.red), Int32(entry.green), Int32(entry.blue), 0)
      let near = pointwiseMax(pointwiseMax(corner &- color, color &- opposite), .zero)
      let far = pointwiseMax(color &- corner, opposite &- color)
      distances.append((near &* near).wrappedSum())
      limit = min(limit, (far &* far).wrappedSum())
    }
    let start = lists.count
    for (entry, distance) in zip(entries, distances) where distance <= limit { lists.append(entry) }
    ranges[cell] = (Int32(start), Int32(lists.count))
  }
}
