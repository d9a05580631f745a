import Synchronization

/// Collects errors that a decoder logs but conceals, which means that it returns damaged frames without flagging them.
///
/// The log is the only complete record of decoding errors: libav's HEVC decoder never flags frames, and other decoders
/// lose the flags if they use frame threads (up to FFmpeg 6.1). Log lines arrive on worker threads.
final class DecoderErrors: Sendable {
  private struct State {
    /// The first message, which is empty if only a fragment was logged.
    var firstLine: String?
    var startGap = StartGap.counts
  }

  /// Whether missing frame numbers before the first frame count as an error.
  private enum StartGap {
    case counts
    /// The gap will be ignored, but hasn't been logged yet.
    case expected
    /// The gap is being ignored. libav logs a line for each missing number, and all of these lines start with `prefix`.
    case ignored(prefix: String)
  }

  private static let gap = "Frame num gap "

  private let state = Mutex(State())
  private let toleratesGaps: Bool

  /// - Parameter toleratesGaps: whether the stream may omit H.264 reference frames on purpose, as layered streams do.
  init(toleratesGaps: Bool) { self.toleratesGaps = toleratesGaps }

  /// Records a log line. Can be called on any thread. Lines may arrive in fragments, and a fragment without letters
  /// contains no message.
  func record(_ line: String) {
    // libavcodec's message starts with this prefix. log.c checks for the same text.
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

  /// Ignores the next gap in frame numbers. At the start of a stream, a gap doesn't mean that frames are missing.
  func ignoreStartGap() { state.withLock { $0.startGap = .expected } }

  /// Returns the first line recorded since the last call, or `nil` if no line was recorded.
  func takeFirstLine() -> String? {
    state.withLock { state in
      defer { state.firstLine = nil }
      return state.firstLine
    }
  }
}
