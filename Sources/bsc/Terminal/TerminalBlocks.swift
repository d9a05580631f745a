import ClipModel

/// The range of text colors that a terminal supports.
enum TerminalColors: Sendable {
  /// All 24-bit colors.
  case all
  /// The color cube and the grays of xterm's 256 colors.
  case cube

  init(environment: [String: String]) {
    self = ["truecolor", "24bit"].contains(environment["COLORTERM"]?.lowercased() ?? "") ? .all : .cube
  }

  /// Returns a color's parameters in `ESC [ … m`, after 38 or 48.
  func formatParameters(_ color: RGBColor) -> String {
    switch self {
    case .all: "2;\(color.red);\(color.green);\(color.blue)"
    case .cube: "5;\(Self.findNearestColor(color))"
    }
  }

  /// Returns the nearest of 216 colors (16 and up, levels 0, 95, 135, … 255) and 24 grays (232 and up, levels 8, 18, …
  /// 238). The first 16 colors aren't used, because users can change them.
  private static func findNearestColor(_ color: RGBColor) -> Int {
    func colorStep(_ code: UInt8) -> Int { code < 48 ? 0 : code < 115 ? 1 : (Int(code) - 35) / 40 }
    func colorLevel(_ step: Int) -> Int { step == 0 ? 0 : 55 + 40 * step }
    func distance(_ red: Int, _ green: Int, _ blue: Int) -> Int {
      let differences = [red - Int(color.red), green - Int(color.green), blue - Int(color.blue)]
      return differences.reduce(0) { $0 + $1 * $1 }
    }
    let steps = (colorStep(color.red), colorStep(color.green), colorStep(color.blue))
    let mean = (Int(color.red) + Int(color.green) + Int(color.blue)) / 3
    let shade = min(max((mean - 3) / 10, 0), 23)
    let gray = 8 + 10 * shade
    return distance(gray, gray, gray) < distance(colorLevel(steps.0), colorLevel(steps.1), colorLevel(steps.2))
      ? 232 + shade : 16 + 36 * steps.0 + 6 * steps.1 + steps.2
  }
}

extension TerminalPicture {
  /// Draws two pixels in each cell: `▀` with the upper pixel as foreground color and the lower pixel as background
  /// color.
  ///
  /// The picture fills the screen and keeps its aspect ratio. Cells are twice as high as wide.
  static func drawBlocks(_ picture: RGBPicture, in screen: TerminalSize, colors: TerminalColors) -> String {
    let scaled = picture.scaled(
      to: picture.size.scaledToFit(PictureSize(width: screen.columns, height: screen.rows * 2)))
    var result = ""
    for top in stride(from: 0, to: scaled.height, by: 2) {
      var upper: String?
      var lower: String?
      for x in 0..<scaled.width {
        let foreground = "38;" + colors.formatParameters(scaled[x, top])
        // If the height is odd, the lower half of the last row has the terminal's background color.
        let background = top + 1 < scaled.height ? "48;" + colors.formatParameters(scaled[x, top + 1]) : "49"
        let changes = [foreground == upper ? nil : foreground, background == lower ? nil : background]
          .compactMap(\.self)
        if !changes.isEmpty { result += "\u{1B}[\(changes.joined(separator: ";"))m" }
        result += "▀"
        (upper, lower) = (foreground, background)
      }
      // Without this reset, the line would be filled with the last color when the terminal is widened.
      result += "\u{1B}[0m\n"
    }
    return result
  }
}
