import Foundation
import Recruiting
import Testing

/// A line of `bsc recruiting --json`: the members of all documents that tests read.
struct RecruitingAnswer: Decodable {
  struct Family: Decodable {
    var id: String
    var name: String
  }
  struct Member: Decodable {
    var userId: String
    var role: FamilyRole
    var displayName: String
  }
  struct School: Decodable {
    var id: String
    var name: String
    var twitterHandle: String?
    var archivedAt: String?
  }
  struct Coach: Decodable {
    var id: String
    var firstName: String
    var lastName: String
    var role: String?
    var twitterHandle: String?
    var lastContactDate: String?
    var archivedAt: String?
  }
  struct Problem: Decodable {
    var line: Int
    var column: String?
  }

  var schema: String
  var family: Family?
  var role: String?
  var status: String?
  var member: Member?
  var invite: FamilyInvite?
  var code: String?
  var school: School?
  var coach: Coach?
  var added: Int?
  var isDryRun: Bool?
  var duplicateLines: [Int]?
  var problems: [Problem]?
  var action: String?
  var id: String?

  /// The names of a row's school and coach have the keys of other documents' rows.
  var schoolName: String?
  var coachName: String?

  enum CodingKeys: String, CodingKey {
    case schema, family, role, status, member, invite, code, school, coach, added, isDryRun, duplicateLines, problems
    case action, id
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    schema = try container.decode(String.self, forKey: .schema)
    family = try container.decodeIfPresent(Family.self, forKey: .family)
    role = try container.decodeIfPresent(String.self, forKey: .role)
    status = try container.decodeIfPresent(String.self, forKey: .status)
    member = try container.decodeIfPresent(Member.self, forKey: .member)
    invite = try container.decodeIfPresent(FamilyInvite.self, forKey: .invite)
    code = try container.decodeIfPresent(String.self, forKey: .code)
    school = try? container.decodeIfPresent(School.self, forKey: .school)
    schoolName = try? container.decodeIfPresent(String.self, forKey: .school)
    coach = try? container.decodeIfPresent(Coach.self, forKey: .coach)
    coachName = try? container.decodeIfPresent(String.self, forKey: .coach)
    added = try container.decodeIfPresent(Int.self, forKey: .added)
    isDryRun = try container.decodeIfPresent(Bool.self, forKey: .isDryRun)
    duplicateLines = try container.decodeIfPresent([Int].self, forKey: .duplicateLines)
    problems = try? container.decodeIfPresent([Problem].self, forKey: .problems)
    action = try container.decodeIfPresent(String.self, forKey: .action)
    id = try container.decodeIfPresent(String.self, forKey: .id)
  }

  /// Runs a command that must exit with a status, and returns its documents.
  static func all(
    of home: BSCHome, _ arguments: [String], status: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> [RecruitingAnswer] {
    let run = try await home.run(arguments + ["--json"], sourceLocation: sourceLocation)
    #expect(run.status == status, "\(run)", sourceLocation: sourceLocation)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .custom {
      RecruitingDate.parse(try $0.singleValueContainer().decode(String.self)) ?? .distantPast
    }
    return try run.output.split(separator: "\n").map { try decoder.decode(Self.self, from: Data($0.utf8)) }
  }
}
