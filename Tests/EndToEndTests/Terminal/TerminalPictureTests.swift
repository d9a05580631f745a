import ClipModel
import Foundation
import Testing

@testable import bsc

@Suite struct TerminalPictureTests {
  private static let screen = TerminalSize(columns: 80, rows: 24)

  @Test(arguments: [
    // A picture smaller than the screen keeps its size.
    (320, 180, 320, 180, 32, 9), (800, 480, 800, 480, 80, 24), (5, 5, 5, 5, 1, 1),
    // Limited by the width, and by the height.
    (1280, 720, 800, 450, 80, 22), (1080, 1920, 270, 480, 27, 24), (8000, 10, 800, 1, 80, 1),
  ])
  func picturesFitWithoutEnlarging(
    width: Int, height: Int, shownWidth: Int, shownHeight: Int, columns: Int, rows: Int
  ) {
    let picture = PictureSize(width: width, height: height)
    let expected = PictureSize(width: shownWidth, height: shownHeight)
    #expect(TerminalPicture.pixelSize(for: picture, in: Self.screen) == expected)
    let cells = TerminalPicture.cellSize(for: picture, in: Self.screen)
    #expect(cells.columns == columns && cells.rows == rows)
  }

  /// The Base64 form of 3072 bytes fills a part exactly.
  @Test(arguments: [1, 3071, 3072, 3073, 6144, 10_000])
  func kittyPartsFormFile(count: Int) throws {
    let file = (0..<count).map { UInt8($0 * 7 % 251) }
    let text = TerminalPicture.drawKitty(png: file, size: PictureSize(width: 320, height: 180), in: Self.screen)
    #expect(text.hasSuffix("\u{1B}\\\n"))
    let parts = text.dropLast(3).components(separatedBy: "\u{1B}\\")
    var base64 = ""
    for (index, part) in parts.enumerated() {
      let pieces = part.components(separatedBy: ";")
      try #require(pieces.count == 2)
      let more = index + 1 < parts.count ? "m=1" : "m=0"
      #expect(pieces[0] == "\u{1B}_G" + (index == 0 ? "a=T,f=100,q=2,c=32," : "") + more)
      #expect(pieces[1].count <= 4096)
      base64 += pieces[1]
    }
    #expect(parts.count == (count + 3071) / 3072)
    #expect(Data(base64Encoded: base64) == Data(file))
  }

  @Test func iterm2HasTheFileAndItsCells() {
    let file = Array("picture".utf8)
    let text = TerminalPicture.drawITerm2(file: file, size: PictureSize(width: 1280, height: 720), in: Self.screen)
    let arguments = "inline=1;size=7;width=80;height=22;preserveAspectRatio=1"
    #expect(text == "\u{1B}]1337;File=\(arguments):cGljdHVyZQ==\u{07}\n")
  }
}

@Suite struct TerminalBlocksTests {
  /// Two by four pixels: red and green in the upper half, blue in the lower half.
  private static let picture = RGBPicture(
    width: 2, height: 4,
    bytes: [255, 0, 0, 0, 255, 0, 255, 0, 0, 0, 255, 0] + [0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0, 255])

  @Test func colorsAreWrittenWhenTheyChange() {
    let text = TerminalPicture.drawBlocks(Self.picture, in: TerminalSize(columns: 2, rows: 2), colors: .all)
    let upper = "\u{1B}[38;2;255;0;0;48;2;255;0;0m▀\u{1B}[38;2;0;255;0;48;2;0;255;0m▀\u{1B}[0m\n"
    #expect(text == upper + "\u{1B}[38;2;0;0;255;48;2;0;0;255m▀▀\u{1B}[0m\n")
  }

  @Test func unchangedColorIsNotWritten() {
    let picture = RGBPicture(width: 2, height: 2, bytes: [1, 2, 3, 4, 5, 6, 7, 8, 9, 7, 8, 9])
    let text = TerminalPicture.drawBlocks(picture, in: TerminalSize(columns: 2, rows: 1), colors: .all)
    #expect(text == "\u{1B}[38;2;1;2;3;48;2;7;8;9m▀\u{1B}[38;2;4;5;6m▀\u{1B}[0m\n")
  }

  @Test func oddHeightEndsWithHalfLine() {
    let picture = RGBPicture(width: 1, height: 1, bytes: [9, 8, 7])
    let text = TerminalPicture.drawBlocks(picture, in: TerminalSize(columns: 1, rows: 1), colors: .all)
    #expect(text == "\u{1B}[38;2;9;8;7;49m▀\u{1B}[0m\n")
  }

  @Test(arguments: [
    (320, 180, 80, 24, 80, 23), (180, 320, 80, 24, 27, 24), (1, 1, 10, 3, 6, 3), (4000, 2, 80, 24, 80, 1),
  ])
  func picturesFillScreenWithSameAspect(
    width: Int, height: Int, columns: Int, rows: Int, shownColumns: Int, shownRows: Int
  ) {
    let picture = RGBPicture(width: width, height: height, bytes: [UInt8](repeating: 50, count: width * height * 3))
    let text = TerminalPicture.drawBlocks(picture, in: TerminalSize(columns: columns, rows: rows), colors: .cube)
    let lines = text.split(separator: "\n")
    #expect(lines.count == shownRows)
    #expect(lines.allSatisfy { $0.filter { $0 == "▀" }.count == shownColumns })
  }

  @Test(arguments: [
    (RGBColor(red: 0, green: 0, blue: 0), 16), (RGBColor(red: 255, green: 255, blue: 255), 231),
    (RGBColor(red: 255, green: 0, blue: 0), 196), (RGBColor(red: 95, green: 135, blue: 175), 67),
    (RGBColor(red: 8, green: 8, blue: 8), 232), (RGBColor(red: 238, green: 238, blue: 238), 255),
    (RGBColor(red: 120, green: 118, blue: 117), 243), (RGBColor(red: 0, green: 200, blue: 100), 41),
    (RGBColor(red: 47, green: 255, blue: 0), 46), (RGBColor(red: 48, green: 255, blue: 0), 82),
  ])
  func nearestColorOfCubeIsUsed(color: RGBColor, number: Int) {
    #expect(TerminalColors.cube.formatParameters(color) == "5;\(number)")
  }

  @Test func trueColorRequiresSupport() {
    #expect(TerminalColors(environment: ["COLORTERM": "truecolor"]) == .all)
    #expect(TerminalColors(environment: ["COLORTERM": "24bit"]) == .all)
    #expect(TerminalColors(environment: ["COLORTERM": "yes"]) == .cube && TerminalColors(environment: [:]) == .cube)
  }
}
