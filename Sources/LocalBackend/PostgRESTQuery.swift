import Foundation

/// The part of PostgREST's query language that this backend answers; anything else is refused, never misread.
struct PostgRESTQuery: Equatable, Sendable {
  /// `id=eq.<uuid>`, lower case.
  var id: String?
  /// At most `maximumLimit`, as Supabase caps its answers.
  var limit = PostgRESTQuery.maximumLimit
  var offset = 0

  static let maximumLimit = 1000

  /// - Parameter parameters: names and values, percent-decoded, in order.
  init(_ parameters: [(name: String, value: String)]) throws(PostgRESTFailure) {
    var seen = Set<String>()
    for (name, value) in parameters {
      guard seen.insert(name).inserted else { throw PostgRESTFailure(message: "\(name) is given twice") }
      switch name {
      case "select":
        guard value == "*" else { throw PostgRESTFailure(message: "the local backend knows select=* only") }
      case "order":
        guard value == "created_at.desc" else {
          throw PostgRESTFailure(message: "the local backend knows order=created_at.desc only")
        }
      case "id":
        guard value.hasPrefix("eq.") else {
          throw PostgRESTFailure(message: "the local backend knows id=eq.<uuid> only")
        }
        guard let uuid = UUID(uuidString: String(value.dropFirst(3))) else {
          throw PostgRESTFailure(code: "22P02", message: "invalid input syntax for type uuid")
        }
        id = uuid.uuidString.lowercased()
      case "limit":
        limit = min(try Self.number(value, name), Self.maximumLimit)
      case "offset":
        offset = try Self.number(value, name)
      default:
        throw PostgRESTFailure(message: "the local backend does not know the parameter \(name)")
      }
    }
  }

  private static func number(_ text: String, _ name: String) throws(PostgRESTFailure) -> Int {
    guard let number = decimal(text[...]) else { throw PostgRESTFailure(message: "\(name) is not a number") }
    return Int(clamping: number)
  }
}
