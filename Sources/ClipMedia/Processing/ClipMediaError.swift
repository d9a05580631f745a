public import ClipModel
import LibAV

/// An error that prevents a clip from being probed or processed.
public enum ClipMediaError: ExplainedError, Equatable {
  /// The file isn't a media file, such as a text file, an image or an empty file.
  case notMedia(name: String, why: String)
  /// The rules reject the clip: at least one finding is an error.
  case refused(name: String, [Finding])
  /// The file contains only audio, with or without a cover picture.
  case noVideo(name: String)
  /// The index of an MP4 or MOV file is missing, because it was never written or the file is truncated.
  case cutOff(name: String)
  /// A frame or packet at the presentation time `seconds` cannot be decoded.
  case damaged(name: String, seconds: Double, why: String)
  /// No frame in the requested part of the clip can be decoded.
  case noFrames(name: String)
  /// The output differs from the plan and was discarded.
  case verification(name: String, why: String)
  /// The output contains location data and was discarded.
  case leftover(name: String, place: String)
  /// The smallest possible output exceeds the size limit that the user set.
  case tooBig(name: String, byteCount: Int64, limit: Int64)
  /// The smallest possible animation or picture exceeds the size limit.
  case pictureTooBig(name: String, byteCount: Int64, limit: Int64)
  /// The file has changed since it was probed.
  case changed(name: String)

  /// Whether retrying with the same file would fail in the same way.
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
    func explainSizeLimit(
      _ id: String, _ name: String, _ byteCount: Int64, _ limit: Int64, to verb: String
    ) -> Explanation {
      explain(
        id, name, "the smallest possible output is \(ByteCount.text(byteCount)); the limit is \(ByteCount.text(limit))",
        .rejected, ["bytes": "\(byteCount)", "limit": "\(limit)"], to: verb)
    }
    return switch self {
    case .notMedia(let name, let why): explain("clip.not-media", name, why, .unjudged, to: "read")
    case .refused(let name, let findings):
      explain("clip.refused", name, "the rules reject it: \(findings.errorText)")
    case .noVideo(let name): explain("clip.no-video", name, "the file has no video track", to: "read")
    case .cutOff(let name):
      explain("clip.cut-off", name, "the file is truncated: its index (moov) is missing", to: "read")
    case .damaged(let name, let seconds, let why):
      explain(
        "clip.damaged", name, "the file is damaged at \(decimal(seconds)) s: \(why)", .rejected,
        ["seconds": decimal(seconds)])
    case .noFrames(let name): explain("clip.no-frames", name, "none of its frames could be decoded")
    case .verification(let name, let why):
      explain("clip.verification-failed", name, "the output differs from the plan: \(why)", .unexpected)
    case .leftover(let name, let place):
      explain("clip.location-left", name, "the output contains location data in \(place)", .rejected, ["place": place])
    case .tooBig(let name, let byteCount, let limit):
      explainSizeLimit("clip.too-big", name, byteCount, limit, to: "process")
    case .pictureTooBig(let name, let byteCount, let limit):
      explainSizeLimit("clip.animation-too-big", name, byteCount, limit, to: "create the animation of")
    case .changed(let name): explain("clip.changed", name, "the file has changed since it was probed", .noInput)
    }
  }
}

extension ExplainedError {
  /// Whether another run with the same file and settings would fail in the same way.
  package var isPermanent: Bool {
    [.rejected, .unjudged].contains(explanation.category) && (self as? FFmpegError)?.isOutOfMemory != true
  }
}

extension Error {
  /// Whether an encode that ended with this error can't continue later, because the clip was rejected or the output failed a
  /// check.
  package var preventsContinuation: Bool {
    if case .verification? = self as? ClipMediaError { return true }
    return (self as? any ExplainedError)?.isPermanent ?? false
  }
}

extension [Finding] {
  fileprivate var errorText: String { filter { $0.severity == .error }.map(\.message).joined(separator: "; ") }
}
