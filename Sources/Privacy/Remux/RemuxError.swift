public import ClipModel

/// Why a file that is no MP4 could not be copied without its location.
public enum RemuxError: ExplainedError, Equatable {
  /// Not one of the containers that are written: Matroska, WebM, MPEG-TS, AVI.
  case unsupported(name: String)
  /// An MPEG program stream (`.mpg`, `.vob`), which is read and not written.
  case programStream(name: String)
  /// Its own sizes say that there was more.
  case cutOff(name: String)
  /// A track for which the same kind of container has no place, as libav writes it.
  case noPlace(name: String, track: Int, codec: String)
  /// A track begins in the middle of the file.
  case lateTrack(name: String, track: Int)
  /// The copy's packets would be longer or shorter than the source's.
  case otherTimes(name: String, track: Int, codec: String)
  /// A packet has no times, which the container that is written needs.
  case noTime(name: String, track: Int, codec: String)
  /// A message could not be cut out of a picture.
  case cannotCut(name: String, track: Int, kind: String)

  public var explanation: Explanation {
    let instead = "run \"bsc compress\" or \"bsc share\" instead: a new film is made from picture and sound"
    return switch self {
    case .unsupported(let name):
      Explanation(
        what: "cannot strip \(name)", why: "it is no MP4, MOV, Matroska, WebM, MPEG-TS or AVI file",
        next: instead, category: .unjudged)
    case .programStream(let name):
      Explanation(
        what: "cannot strip \(name)", why: "MPEG program streams (.mpg, .vob) are not written",
        next: instead, category: .unjudged)
    case .cutOff(let name):
      Explanation(
        what: "cannot strip \(name)", why: "the file is cut off", next: "copy it again from the camera",
        category: .rejected)
    case .noPlace(let name, let track, let codec):
      Explanation(
        what: "cannot strip \(name)", why: "track \(track + 1) (\(codec)) cannot be written to the same kind of file",
        next: instead, category: .unjudged)
    case .lateTrack(let name, let track):
      Explanation(
        what: "cannot strip \(name)", why: "track \(track + 1) begins in the middle of the file",
        next: instead, category: .unjudged)
    case .otherTimes(let name, let track, let codec):
      Explanation(
        what: "cannot strip \(name)", why: "the times of track \(track + 1) (\(codec)) cannot be kept",
        next: instead, category: .unjudged)
    case .noTime(let name, let track, let codec):
      Explanation(
        what: "cannot strip \(name)",
        why: "a packet of track \(track + 1) (\(codec)) has no time, and a copy would have to make one up",
        next: instead, category: .unjudged)
    case .cannotCut(let name, let track, let kind):
      Explanation(
        what: "cannot strip \(name)", why: "\(kind) cannot be cut out of the pictures of track \(track + 1)",
        next: instead,
        category: .unexpected)
    }
  }
}
