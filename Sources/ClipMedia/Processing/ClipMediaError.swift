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
    switch self {
    case .notMedia(let name, let why):
      Explanation(
        what: "cannot read \(name)", why: why, next: "choose a video file, for instance .mp4 or .mov",
        category: .unjudged)
    case .refused(let name, let findings):
      Explanation(
        what: "cannot process \(name)",
        why: "the rules refuse it: \(findings.errorText)",
        next: "choose another clip, or pass other rules", category: .rejected)
    case .noVideo(let name):
      Explanation(
        what: "cannot take pictures out of \(name)", why: "the file has no video track",
        next: "choose the file that the camera wrote", category: .rejected)
    case .cutOff(let name):
      Explanation(
        what: "cannot read \(name)", why: "the file is cut off: its index (moov) is missing",
        next: "copy it again from the camera", category: .rejected)
    case .damaged(let name, let seconds, let why):
      Explanation(
        what: "cannot process \(name)",
        why: "the file is damaged at \(decimal(seconds)) s: \(why)",
        next: "copy it again from the camera, or take the good part with --salvage",
        category: .rejected)
    case .noFrames(let name):
      Explanation(
        what: "cannot process \(name)", why: "no picture could be decoded from it",
        next: "copy it again from the camera", category: .rejected)
    case .verification(let name, let why):
      Explanation(
        what: "the processed copy of \(name) is not as planned", why: why,
        next: "report this with the output of \"bsc probe\": it is a defect of bsc", category: .unexpected)
    case .leftover(let name, let place):
      Explanation(
        what: "cannot share \(name)", why: "something that tells a place is left in \(place)",
        next: "report this with the output of \"bsc audit\": it is a defect of bsc",
        category: .rejected)
    case .tooBig(let name, let byteCount, let limit):
      Explanation(
        what: "cannot make \(name) so small",
        why: "\(ByteCount.text(byteCount)) is as little as it gets, and \(ByteCount.text(limit)) are allowed",
        next: "allow more with --max-size, take a part with --from and --to, or leave the sound out with --mute",
        category: .rejected)
    case .pictureTooBig(let name, let byteCount, let limit):
      Explanation(
        what: "cannot make a moving picture of \(name) so small",
        why: "\(ByteCount.text(byteCount)) is as little as it gets, and \(ByteCount.text(limit)) are allowed",
        next: "allow more with --animated-size, or make it shorter with --length", category: .rejected)
    case .changed(let name):
      Explanation(
        what: "cannot process \(name)", why: "the file changed since it was probed", next: "run the same command again",
        category: .noInput)
    }
  }
}

extension [Finding] {
  fileprivate var errorText: String { filter { $0.severity == .error }.map(\.message).joined(separator: "; ") }
}
