public import ClipModel

/// Why nothing was published.
public enum StripError: ExplainedError, Equatable {
  /// Something private sits where it cannot be taken out.
  case cannotRemove(name: String, place: String, why: String)
  /// Not all of the file could be judged.
  case unjudged(name: String, why: String)
  /// Its end, or all of it, is missing.
  case incomplete(name: String, why: String)
  /// Something private is left in what was written.
  case leftover(name: String, place: String)
  /// The copy is not what it has to be.
  case notIdentical(name: String, why: String)
  /// Its kind is not known.
  case unknownContainer(name: String)

  public var explanation: Explanation {
    switch self {
    case .cannotRemove(let name, let place, let why):
      Explanation(
        what: "cannot strip \(name)", why: "\(place): \(why)",
        next: "run \"bsc compress\" or \"bsc share\" instead: a new film is made, without it", category: .rejected)
    case .unjudged(let name, let why):
      Explanation(
        what: "cannot strip \(name)", why: why,
        next: "run \"bsc compress\" or \"bsc share\" instead: a new film is made from picture and sound",
        category: .unjudged)
    case .incomplete(let name, let why):
      Explanation(
        what: "cannot strip \(name)", why: why, next: "copy it again from the camera", category: .unjudged)
    case .leftover(let name, let place):
      Explanation(
        what: "\(name) was not written", why: "something that tells a place is left in \(place)",
        next: "run \"bsc compress\" instead, and report this: it is a defect of bsc", category: .rejected)
    case .notIdentical(let name, let why):
      Explanation(
        what: "\(name) was not written", why: why, next: "report this: it is a defect of bsc", category: .unexpected)
    case .unknownContainer(let name):
      Explanation(
        what: "cannot strip \(name)", why: "it is none of MP4, MOV, M4V, MKV, WebM, MPEG-TS and AVI",
        next: "name a video file", category: .unjudged)
    }
  }
}
