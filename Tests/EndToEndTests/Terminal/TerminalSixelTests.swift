import ClipModel
import TestSupport
import Testing

@testable import bsc

@Suite struct TerminalSixelTests {
  @Test func twoColorsAreWrittenAsRuns() {
    // Five columns and seven rows, black except for the white last row.
    let bytes = [UInt8](repeating: 0, count: 6 * 5 * 3) + [UInt8](repeating: 255, count: 5 * 3)
    let picture = RGBPicture(width: 5, height: 7, bytes: bytes)
    let text = TerminalPicture.drawSixel(picture, in: TerminalSize(columns: 80, rows: 24))
    let colors = "#0;2;0;0;0#1;2;100;100;100"
    #expect(text == "\u{1B}P0;1;0q\"1;1;5;7\(colors)#0!5~-#1!5@\u{1B}\\\n")
  }

  /// 7 is not a multiple of 6, and 40 exceeds the height of the screen.
  @Test(arguments: [(32, 7, 32, 7), (40, 40, 40, 40), (400, 200, 120, 60), (1, 1, 1, 1)])
  func pictureIsPreserved(width: Int, height: Int, shownWidth: Int, shownHeight: Int) throws {
    var generator = SeededGenerator(seed: 7)
    var bytes: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        bytes.append(UInt8(x * 200 / width + Int.random(in: 0...9, using: &generator)))
        bytes.append(UInt8(y * 200 / height + Int.random(in: 0...9, using: &generator)))
        bytes.append(UInt8((x + y) * 100 / (width + height) + 50))
      }
    }
    let picture = RGBPicture(width: width, height: height, bytes: bytes)
    let screen = TerminalSize(columns: 12, rows: 4)
    let decoded = try SixelPicture(TerminalPicture.drawSixel(picture, in: screen))
    #expect(decoded.width == shownWidth && decoded.height == shownHeight)
    let expected = picture.scaled(to: PictureSize(width: shownWidth, height: shownHeight))
    var squares = 0
    for y in 0..<shownHeight {
      for x in 0..<shownWidth {
        let color = try #require(decoded.pixels[y * shownWidth + x], "nothing at \(x) \(y)")
        let wanted = expected[x, y]
        for (one, other) in zip(color, [wanted.red, wanted.green, wanted.blue]) {
          squares += (one - Int(other)) * (one - Int(other))
        }
      }
    }
    // The error is below that of 34 dB.
    #expect(Double(squares) / Double(shownWidth * shownHeight * 3) < 26)
  }

  @Test func colorsAreLimitedTo256() throws {
    var bytes: [UInt8] = []
    for pixel in 0..<64 * 64 { bytes += [UInt8(pixel % 64 * 4), UInt8(pixel / 64 * 4), UInt8(pixel % 251)] }
    let picture = RGBPicture(width: 64, height: 64, bytes: bytes)
    let decoded = try SixelPicture(TerminalPicture.drawSixel(picture, in: TerminalSize(columns: 80, rows: 24)))
    #expect(decoded.colorCount <= 256 && decoded.colorCount > 200)
  }
}

/// Decodes Sixel data.
private struct SixelPicture {
  private(set) var width = 0
  private(set) var height = 0
  private(set) var colorCount = 0
  /// Red, green, blue from 0 to 255; `nil` for pixels that were not drawn.
  private(set) var pixels: [[Int]?] = []

  struct Failure: Error {}

  init(_ text: String) throws {
    guard text.hasPrefix("\u{1B}P0;1;0q\""), text.hasSuffix("\u{1B}\\\n") else { throw Failure() }
    var rest = text.dropFirst("\u{1B}P0;1;0q\"".count).dropLast(3)[...]
    func numbers() -> [Int] {
      let part = rest.prefix { $0.isNumber || $0 == ";" }
      rest = rest.dropFirst(part.count)
      return part.split(separator: ";").compactMap { Int($0) }
    }
    let attributes = numbers()
    guard attributes.count == 4, attributes.prefix(2) == [1, 1] else { throw Failure() }
    width = attributes[2]
    height = attributes[3]
    pixels = Array(repeating: nil, count: width * height)
    var colors: [Int: [Int]] = [:]
    var color = 0
    var x = 0
    var top = 0
    while let character = rest.popFirst() {
      var count = 1
      var sixel = character
      switch character {
      case "#":
        let parameters = numbers()
        guard let number = parameters.first else { throw Failure() }
        color = number
        if parameters.count == 5 { colors[color] = parameters[2...].map { ($0 * 255 + 50) / 100 } }
        continue
      case "$":
        x = 0
        continue
      case "-":
        x = 0
        top += 6
        continue
      case "!":
        guard let length = numbers().first, let next = rest.popFirst() else { throw Failure() }
        count = length
        sixel = next
      default: break
      }
      guard let value = sixel.asciiValue, (63...126).contains(value), x + count <= width else { throw Failure() }
      for column in x..<x + count {
        for bit in 0..<6 where (value - 63) >> UInt8(bit) & 1 == 1 {
          guard top + bit < height, let shown = colors[color] else { throw Failure() }
          pixels[(top + bit) * width + column] = shown
        }
      }
      x += count
    }
    colorCount = colors.count
  }
}
