/// An active filter, shown as a label that can be removed.
public struct FilterChip<Kind: Hashable & Sendable>: Equatable, Sendable {
  /// The filter that the chip removes.
  public let kind: Kind
  /// The text of the chip: `Search: camp`.
  public let label: String

  /// Creates a chip for a filter.
  public init(_ kind: Kind, _ label: String) {
    self.kind = kind
    self.label = label
  }
}

/// The query of an address, as names and values.
public typealias QueryItems = [(name: String, value: String)]

/// Reads the values of filters from the query of an address. Empty values and unknown names mean no filter.
struct FilterQuery {
  private let values: [String: String]

  init(_ items: QueryItems) {
    values = Dictionary(items.map { ($0.name, $0.value) }) { $1 }.filter { !$0.value.isEmpty }
  }

  /// The filters that are set, in their order.
  static func items(_ values: [(name: String, value: String?)]) -> QueryItems {
    values.compactMap { name, value in value.flatMap { $0.isEmpty ? nil : (name, $0) } }
  }

  func text(_ name: String) -> String? { values[name] }

  func value<Value: RawRepresentable<String>>(_ name: String, as type: Value.Type) throws(RecruitingError) -> Value? {
    guard let text = values[name] else { return nil }
    guard let value = Value(rawValue: text) else { throw RecruitingError(.filter, ["name": name, "value": text]) }
    return value
  }

  func number<Value: RawRepresentable<Int>>(_ name: String, as type: Value.Type) throws(RecruitingError) -> Value? {
    guard let text = values[name] else { return nil }
    guard let value = Int(text).flatMap(Value.init(rawValue:)) else {
      throw RecruitingError(.filter, ["name": name, "value": text])
    }
    return value
  }
}

/// A text search, prepared once for many rows.
struct TextSearch {
  /// The text of the chip.
  let label: String
  private let query: String

  /// `nil` if the text is empty or only spaces.
  init?(_ text: String) {
    let text = text.trimmed
    if text.isEmpty { return nil }
    label = "Search: \(text)"
    query = text.lowercased()
  }

  func matches(_ texts: String?...) -> Bool {
    texts.contains { $0?.lowercased().contains(query) == true }
  }
}
