public import ClipModel

/// An error that prevents a stripped copy from being published.
public enum StripError: ExplainedError, Equatable {
  /// Private metadata cannot be removed.
  case cannotRemove(name: String, place: String, why: String)
  /// A part of the file could not be checked.
  case unjudged(name: String, why: String)
  /// The file is incomplete or empty.
  case incomplete(name: String, why: String)
  /// The copy still contains private metadata.
  case leftover(name: String, place: String)
  /// The copy differs from the source.
  case notIdentical(name: String, why: String)
  /// The container is unknown.
  case unknownContainer(name: String)

  public var explanation: Explanation {
    func explain(
      _ id: String, _ name: String, _ why: String, _ category: FailureCategory, place: String? = nil
    ) -> Explanation {
      var facts = ["file": name]
      facts["place"] = place
      return Explanation(id: "strip.\(id)", what: "cannot strip \(name)", why: why, facts: facts, category: category)
    }
    return switch self {
    case .cannotRemove(let name, let place, let why):
      explain("cannot-remove", name, "\(place): \(why)", .rejected, place: place)
    case .unjudged(let name, let why): explain("unjudged", name, why, .unjudged)
    case .incomplete(let name, let why): explain("incomplete", name, why, .unjudged)
    case .leftover(let name, let place):
      explain("location-left", name, "the copy contains location data in \(place)", .rejected, place: place)
    case .notIdentical(let name, let why): explain("verification-failed", name, why, .unexpected)
    case .unknownContainer(let name):
      explain("unknown-container", name, "it is not an MP4, MOV, M4V, MKV, WebM, MPEG-TS or AVI file", .unjudged)
    }
  }
}
