/// A school in a CSV file.
public struct ImportedSchool: Equatable, Sendable {
  /// At most 200 characters.
  public let name: String
  /// The account on X.
  public let twitterHandle: SocialHandle?
  /// The account on Instagram.
  public let instagramHandle: SocialHandle?

  var key: String { name.nameKey }
}

extension ImportTable {
  /// Schools: the column `name` or `school`, and optionally `twitter_handle` and `instagram_handle`. A school exists if its
  /// name does, ignoring case.
  public func previewSchools(existing: [School]) throws(RecruitingError) -> ImportPreview<ImportedSchool> {
    try require([["name"], ["school"]])
    let column = columns.contains("name") ? "name" : "school"
    return preview(known: Set(existing.map { $0.name.nameKey }), by: \.key) {
      fields throws(ImportProblem.Reason) in
      ImportedSchool(
        name: try fields.required(column, limit: 200), twitterHandle: try fields.handle("twitter_handle", on: .twitter),
        instagramHandle: try fields.handle("instagram_handle", on: .instagram))
    }
  }
}

extension String {
  /// For comparing names: lowercase, with single spaces.
  package var nameKey: String { lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}

/// Items by the names with which a file refers to them.
struct NameIndex<Item> {
  private let items: [String: [Item]]

  init(_ items: [Item], name: (Item) -> String) { self.items = Dictionary(grouping: items) { name($0).nameKey } }

  /// The only item with a name.
  func item(named name: String, column: String) throws(ImportProblem.Reason) -> Item {
    let found = items[name.nameKey] ?? []
    guard let item = found.first else { throw .unknown(column: column, value: name) }
    guard found.count == 1 else { throw .ambiguous(column: column, value: name) }
    return item
  }
}
