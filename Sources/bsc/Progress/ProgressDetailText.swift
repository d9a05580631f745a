import ClipModel
import ShareEngine

extension ProgressDetail {
  /// Returns descriptions of decreasing length.
  /// - Parameters:
  ///   - speed: the completed fraction per second.
  ///   - pause: the time in seconds until the pause ends.
  ///   - multiplicationSign: the sign after a speed relative to playback.
  func makeDescriptions(speed: Double?, pause: Double?, multiplicationSign: String) -> [String] {
    switch self {
    case .bytes(_, let total):
      guard let speed else { return [text] }
      return ["\(text), \(ByteCount.text(Int64(speed * Double(total))))/s", text]
    case .clip(_, let total, let uploaded):
      // The progress of the upload is more important than the speed.
      guard let speed, uploaded == nil else { return [text] }
      let factor = speed * total
      let number = factor < 9.95 ? "\((factor * 10).rounded() / 10)" : "\(Int(factor.rounded()))"
      return ["\(text), \(number)\(multiplicationSign)", text]
    case .pause(let reason, let duration):
      let seconds = Int((pause ?? duration.seconds).rounded(.up))
      return [
        "\(reason); retrying in \(seconds) s", "\(reason); retry in \(seconds) s", "retry in \(seconds) s", reason,
      ]
    case .text: return [text]
    }
  }
}
