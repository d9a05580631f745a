import Foundation
import Recruiting
import Testing

/// A line of `bsc recruiting --json`: the members of all documents that tests read.
struct RecruitingAnswer: Decodable {
  struct Problem: Decodable {
    var line: Int
    var column: String?
  }

  struct Interaction: Decodable {
    var id: String
    var type: String
    var direction: String
    var subject: String?
    var content: String?
    var sentiment: String?
    var occurredAt: String?
    var attachments: [String]?
  }
  struct Post: Decodable {
    var id: String
    var postUrl: String
    var postContent: String
    var isRecruitingRelated: Bool
    var flaggedForReview: Bool
    var sentiment: String?
    var notes: String?
    var coachId: String?
  }
  struct Link: Decodable {
    var id: String
    var channel: String
    var openCount: Int
    var revokedAt: String?
  }
  struct Notice: Decodable {
    var postCount: Int
    var recruitingCount: Int
  }
  struct HandleState: Decodable {
    var handle: String
    var posts: Int
    var skippedPosts: Int
    var problem: String?
  }
  struct RefusedPost: Decodable {
    var address: String
    var field: String
  }

  var schema: String
  var family: FamilyUnit?
  var role: String?
  var status: String?
  var state: String?
  var member: FamilyMember?
  var invite: FamilyInvite?
  var code: String?
  var school: RowOrName<School>?
  var coach: RowOrName<Coach>?
  var interaction: Interaction?
  var loggedBy: String?
  var figures: InteractionFigures?
  var post: Post?
  var statistics: PostStatistics?
  var link: Link?
  var notice: Notice?
  var address: String?
  var added: Int?
  var unchanged: Int?
  var dismissed: Int?
  var isDryRun: Bool?
  var duplicateLines: [Int]?
  var problems: [Problem]?
  var handles: [HandleState]?
  var skippedPlatforms: [String]?
  var refusedPosts: [RefusedPost]?
  var retryAt: String?
  var action: String?
  var id: String?
  var total: Int?
  var recruiting: Int?
  var positivePercentage: Int?

  /// Documents of a school or a coach contain the row, those of other rows the name.
  enum RowOrName<Row: Decodable>: Decodable {
    case row(Row)
    case name(String)

    init(from decoder: any Decoder) throws {
      if let name = try? decoder.singleValueContainer().decode(String.self) {
        self = .name(name)
      } else {
        self = .row(try Row(from: decoder))
      }
    }

    var row: Row? { if case .row(let row) = self { row } else { nil } }
    var name: String? { if case .name(let name) = self { name } else { nil } }
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
