import ClipModel
import ShareEngine

extension ProgressDetail {
  /// For people, in fewer and fewer words.
  /// - Parameters:
  ///   - speed: of the whole, in a second.
  ///   - held: seconds until a pause is over.
  ///   - times: the sign behind a speed.
  func texts(speed: Double?, held: Double?, times: String) -> [String] {
    switch self {
    case .bytes(_, let total):
      guard let speed else { return [text] }
      return ["\(text), \(ByteCount.text(Int64(speed * Double(total))))/s", text]
    case .clip(_, let total):
      guard let speed else { return [text] }
      let factor = speed * total
      return [
        "\(text), \(factor < 9.95 ? "\((factor * 10).rounded() / 10)" : "\(Int(factor.rounded()))")\(times)", text,
      ]
    case .pause(let reason, let duration):
      let seconds = Int((held ?? duration.seconds).rounded(.up))
      return [
        "\(reason); trying again in \(seconds) s", "\(reason); again in \(seconds) s", "again in \(seconds) s", reason,
      ]
    case .text: return [text]
    }
  }
}
