import ClipModel
import Foundation

/// Pictures as text for a terminal. Each ends at the start of the line below.
enum TerminalPicture {
  private static let escape = "\u{1B}"

  /// The cells that a picture takes when the terminal scales it: not more than there are, in the picture's shape to the
  /// nearest cell, never beyond its own pixels (unless it is smaller than a cell).
  static func cells(for picture: PictureSize, in screen: TerminalSize) -> (columns: Int, rows: Int) {
    let size = pixels(for: picture, in: screen)
    return (max(1, size.width / screen.cellWidth), max(1, size.height / screen.cellHeight))
  }

  /// The pixels that a picture takes: not more than there are, in the picture's shape, never beyond its own.
  static func pixels(for picture: PictureSize, in screen: TerminalSize) -> PictureSize {
    let room = PictureSize(width: screen.columns * screen.cellWidth, height: screen.rows * screen.cellHeight)
    return room.width >= picture.width && room.height >= picture.height ? picture : picture.filling(room)
  }

  /// The protocol takes at most 4096 characters at a time.
  /// - Parameters:
  ///   - png: the file.
  ///   - size: of the picture in it.
  static func kitty(png: [UInt8], size: PictureSize, in screen: TerminalSize) -> String {
    let cells = cells(for: size, in: screen)
    let text = Array(Data(png).base64EncodedString().utf8)
    var result = ""
    // a: show at once; f: PNG; q: no answer, it would be taken for typed text. Without rows the shape is kept.
    var keys = "a=T,f=100,q=2,c=\(cells.columns),"
    for start in stride(from: 0, to: text.count, by: 4096) {
      let end = min(start + 4096, text.count)
      result += "\(escape)_G\(keys)m=\(end < text.count ? 1 : 0);"
      result += String(decoding: text[start..<end], as: UTF8.self) + "\(escape)\\"
      keys = ""
    }
    return result + "\n"
  }

  /// - Parameter file: PNG or JPEG.
  static func iterm2(file: [UInt8], size: PictureSize, in screen: TerminalSize) -> String {
    let cells = cells(for: size, in: screen)
    let arguments = [
      "inline=1", "size=\(file.count)", "width=\(cells.columns)", "height=\(cells.rows)", "preserveAspectRatio=1",
    ]
    return "\(escape)]1337;File=\(arguments.joined(separator: ";")):\(Data(file).base64EncodedString())\u{07}\n"
  }
}

extension PictureSize {
  /// The largest of the same shape inside of `room`, also when that enlarges it; at least one pixel.
  func filling(_ room: PictureSize) -> PictureSize {
    // width / height against room.width / room.height, in whole numbers.
    if width * room.height >= height * room.width {
      return PictureSize(width: max(1, room.width), height: max(1, (height * room.width + width / 2) / width))
    }
    return PictureSize(width: max(1, (width * room.height + height / 2) / height), height: max(1, room.height))
  }
}
