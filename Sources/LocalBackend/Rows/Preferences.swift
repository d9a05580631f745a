import HTTPTypes

/// The preferences in a request's `Prefer` headers (RFC 7240), as PostgREST interprets them.
struct Preferences: Sendable {
  enum ReturnPreference: String {
    case minimal
    case representation
    case headersOnly = "headers-only"
  }

  var answer: ReturnPreference?
  var conflict: RowWriter.ConflictResolution?
  var countsExactly = false
  /// Whether a column that is missing from one of several rows gets its default value instead of null.
  var usesDefaults = false
  var maximumAffected: Int?
  /// Whether the response is a single object instead of a list. If the number of rows is not 1, the request fails and
  /// nothing is written.
  var wantsSingleRow = false
  /// Whether the server reads rows back after writing them. `headers-only` needs their keys.
  var returnsRows: Bool { answer == .representation || answer == .headersOnly }
  /// The preferences that were applied, as listed in the `Preference-Applied` header.
  private(set) var applied: [String] = []

  init() {}

  init(_ headers: HTTPFields) throws(PostgRESTFailure) {
    let texts = headers.filter { $0.name.canonicalName == "prefer" }.map(\.value)
    let words = texts.flatMap { $0.split(separator: ",") }.map { $0.filter { !$0.isWhitespace } }
    var unknown: [String] = []
    for word in words {
      applied.append(word)
      switch word {
      case "return=minimal", "return=representation", "return=headers-only":
        answer = ReturnPreference(rawValue: String(word.dropFirst("return=".count)))
      case "resolution=merge-duplicates": conflict = .merge
      case "resolution=ignore-duplicates": conflict = .ignore
      // PostgREST returns estimates only for tables that are too large to count.
      case "count=exact", "count=planned", "count=estimated": countsExactly = true
      case "missing=default", "missing=null": usesDefaults = word == "missing=default"
      case "handling=strict", "handling=lenient": break
      case _ where word.hasPrefix("max-affected="):
        maximumAffected = parseDecimal(word.dropFirst("max-affected=".count)).map { Int(clamping: $0) }
      default:
        applied.removeLast()
        unknown.append(word)
      }
    }
    guard words.contains("handling=strict") else {
      maximumAffected = nil
      return
    }
    if let first = unknown.first {
      throw PostgRESTFailure(
        .badRequest, "PGRST122", "Invalid preferences given with handling=strict",
        details: "Invalid preferences: \(first.prefix(80))")
    }
  }
}
