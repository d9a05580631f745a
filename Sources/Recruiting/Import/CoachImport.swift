/// A coach in a CSV file.
public struct ImportedCoach: Equatable, Sendable {
  /// At most 100 characters.
  public let firstName: String
  /// At most 100 characters.
  public let lastName: String
  /// The ID of an existing school.
  public let schoolId: String?
  /// The name of a school that the import would add.
  public let newSchool: String?
  /// At most 60 characters.
  public let role: String?
  /// The account on X.
  public let twitterHandle: SocialHandle?
  /// The account on Instagram.
  public let instagramHandle: SocialHandle?
  /// The school's name, for comparing.
  let schoolKey: String

  var key: String { Self.key(firstName, lastName, schoolKey) }

  static func key(_ first: String, _ last: String, _ school: String) -> String {
    "\(first) \(last)".nameKey + "\n" + school
  }
}

extension ImportTable {
  /// Coaches: the columns `first_name` and `last_name`, or `name`, and optionally `school`, `role`, `twitter_handle` and
  /// `instagram_handle`. A coach exists if there is one with the same name at the same school, ignoring case.
  public func previewCoaches(existing: [Coach], schools: [School]) throws(RecruitingError) -> ImportPreview<
    ImportedCoach
  > {
    try require([["first_name", "last_name"], ["name"]])
    let names = Dictionary(schools.map { ($0.id, $0.name.nameKey) }) { $1 }
    let ids = Dictionary(schools.map { ($0.name.nameKey, $0.id) }) { first, _ in first }
    let known = existing.map {
      ImportedCoach.key($0.firstName, $0.lastName, $0.schoolId.flatMap { names[$0] } ?? "")
    }
    return preview(known: Set(known), by: \.key) { fields throws(ImportProblem.Reason) in
      let (first, last) = try coachName(fields)
      let school = try fields.text("school", limit: 200)
      let id = school.flatMap { ids[$0.nameKey] }
      return ImportedCoach(
        firstName: first, lastName: last, schoolId: id, newSchool: id == nil ? school : nil,
        role: try fields.text("role", limit: 60), twitterHandle: try fields.handle("twitter_handle", on: .twitter),
        instagramHandle: try fields.handle("instagram_handle", on: .instagram), schoolKey: school?.nameKey ?? "")
    }
  }

  /// `name` is split at its last space.
  private func coachName(_ fields: ImportFields) throws(ImportProblem.Reason) -> (first: String, last: String) {
    if columns.contains("first_name") {
      return (try fields.required("first_name", limit: 100), try fields.required("last_name", limit: 100))
    }
    let name = try fields.required("name", limit: 200)
    guard let space = name.lastIndex(where: \.isWhitespace) else { throw .invalid(column: "name", value: name) }
    return (String(name[..<space]).trimmed, String(name[name.index(after: space)...]))
  }
}
