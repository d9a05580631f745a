public import Foundation
internal import RowRequests

/// The values of a school that a person enters. `nil` leaves a value as it is, and an empty text removes it.
public struct SchoolChange: Equatable, Sendable {
  /// At most 200 characters.
  public var name: String?
  /// A handle or the address of a profile.
  public var twitterHandle: String?
  /// A handle or the address of a profile.
  public var instagramHandle: String?

  /// Creates a change.
  public init(name: String? = nil, twitterHandle: String? = nil, instagramHandle: String? = nil) {
    (self.name, self.twitterHandle, self.instagramHandle) = (name, twitterHandle, instagramHandle)
  }

  /// Whether nothing changes.
  public var isEmpty: Bool { self == SchoolChange() }

  var row: [String: RowValue] {
    get throws {
      var row: [String: RowValue] = [:]
      if let name { row["name"] = try RecruitingAPI.required("name", name, limit: 200) }
      if let twitterHandle { row["twitter_handle"] = try RecruitingAPI.handle(twitterHandle, on: .twitter) }
      if let instagramHandle { row["instagram_handle"] = try RecruitingAPI.handle(instagramHandle, on: .instagram) }
      return row
    }
  }
}

/// The values of a coach that a person enters. `nil` leaves a value as it is, and an empty text removes it.
public struct CoachChange: Equatable, Sendable {
  /// At most 100 characters.
  public var firstName: String?
  /// At most 100 characters.
  public var lastName: String?
  /// The ID of a school of the family. An empty text removes the school.
  public var schoolId: String?
  /// Any text, such as `head_coach`.
  public var role: String?
  /// A handle or the address of a profile.
  public var twitterHandle: String?
  /// A handle or the address of a profile.
  public var instagramHandle: String?

  /// Creates a change.
  public init(
    firstName: String? = nil, lastName: String? = nil, schoolId: String? = nil, role: String? = nil,
    twitterHandle: String? = nil, instagramHandle: String? = nil
  ) {
    (self.firstName, self.lastName, self.schoolId, self.role) = (firstName, lastName, schoolId, role)
    (self.twitterHandle, self.instagramHandle) = (twitterHandle, instagramHandle)
  }

  /// Whether nothing changes.
  public var isEmpty: Bool { self == CoachChange() }

  var row: [String: RowValue] {
    get throws {
      var row: [String: RowValue] = [:]
      if let firstName { row["first_name"] = try RecruitingAPI.required("first name", firstName, limit: 100) }
      if let lastName { row["last_name"] = try RecruitingAPI.required("last name", lastName, limit: 100) }
      if let schoolId { row["school_id"] = .text(schoolId.isEmpty ? nil : schoolId) }
      if let role { row["role"] = try RecruitingAPI.optional("role", role, limit: 60) }
      if let twitterHandle { row["twitter_handle"] = try RecruitingAPI.handle(twitterHandle, on: .twitter) }
      if let instagramHandle { row["instagram_handle"] = try RecruitingAPI.handle(instagramHandle, on: .instagram) }
      return row
    }
  }
}

/// Schools and coaches.
extension RecruitingAPI {
  /// All schools of a family, also archived ones, by name.
  public func schools(of family: String) async throws -> [School] {
    let schools: [School] = try await allRows("list the schools", "schools", [("family_unit_id", "eq.\(family)")])
    return schools.sorted { ($0.name.lowercased(), $0.id) < ($1.name.lowercased(), $1.id) }
  }

  /// Adds a school. The change must contain a name.
  /// - Parameter id: chosen by the caller, so that a repeated request adds no second school.
  public func addSchool(_ values: SchoolChange, id: String, to family: String) async throws -> School {
    var row = try SchoolChange(name: values.name ?? "").row
    row.merge(try values.row) { $1 }
    (row["id"], row["family_unit_id"]) = (.text(id), .text(family))
    return try await insert("add the school", into: "schools", row, id: id)
  }

  /// Changes a school.
  public func changeSchool(_ id: String, _ change: SchoolChange) async throws -> School {
    try await self.change("edit the school", in: "schools", id: id, try change.row)
  }

  /// Archives a school, or restores it without a time.
  public func archiveSchool(_ id: String, at time: Date?) async throws -> School {
    try await change("archive the school", in: "schools", id: id, ["archived_at": .time(time)])
  }

  /// Adds the schools of a file, and returns their IDs.
  public func importSchools(_ schools: [ImportedSchool], to family: String) async throws -> [String] {
    let ids = schools.map { _ in Self.newID() }
    let rows = zip(ids, schools).map { id, school -> [String: RowValue] in
      [
        "id": .text(id), "family_unit_id": .text(family), "name": .text(school.name),
        "twitter_handle": .text(school.twitterHandle?.name), "instagram_handle": .text(school.instagramHandle?.name),
      ]
    }
    try await insertMany("import the schools", into: "schools", rows)
    return ids
  }

  /// All coaches of a family, also archived ones, by last name.
  public func coaches(of family: String) async throws -> [Coach] {
    let coaches: [Coach] = try await allRows("list the coaches", "coaches", [("family_unit_id", "eq.\(family)")])
    return coaches.sorted {
      ($0.lastName.lowercased(), $0.firstName.lowercased(), $0.id)
        < ($1.lastName.lowercased(), $1.firstName.lowercased(), $1.id)
    }
  }

  /// Adds a coach. The change must contain both names.
  /// - Parameter id: chosen by the caller, so that a repeated request adds no second coach.
  public func addCoach(_ values: CoachChange, id: String, to family: String) async throws -> Coach {
    var row = try CoachChange(firstName: values.firstName ?? "", lastName: values.lastName ?? "").row
    row.merge(try values.row) { $1 }
    (row["id"], row["family_unit_id"]) = (.text(id), .text(family))
    return try await insert("add the coach", into: "coaches", row, id: id)
  }

  /// Changes a coach.
  public func changeCoach(_ id: String, _ change: CoachChange) async throws -> Coach {
    try await self.change("edit the coach", in: "coaches", id: id, try change.row)
  }

  /// Archives a coach, or restores the coach without a time.
  public func archiveCoach(_ id: String, at time: Date?) async throws -> Coach {
    try await change("archive the coach", in: "coaches", id: id, ["archived_at": .time(time)])
  }

  /// Adds the coaches of a file, after the schools that it names and that don't exist.
  public func importCoaches(_ coaches: [ImportedCoach], to family: String) async throws {
    var newSchools: [String] = []
    var keys: Set<String> = []
    for name in coaches.compactMap(\.newSchool) where keys.insert(name.nameKey).inserted { newSchools.append(name) }
    let ids = try await importSchools(
      newSchools.map { ImportedSchool(name: $0, twitterHandle: nil, instagramHandle: nil) }, to: family)
    let schools = Dictionary(zip(newSchools.map(\.nameKey), ids)) { first, _ in first }
    let rows = coaches.map { coach -> [String: RowValue] in
      [
        "id": .text(Self.newID()), "family_unit_id": .text(family), "first_name": .text(coach.firstName),
        "last_name": .text(coach.lastName), "role": .text(coach.role),
        "school_id": .text(coach.schoolId ?? coach.newSchool.flatMap { schools[$0.nameKey] }),
        "twitter_handle": .text(coach.twitterHandle?.name), "instagram_handle": .text(coach.instagramHandle?.name),
      ]
    }
    try await insertMany("import the coaches", into: "coaches", rows)
  }
}
