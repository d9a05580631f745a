import ClipMedia
import ClipModel

extension TerminalPicture {
  /// Draws the picture in 256 colors, scaled down to the screen.
  static func drawSixel(_ picture: RGBPicture, in screen: TerminalSize) -> String {
    let scaled = picture.scaled(to: pixelSize(for: picture.size, in: screen))
    // Sixel colors are percentages. They are rounded first, so that dithering also hides the rounding error.
    let palette = ColorPalette(ColorPalette(for: [scaled]).colors.map { SixelColor($0).color })
    var mapper = PaletteMapper(palette)
    let indexes = mapper.indexes(of: scaled, dithering: .errorDiffusion)
    return SixelWriter(indexes: indexes, width: scaled.width, colors: palette.colors).text + "\n"
  }
}

/// A color as percentages, as in Sixel.
private struct SixelColor {
  var red: Int
  var green: Int
  var blue: Int

  init(_ color: RGBColor) {
    func percentage(_ code: UInt8) -> Int { (Int(code) * 100 + 127) / 255 }
    red = percentage(color.red)
    green = percentage(color.green)
    blue = percentage(color.blue)
  }

  /// The color that terminals show for these percentages.
  var color: RGBColor {
    func colorCode(_ percentage: Int) -> UInt8 { UInt8((percentage * 255 + 50) / 100) }
    return RGBColor(red: colorCode(red), green: colorCode(green), blue: colorCode(blue))
  }
}

/// Writes a Sixel picture in bands of six rows, with one pass for each color.
private struct SixelWriter {
  private let indexes: [UInt8]
  private let width: Int
  private let height: Int
  private let colors: [RGBColor]

  init(indexes: [UInt8], width: Int, colors: [RGBColor]) {
    self.indexes = indexes
    self.width = width
    self.colors = colors
    height = indexes.count / width
  }

  var text: String {
    // The raster attributes: square pixels, and the size.
    var output = Array("\u{1B}P0;1;0q\"1;1;\(width);\(height)".utf8)
    for (index, color) in colors.enumerated() {
      let levels = SixelColor(color)
      output += "#\(index);2;\(levels.red);\(levels.green);\(levels.blue)".utf8
    }
    for top in stride(from: 0, to: height, by: 6) {
      if top > 0 { output.append(UInt8(ascii: "-")) }
      appendBand(top..<min(top + 6, height), to: &output)
    }
    output += "\u{1B}\\".utf8
    return String(decoding: output, as: UTF8.self)
  }

  private func appendBand(_ rows: Range<Int>, to output: inout [UInt8]) {
    // For each color: a bit for each of the six rows, column by column.
    var masks = [[UInt8]](repeating: [], count: colors.count)
    for (bit, row) in rows.enumerated() {
      for x in 0..<width {
        let index = Int(indexes[row * width + x])
        if masks[index].isEmpty { masks[index] = [UInt8](repeating: 0, count: width) }
        masks[index][x] |= 1 << UInt8(bit)
      }
    }
    var isFirst = true
    for (index, mask) in masks.enumerated() where !mask.isEmpty {
      // `$` returns to the left edge of the band.
      if !isFirst { output.append(UInt8(ascii: "$")) }
      isFirst = false
      output += "#\(index)".utf8
      appendRuns(of: mask, to: &output)
    }
  }

  private func appendRuns(of mask: [UInt8], to output: inout [UInt8]) {
    var x = 0
    while x < mask.count {
      let value = mask[x]
      var end = x + 1
      while end < mask.count, mask[end] == value { end += 1 }
      // The remaining columns have other colors.
      if end == mask.count, value == 0 { return }
      let character = UInt8(ascii: "?") + value
      if end - x > 3 {
        output += "!\(end - x)".utf8
        output.append(character)
      } else {
        output += repeatElement(character, count: end - x)
      }
      x = end
    }
  }
}
