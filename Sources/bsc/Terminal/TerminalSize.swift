import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The screen of a terminal: how many cells, and how big they are.
struct TerminalSize: Equatable, Sendable {
  var columns: Int
  var rows: Int
  /// In pixels.
  var cellWidth: Int
  var cellHeight: Int

  /// For terminals that do not say how many pixels they have: usual for text of 12 points, and the usual shape.
  static let usualCell = (width: 10, height: 20)

  /// What is not known (0) is taken as usual: 80 by 24 cells of 10 by 20 pixels.
  /// - Parameters:
  ///   - width: of the whole screen, in pixels.
  ///   - height: of the whole screen, in pixels.
  init(columns: Int, rows: Int, width: Int = 0, height: Int = 0) {
    self.columns = columns > 0 ? columns : 80
    self.rows = rows > 0 ? rows : 24
    let cell = (width: width / self.columns, height: height / self.rows)
    // Some terminals fill in only one of the two, or a constant.
    let isKnown = cell.width >= 2 && cell.height >= 4 && cell.height < 4 * cell.width
    cellWidth = isKnown ? cell.width : Self.usualCell.width
    cellHeight = isKnown ? cell.height : Self.usualCell.height
  }

  /// - Returns: `nil` when the descriptor is no terminal.
  init?(descriptor: Int32) {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
    self.init(
      columns: Int(size.ws_col), rows: Int(size.ws_row), width: Int(size.ws_xpixel), height: Int(size.ws_ypixel))
  }
}
