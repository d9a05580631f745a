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
