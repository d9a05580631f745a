import ArgumentParser
import ClipMedia
import ClipModel
import Foundation
import ShareEngine

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The terminal that pictures are drawn in, and how.
struct TerminalScreen {
  private let drawing: TerminalProtocol
  private let size: TerminalSize
  private let colors: TerminalColors

  /// - Parameter wanted: what the user says of the terminal; `nil` finds it out.
  /// - Throws: `CommandFailure` when stdout is none, and nothing was said.
  init(_ wanted: TerminalProtocol?) throws {
    let environment = ProcessInfo.processInfo.environment
    let isTerminal = isatty(STDOUT_FILENO) == 1
    if wanted == nil, isTerminal, TerminalProtocol.isPlain(environment) {
      throw CommandFailure(.noColors)
    }
    var size = TerminalSize(descriptor: STDOUT_FILENO) ?? TerminalSize(columns: Console.width, rows: 24)
    // No screen is larger; something that claims to be would be drawn for minutes.
    size.columns = min(size.columns, 1000)
    size.rows = min(size.rows, 500)
    self.size = size
    colors = isTerminal ? TerminalColors(environment: environment) : .all
    // What is read by a program or a file is text.
    drawing = wanted ?? TerminalProtocol.detected(in: environment) ?? .blocks
  }

  /// - Parameter lines: of text that the picture may take; `nil` for as many as leave the prompt in sight.
  func text(_ image: PictureRendering.Image, lines: Int?) -> String {
    var screen = size
    screen.rows = min(lines ?? max(size.rows - 2, 1), max(size.rows - 1, 1))
    switch drawing {
    case .kitty: return TerminalPicture.kitty(png: image.png, size: image.pixels.size, in: screen)
    case .iterm2: return TerminalPicture.iterm2(file: image.png, size: image.pixels.size, in: screen)
    case .sixel: return TerminalPicture.sixel(image.pixels, in: screen)
    case .blocks: return TerminalPicture.blocks(image.pixels, in: screen, colors: colors)
    }
  }
}

extension TerminalProtocol: ExpressibleByArgument {}
