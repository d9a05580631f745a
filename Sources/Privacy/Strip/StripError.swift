public import ClipModel

/// An error that prevents bsc from publishing a stripped copy.
public enum StripError: ExplainedError, Equatable {
  /// Private metadata couldn't be removed.
  case cannotRemove(name: String, place: String, why: String)
  /// A part of the file couldn't be checked.
  case unjudged(name: String, why: String)
  /// The file is incomplete or empty.
  case incomplete(name: String, why: String)
  /// The copy still contains private metadata.
  case leftover(name: String, place: String)
  /// The copy differs from the source.
  case notIdentical(name: String, why: String)
  /// The container format is unknown.
  case unknownContainer(name: String)

  public var explanation: Explanation {
    switch self {
    case .cannotRemove(let name, let place, let why):
      Explanation(strip: "cannot-remove", name, "\(place): \(why)", .rejected, place: place)
    case .unjudged(let name, let why): Explanation(strip: "unjudged", name, why, .unjudged)
    case .incomplete(let name, let why): Explanation(strip: "incomplete", name, why, .unjudged)
    case .leftover(let name, let place):
      Explanation(strip: "location-left", name, "the copy contains location data in \(place)", .rejected, place: place)
    case .notIdentical(let name, let why): Explanation(strip: "verification-failed", name, why, .unexpected)
    case .unknownContainer(let name):
      Explanation(
        strip: "unknown-container", name, "it is not an MP4, MOV, M4V, MKV, WebM, MPEG-TS or AVI file", .unjudged)
    }
  }
}

extension Explanation {
  /// Creates an error whose ID starts with `strip`.
  init(
    strip id: String, _ name: String, _ why: String, _ category: FailureCategory = .unjudged, track: Int? = nil,
    place: String? = nil
  ) {
    var facts = ["file": name]
    facts["track"] = track.map { "\($0 + 1)" }
    facts["place"] = place
    self.init(id: "strip.\(id)", what: "cannot strip \(name)", why: why, facts: facts, category: category)
  }
}
