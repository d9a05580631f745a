#if Recruiting
import ClipModel
import DurableFiles
import Foundation
import Highlights
import LibCurl
package import Recruiting

/// The backend connection and the active family of recruiting for one run.
package struct RecruitingSession: Sendable {
  package let connection: BackendConnection
  package let api: RecruitingAPI
  let environment: EngineEnvironment
  let transport: any HTTPTransport

  /// - Parameters:
  ///   - environment: the folders and settings to use.
  ///   - signIn: signs the user in when an operation needs an account. If it is `nil` and there is no session, these
  ///     operations fail.
  package init(_ environment: EngineEnvironment, signIn: LazySignIn? = nil) throws {
    let transport = try environment.transport()
    let connection = try BackendConnection(
      environment, transport: transport, signIn: signIn, notice: environment.notice)
    self.init(environment, connection: connection, transport: transport)
  }

  /// Creates a session that uses the connection of another one.
  init(_ environment: EngineEnvironment, connection: BackendConnection, transport: any HTTPTransport) {
    (self.environment, self.connection, self.transport) = (environment, connection, transport)
    api = RecruitingAPI(
      transport: BackendRowTransport(connection, transport, policy: .brief, returnsRateLimit: true))
  }

  /// Runs `body`, then stops the backend server if this process started it.
  package func runAndClose<Value>(_ body: () async throws -> Value) async throws -> Value {
    try await connection.runAndClose(body)
  }

  /// The ID of the signed-in account, as rows contain it.
  package var account: String {
    get async throws { try await connection.accountID().uuidString.lowercased() }
  }

  /// A text that identifies the account in files.
  func accountKey() async throws -> String { try await connection.accountKey(environment.configuration) }

  // MARK: Families

  /// The family with a name or an ID; without one, the active family.
  ///
  /// The active family is the one that `activate` stored, or the account's only one.
  package func family(_ name: String? = nil) async throws -> FamilyUnit {
    let families = try await api.families()
    if families.isEmpty { throw ShareEngineError(.noFamily) }
    if let name { return try Self.find(name, in: families) }
    if let active = try await active(of: families) { return active }
    throw ShareEngineError(
      .severalFamilies,
      ["count": "\(families.count)", "names": families.map(\.name).joined(separator: ", ")])
  }

  /// The active one of the account's families. `nil` if the user must choose.
  package func active(of families: [FamilyUnit]) async throws -> FamilyUnit? {
    if families.count <= 1 { return families.first }
    let stored = try await ActiveFamilies(environment.places).family(of: try await accountKey())
    return families.first { $0.id == stored }
  }

  /// Creates a family with the account as its first member, and makes it the active one.
  package func createFamily(named name: String, role: FamilyRole) async throws -> FamilyUnit {
    try await activate(id: try await api.createFamily(named: name, role: role))
  }

  /// Makes the account a member, and the family the active one.
  package func join(code: String) async throws -> FamilyUnit { try await activate(id: try await api.join(code: code)) }

  private func activate(id: String) async throws -> FamilyUnit {
    let family = try Self.find(id, in: try await api.families())
    try await activate(family)
    return family
  }

  /// Makes a family the active one of the account on this machine.
  package func activate(_ family: FamilyUnit) async throws {
    try await ActiveFamilies(environment.places).store(family.id, of: try await accountKey())
  }

  /// The family with a name or an ID.
  private static func find(_ name: String, in families: [FamilyUnit]) throws -> FamilyUnit {
    try NameLookup.find(name, "family", in: families) { [$0.name] }
  }

  // MARK: Rows

  /// The school with a name or an ID. Archived schools are found by their ID only.
  package func school(_ name: String, in family: FamilyUnit) async throws -> School {
    try NameLookup.find(name, "school", in: try await api.schools(of: family.id)) {
      $0.archivedAt == nil ? [$0.name] : []
    }
  }

  /// The coach with a name or an ID. Archived coaches are found by their ID only.
  package func coach(_ name: String, in family: FamilyUnit) async throws -> Coach {
    try Self.findCoach(name, in: try await api.coaches(of: family.id))
  }

  static func findCoach(_ name: String, in coaches: [Coach]) throws -> Coach {
    try NameLookup.find(name, "coach", in: coaches) { $0.archivedAt == nil ? [$0.fullName] : [] }
  }

  /// The member with a username, a name or an ID.
  package func member(_ name: String, of family: FamilyUnit) async throws -> FamilyMember {
    let name = name.hasPrefix("@") ? String(name.dropFirst()) : name
    return try NameLookup.find(name, "member", in: try await api.members(of: family.id)) {
      [$0.username, $0.displayName]
    }
  }

  /// The names of everything that the rows of a family refer to.
  package func names(of family: FamilyUnit) async throws -> FamilyNames {
    FamilyNames(
      schools: try await api.schools(of: family.id), coaches: try await api.coaches(of: family.id),
      members: try await api.members(of: family.id))
  }
}

/// The schools, coaches and members of a family, with their names by ID.
package struct FamilyNames: Sendable {
  package let schools: [School]
  package let coaches: [Coach]
  package let members: [FamilyMember]
  package let schoolNames: [String: String]
  package let coachNames: [String: String]
  package let memberNames: [String: String]

  init(schools: [School], coaches: [Coach], members: [FamilyMember]) {
    (self.schools, self.coaches, self.members) = (schools, coaches, members)
    schoolNames = Dictionary(schools.map { ($0.id, $0.name) }) { $1 }
    coachNames = Dictionary(coaches.map { ($0.id, $0.fullName) }) { $1 }
    memberNames = Dictionary(members.map { ($0.userId, $0.displayName) }) { $1 }
  }

  /// The name of a row's school. `nil` without one.
  package func school(_ id: String?) -> String? {
    RecruitingTexts.name(of: id, in: schoolNames, unknown: RecruitingTexts.unknownSchool)
  }

  /// The name of a row's coach. `nil` without one.
  package func coach(_ id: String?) -> String? {
    RecruitingTexts.name(of: id, in: coachNames, unknown: RecruitingTexts.unknownCoach)
  }

  /// The name of a member.
  package func member(_ id: String) -> String { memberNames[id] ?? RecruitingTexts.unknownMember }
}

/// The active family of each account, in a file of this machine.
struct ActiveFamilies: Sendable {
  private let path: String
  private let folder: String

  init(_ places: ApplicationFolders) {
    folder = places.stateFolder
    path = places.activeFamiliesFile
  }

  /// The ID of the active family, if one is stored.
  func family(of account: String) async throws -> String? { try await load()[account] }

  func store(_ family: String, of account: String) async throws {
    var families = try await load()
    families[account] = family
    let bytes = try JSONEncoder().encode(families)
    try await WorkerThread.run("bsc family") { _ in
      try Folder.create(folder)
      try DurableFile.write(bytes, to: path, permissions: 0o600)
    }
  }

  /// An unreadable file contains nothing: the user can choose again.
  private func load() async throws -> [String: String] {
    let bytes = try await WorkerThread.run("bsc family") { _ in try DurableFile.readIfPresent(path, limit: 1 << 20) }
    return bytes.flatMap { try? JSONDecoder().decode([String: String].self, from: $0) } ?? [:]
  }
}
#endif
