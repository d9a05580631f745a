import ArgumentParser
import ClipMedia
import ClipModel
import Foundation
import ShareEngine

/// Draws pictures in the terminal on stdout.
struct TerminalScreen {
  private let method: TerminalProtocol
  private let size: TerminalSize
  private let colors: TerminalColors

  /// - Parameter method: the protocol that the user has chosen; `nil` to detect one.
  /// - Throws: `CommandFailure` if the terminal shows only plain text and no protocol was chosen.
  init(_ method: TerminalProtocol?) throws {
    let environment = ProcessInfo.processInfo.environment
    let isTerminal = isatty(STDOUT_FILENO) == 1
    if method == nil, isTerminal, TerminalProtocol.isPlain(environment) { throw CommandFailure(.noColors) }
    var size = TerminalSize(descriptor: STDOUT_FILENO) ?? TerminalSize(columns: Console.errorSize.columns, rows: 24)
    // Larger screens don't exist in practice, and drawing would take minutes.
    size.columns = min(size.columns, 1000)
    size.rows = min(size.rows, 500)
    self.size = size
    colors = isTerminal ? TerminalColors(environment: environment) : .all
    // If stdout is a pipe or a file, pictures are drawn as blocks, which are text.
    self.method = method ?? TerminalProtocol.detect(in: environment) ?? .blocks
  }

  /// Draws a picture.
  /// - Parameter lines: the height in lines of text; `nil` for as many lines as leave the prompt visible.
  func render(_ image: PictureRendering.Image, lines: Int?) -> String {
    var screen = size
    screen.rows = min(lines ?? max(size.rows - 2, 1), max(size.rows - 1, 1))
    switch method {
    case .kitty: return TerminalPicture.drawKitty(png: image.png, size: image.pixels.size, in: screen)
    case .iterm2: return TerminalPicture.drawITerm2(file: image.png, size: image.pixels.size, in: screen)
    case .sixel: return TerminalPicture.drawSixel(image.pixels, in: screen)
    case .blocks: return TerminalPicture.drawBlocks(image.pixels, in: screen, colors: colors)
    }
  }
}

extension TerminalProtocol: ExpressibleByArgument {}
