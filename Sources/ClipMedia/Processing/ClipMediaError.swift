public import ClipModel

/// Why a clip could not be probed or processed.
public enum ClipMediaError: ExplainedError, Equatable {
  /// Not a media file at all: text, an image, nothing.
  case notMedia(name: String, why: String)
  /// The rules refuse the clip: at least one finding is an error.
  case refused(name: String, [Finding])
  /// Sound alone, or sound with a cover picture.
  case noVideo(name: String)
  /// An MP4 or MOV whose index never was written, or is behind the place where the file ends.
  case cutOff(name: String)
  /// A frame or packet that cannot be decoded, at this many seconds of the presentation.
  case damaged(name: String, seconds: Double, why: String)
  /// The container has no packets for the part that is wanted.
  case noFrames(name: String)
  /// The output is not what the plan promised; nothing was published.
  case verification(name: String, why: String)
  /// Something in the output tells a place; nothing was published.
  case leftover(name: String, place: String)
  /// The user's limit cannot be kept.
  case tooBig(name: String, byteCount: Int64, limit: Int64)
  /// A moving picture that no way of storing it makes small enough.
  case pictureTooBig(name: String, byteCount: Int64, limit: Int64)
  /// A track that the plan names is not in the file: it changed since it was probed.
  case changed(name: String)

  /// The file will be judged the same way every time.
  public var isFinal: Bool {
    switch self {
    case .notMedia, .refused, .noVideo, .cutOff, .damaged, .noFrames, .leftover, .tooBig, .pictureTooBig: true
    case .verification, .changed: false
    }
  }

  public var explanation: Explanation {
    func explain(
      _ id: String, _ name: String, _ why: String, _ category: FailureCategory = .rejected,
      _ facts: [String: String] = [:], to verb: String = "process"
    ) -> Explanation {
      Explanation(
        id: id, what: "cannot \(verb) \(name)", why: why, facts: facts.merging(["file": name]) { $1 },
        category: category)
    }
    return switch self {
    case .notMedia(let name, let why): explain("clip.not-media", name, why, .unjudged, to: "read")
    case .refused(let name, let findings):
      explain("clip.refused", name, "the rules refuse it: \(findings.errorText)")
    case .noVideo(let name): explain("clip.no-video", name, "the file has no video track", to: "read")
    case .cutOff(let name):
      explain("clip.cut-off", name, "the file is cut off: its index (moov) is missing", to: "read")
    case .damaged(let name, let seconds, let why):
      explain(
        "clip.damaged", name, "the file is damaged at \(decimal(seconds)) s: \(why)", .rejected,
        ["seconds": decimal(seconds)])
    case .noFrames(let name): explain("clip.no-frames", name, "no frame could be decoded")
    case .verification(let name, let why):
      explain("clip.verification-failed", name, "the result differs from the plan: \(why)", .unexpected)
    case .leftover(let name, let place):
      explain("clip.location-left", name, "the result contains location data in \(place)", .rejected, ["place": place])
    case .tooBig(let name, let byteCount, let limit):
      explain(
        "clip.too-big", name,
        "the smallest possible result is \(ByteCount.text(byteCount)), the limit is \(ByteCount.text(limit))",
        .rejected,
        ["bytes": "\(byteCount)", "limit": "\(limit)"])
    case .pictureTooBig(let name, let byteCount, let limit):
      explain(
        "clip.animation-too-big", name,
        "the smallest possible result is \(ByteCount.text(byteCount)), the limit is \(ByteCount.text(limit))",
        .rejected,
        ["bytes": "\(byteCount)", "limit": "\(limit)"], to: "create the animated picture of")
    case .changed(let name): explain("clip.changed", name, "the file changed since it was probed", .noInput)
    }
  }
}

extension [Finding] {
  fileprivate var errorText: String { filter { $0.severity == .error }.map(\.message).joined(separator: "; ") }
}
