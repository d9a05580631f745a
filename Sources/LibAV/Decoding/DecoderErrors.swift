import Synchronization

/// Errors that a decoder logs, and conceals: frames come out of it all the same, with no flag on them.
///
/// libav's HEVC decoder never flags a frame, and the flags of the others are lost on the way from a frame thread to the
/// caller (up to FFmpeg 6.1). The log of the decoder is the only complete record; it comes from worker threads.
final class DecoderErrors: Sendable {
  private struct State {
    /// Empty when something was logged that is no line.
    var firstLine: String?
    var startGap = StartGap.counts
  }

  /// Whether the frame numbers that are missing before the first frame are an error.
  private enum StartGap {
    case counts
    /// Not yet seen.
    case expected
    /// A line is logged for each number; all start with this.
    case ignored(prefix: String)
  }

  private static let gap = "Frame num gap "

  private let state = Mutex(State())
  private let toleratesGaps: Bool

  /// - Parameter toleratesGaps: the stream may leave out H.264 references on purpose, as streams in layers do.
  init(toleratesGaps: Bool) { self.toleratesGaps = toleratesGaps }

  /// Called by the log, on any thread. Some lines come in pieces; a piece without a word says nothing.
  func note(_ line: String) {
    // The text is libavcodec's own; the shim compares the same.
    if toleratesGaps, line.hasPrefix(Self.gap) { return }
    state.withLock { state in
      if line.hasPrefix(Self.gap) {
        if case .expected = state.startGap {
          state.startGap = .ignored(prefix: Self.gap + line.dropFirst(Self.gap.count).prefix { $0 != " " } + " ")
        }
        if case .ignored(let prefix) = state.startGap {
          if line.hasPrefix(prefix) { return }
          state.startGap = .counts
        }
      }
      let isLine = line.contains { $0.isLetter }
      state.firstLine = state.firstLine.flatMap { $0.isEmpty ? nil : $0 } ?? (isLine ? line : "")
    }
  }

  /// The next gap in frame numbers is at the start of the stream, where no frame is missing.
  func ignoreStartGap() { state.withLock { $0.startGap = .expected } }

  /// The first line since the last call; `nil` when there is none.
  func take() -> String? {
    state.withLock { state in
      defer { state.firstLine = nil }
      return state.firstLine
    }
  }
}
