import Foundation

/// The size of a terminal, in cells and pixels.
struct TerminalSize: Equatable, Sendable {
  var columns: Int
  var rows: Int
  /// The size of a cell in pixels.
  var cellWidth: Int
  var cellHeight: Int

  /// The size of a cell in pixels for terminals that don't report it: the usual size of 12-point text.
  static let defaultCell = (width: 10, height: 20)

  /// Values of 0 are replaced by the defaults: 80 by 24 cells of 10 by 20 pixels.
  /// - Parameters:
  ///   - width: the screen's width in pixels.
  ///   - height: the screen's height in pixels.
  init(columns: Int, rows: Int, width: Int = 0, height: Int = 0) {
    self.columns = columns > 0 ? columns : 80
    self.rows = rows > 0 ? rows : 24
    let cell = (width: width / self.columns, height: height / self.rows)
    // Some terminals report only one of the two sizes in pixels, or a constant.
    let isKnown = cell.width >= 2 && cell.height >= 4 && cell.height < 4 * cell.width
    cellWidth = isKnown ? cell.width : Self.defaultCell.width
    cellHeight = isKnown ? cell.height : Self.defaultCell.height
  }

  /// - Returns: `nil` if the descriptor is not a terminal.
  init?(descriptor: Int32) {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
    self.init(
      columns: Int(size.ws_col), rows: Int(size.ws_row), width: Int(size.ws_xpixel), height: Int(size.ws_ypixel))
  }
}
