import ClipModel
import Foundation

/// Pictures as control sequences and text for a terminal. Each ends with a line feed.
enum TerminalPicture {
  private static let escape = "\u{1B}"

  /// Returns the size, in cells, of a picture that the terminal scales. The picture fits the screen, keeps its aspect
  /// ratio to the nearest cell, and is not enlarged unless it is smaller than a cell.
  static func cellSize(for picture: PictureSize, in screen: TerminalSize) -> (columns: Int, rows: Int) {
    let size = pixelSize(for: picture, in: screen)
    return (max(1, size.width / screen.cellWidth), max(1, size.height / screen.cellHeight))
  }

  /// Returns the size of a picture on the screen, in pixels. The picture fits the screen, keeps its aspect ratio and is
  /// not enlarged.
  static func pixelSize(for picture: PictureSize, in screen: TerminalSize) -> PictureSize {
    let room = PictureSize(width: screen.columns * screen.cellWidth, height: screen.rows * screen.cellHeight)
    return room.width >= picture.width && room.height >= picture.height ? picture : picture.scaledToFit(room)
  }

  /// Draws a picture with Kitty's graphics protocol.
  /// - Parameters:
  ///   - png: the bytes of a PNG file.
  ///   - size: the size of the picture in pixels.
  static func drawKitty(png: [UInt8], size: PictureSize, in screen: TerminalSize) -> String {
    let cells = cellSize(for: size, in: screen)
    let text = Array(Data(png).base64EncodedString().utf8)
    var result = ""
    // a: show immediately; f: PNG; q: suppress the reply, which the shell would read as input. If rows are omitted, the
    // aspect ratio is kept. The protocol accepts at most 4096 characters at a time.
    var keys = "a=T,f=100,q=2,c=\(cells.columns),"
    for start in stride(from: 0, to: text.count, by: 4096) {
      let end = min(start + 4096, text.count)
      result += "\(escape)_G\(keys)m=\(end < text.count ? 1 : 0);"
      result += String(decoding: text[start..<end], as: UTF8.self) + "\(escape)\\"
      keys = ""
    }
    return result + "\n"
  }

  /// Draws a picture as an inline image of iTerm2.
  /// - Parameter file: the bytes of a PNG or JPEG file.
  static func drawITerm2(file: [UInt8], size: PictureSize, in screen: TerminalSize) -> String {
    let cells = cellSize(for: size, in: screen)
    let arguments = [
      "inline=1", "size=\(file.count)", "width=\(cells.columns)", "height=\(cells.rows)", "preserveAspectRatio=1",
    ]
    return "\(escape)]1337;File=\(arguments.joined(separator: ";")):\(Data(file).base64EncodedString())\u{07}\n"
  }
}

extension PictureSize {
  /// Returns the largest size inside `room` with the same aspect ratio, even if this enlarges the picture; at least one
  /// pixel.
  func scaledToFit(_ room: PictureSize) -> PictureSize {
    // Compares width / height with room.width / room.height, using integers.
    if width * room.height >= height * room.width {
      return PictureSize(width: max(1, room.width), height: max(1, (height * room.width + width / 2) / width))
    }
    return PictureSize(width: max(1, (width * room.height + height / 2) / height), height: max(1, room.height))
  }
}
