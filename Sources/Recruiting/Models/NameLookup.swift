/// Finds the item that a person names.
public enum NameLookup {
  /// The only item with an ID, a name, some words of a name such as a last name, or an ID that starts with at least four
  /// characters of the text. Case and repeated spaces don't matter.
  /// - Parameters:
  ///   - kind: what the items are, for errors: `coach`.
  ///   - names: the names of an item.
  public static func find<Item: Identifiable<String>>(
    _ text: String, _ kind: String, in items: [Item], names: (Item) -> [String?]
  ) throws(RecruitingError) -> Item {
    let key = text.nameKey
    let facts = ["kind": kind, "name": text]
    if let item = items.first(where: { $0.id.lowercased() == key }) { return item }
    var found = items.filter { item in names(item).contains { $0?.nameKey == key } }
    if found.isEmpty {
      let words = Set(key.split(separator: " "))
      found = items.filter { item in
        !words.isEmpty && names(item).contains { words.isSubset(of: Set(($0?.nameKey ?? "").split(separator: " "))) }
      }
    }
    if found.isEmpty, key.count >= 4 { found = items.filter { $0.id.lowercased().hasPrefix(key) } }
    guard let item = found.first else { throw RecruitingError(.unknownName, facts) }
    guard found.count == 1 else { throw RecruitingError(.ambiguousName, facts) }
    return item
  }
}
