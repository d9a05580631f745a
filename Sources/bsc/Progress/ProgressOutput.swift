import Foundation

/// The destination for progress output: stderr, or a recorder in tests.
struct ProgressOutput: Sendable {
  var write: @Sendable (String) -> Void
  var size: @Sendable () -> TerminalSize
  var now: @Sendable () -> ContinuousClock.Instant = { .now }
  var glyphs: TerminalGlyphs
  var isColored = false

  static var standardError: ProgressOutput {
    ProgressOutput(
      write: Console.writeRawErrorText, size: { Console.errorSize },
      glyphs: TerminalGlyphs(environment: ProcessInfo.processInfo.environment), isColored: Console.isErrorColored)
  }
}
