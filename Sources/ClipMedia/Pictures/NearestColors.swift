import ClipModel

/// Finds the nearest colour of a palette: exactly, and fast enough for every pixel of an animation.
///
/// The cube of all colours is cut into cells 8 codes wide. A cell lists the few palette colours that can be nearest to
/// something in it (Heckbert's locally sorted search), made when the first pixel falls into it.
struct NearestColors {
  private struct Entry {
    var red: Int16
    var green: Int16
    var blue: Int16
    var index: UInt8
  }

  private let entries: [Entry]
  private static let bits = 5
  private static let shift = 8 - bits
  /// Where the list of each cell is; an end of 0 before it is made.
  private var places = [(start: Int32, end: Int32)](repeating: (0, 0), count: 1 << (3 * bits))
  /// The lists one behind the other, indexes ascending.
  private var lists: [Entry] = []
  /// What was asked for lately, by a hash of the colour: neighbours and following pictures ask for the same.
  private var answers = [(color: UInt32, index: UInt8)](repeating: (.max, 0), count: 1 << answerBits)
  private static let answerBits = 14

  /// - Parameter colors: 1 to 256.
  init(_ colors: [RGBColor]) {
    entries = colors.prefix(256).enumerated().map { index, color in
      Entry(red: Int16(color.red), green: Int16(color.green), blue: Int16(color.blue), index: UInt8(index))
    }
  }

  /// The index of the colour with the least squared distance, the first of those that are equally near.
  mutating func index(red: UInt8, green: UInt8, blue: UInt8) -> UInt8 {
    let color = UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
    let slot = Int((color &* 0x9E37_79B1) >> (32 - Self.answerBits))
    if answers[slot].color == color { return answers[slot].index }
    let index = search(red: red, green: green, blue: blue)
    answers[slot] = (color, index)
    return index
  }

  private mutating func search(red: UInt8, green: UInt8, blue: UInt8) -> UInt8 {
    let cell =
      Int(red >> Self.shift) << (2 * Self.bits) | Int(green >> Self.shift) << Self.bits | Int(blue >> Self.shift)
    if places[cell].end == 0 { fill(cell, red: red, green: green, blue: blue) }
    let start = Int(places[cell].start)
    let end = Int(places[cell].end)
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

  /// A colour stays out when its nearest point of the cell is farther than the farthest point of another colour.
  private mutating func fill(_ cell: Int, red: UInt8, green: UInt8, blue: UInt8) {
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
    places[cell] = (Int32(start), Int32(lists.count))
  }
}
