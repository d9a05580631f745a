import Synchronization

/// Collects the errors that a decoder logs and conceals: it still returns frames, and doesn't flag them.
///
/// libav's HEVC decoder never flags a frame, and frame threads lose the flags of the other decoders (up to FFmpeg 6.1).
/// The decoder's log is the only complete record. Its lines arrive on worker threads.
final class DecoderErrors: Sendable {
  private struct State {
    /// The message; empty if only a fragment was logged.
    var firstLine: String?
    var startGap = StartGap.counts
  }

  /// Whether missing frame numbers before the first frame are an error.
  private enum StartGap {
    case counts
    /// The gap is to be ignored and has not been logged.
    case expected
    /// libav logs a line for each missing number; all of them start with this prefix.
    case ignored(prefix: String)
  }

  private static let gap = "Frame num gap "

  private let state = Mutex(State())
  private let toleratesGaps: Bool

  /// - Parameter toleratesGaps: whether the stream may omit H.264 references on purpose, as layered streams do.
  init(toleratesGaps: Bool) { self.toleratesGaps = toleratesGaps }

  /// Records a line of the log, on any thread. Some lines arrive in fragments; a fragment without letters contains no
  /// message.
  func record(_ line: String) {
    // The prefix of a libavcodec message. log.c compares the same text.
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
      let hasMessage = line.contains { $0.isLetter }
      state.firstLine = state.firstLine.flatMap { $0.isEmpty ? nil : $0 } ?? (hasMessage ? line : "")
    }
  }

  /// Ignores the next gap in frame numbers, because it is at the start of the stream, where no frame is missing.
  func ignoreStartGap() { state.withLock { $0.startGap = .expected } }

  /// Returns the first line since the last call; `nil` if there is none.
  func take() -> String? {
    state.withLock { state in
      defer { state.firstLine = nil }
      return state.firstLine
    }
  }
}
