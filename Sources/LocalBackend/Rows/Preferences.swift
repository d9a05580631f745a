import HTTPTypes

/// The `Prefer` headers of a request (RFC 7240), as PostgREST has them.
struct Preferences: Sendable {
  enum Return: String {
    case minimal
    case representation
    case headersOnly = "headers-only"
  }

  var answer: Return?
  var conflict: RowWriter.Conflict?
  var countsExactly = false
  /// Columns that a row of a list does not have get their default instead of null.
  var usesDefaults = false
  var maximumAffected: Int?
  /// One object instead of a list: any other number of rows is an error, and nothing is written.
  var wantsSingle = false
  /// Written rows are read again; `headers-only` needs their key.
  var returnsRows: Bool { answer == .representation || answer == .headersOnly }
  /// What was followed, for `Preference-Applied`.
  private(set) var applied: [String] = []

  init() {}

  init(_ headers: HTTPFields) throws(PostgRESTFailure) {
    let texts = headers.filter { $0.name.canonicalName == "prefer" }.map(\.value)
    let words = texts.flatMap { $0.split(separator: ",") }.map { $0.filter { !$0.isWhitespace } }
    var unknown: [String] = []
    var isStrict = false
    for word in words {
      applied.append(word)
      switch word {
      case "return=minimal": answer = .minimal
      case "return=representation": answer = .representation
      case "return=headers-only": answer = .headersOnly
      case "resolution=merge-duplicates": conflict = .merge
      case "resolution=ignore-duplicates": conflict = .ignore
      case "count=exact": countsExactly = true
      // Estimates are for tables that are too large to count.
      case "count=planned", "count=estimated": countsExactly = true
      case "missing=default": usesDefaults = true
      case "missing=null": usesDefaults = false
      case "handling=strict": isStrict = true
      case "handling=lenient": break
      case _ where word.hasPrefix("max-affected="):
        maximumAffected = decimal(word.dropFirst("max-affected=".count)).map { Int(clamping: $0) }
      default:
        applied.removeLast()
        unknown.append(word)
      }
    }
    guard isStrict else {
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
