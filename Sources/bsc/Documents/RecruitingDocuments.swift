#if Recruiting
import Foundation
import Recruiting

/// A JSON document of `bsc recruiting`: a row with the backend's names, and names that belong to it.
struct RecruitingDocument<Row: Encodable>: Encodable {
  private let document: RowDocument<BackendRow<Row>>

  /// - Parameters:
  ///   - name: the row's key, and the document's name as in `bsc.recruiting-NAME/1`.
  ///   - facts: further members. `nil` values are left out.
  init(_ name: String, _ row: Row, _ facts: [String: String?] = [:]) {
    document = RowDocument(schema: "bsc.recruiting-\(name)/1", key: name, BackendRow(row: row), facts)
  }

  func encode(to encoder: any Encoder) throws { try document.encode(to: encoder) }
}

/// A row with the names and times of the backend, which its Swift type doesn't have.
struct BackendRow<Row: Encodable>: Encodable {
  let row: Row

  func encode(to encoder: any Encoder) throws {
    let rows = JSONEncoder()
    rows.keyEncodingStrategy = .convertToSnakeCase
    rows.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(RecruitingDate.format(date))
    }
    try JSONDecoder().decode(Node.self, from: try rows.encode(row)).encode(to: encoder)
  }

  private indirect enum Node: Codable {
    case object([String: Node])
    case list([Node])
    case text(String)
    case flag(Bool)
    case whole(Int)
    case number(Double)
    case null

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let flag = try? container.decode(Bool.self) {
        self = .flag(flag)
      } else if let whole = try? container.decode(Int.self) {
        self = .whole(whole)
      } else if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else if let text = try? container.decode(String.self) {
        self = .text(text)
      } else if let list = try? container.decode([Node].self) {
        self = .list(list)
      } else {
        self = .object(try container.decode([String: Node].self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .object(let members): try container.encode(members)
      case .list(let elements): try container.encode(elements)
      case .text(let text): try container.encode(text)
      case .flag(let flag): try container.encode(flag)
      case .whole(let number): try container.encode(number)
      case .number(let number): try container.encode(number)
      case .null: try container.encodeNil()
      }
    }
  }
}

/// The result of a command that changes something, without a row.
struct RecruitingActionDocument: Encodable {
  enum Action: String, Encodable {
    case leave
    case removeMember = "remove-member"
    case withdrawInvite = "withdraw-invite"
    case deleteInteraction = "delete-interaction"
    case deletePost = "delete-post"
    case revokeLink = "revoke-link"
    case readNotices = "read-notices"
    case storeToken = "store-token"
    case removeToken = "remove-token"
  }

  var schema = "bsc.recruiting-action/1"
  var action: Action
  /// The ID of the row, the account or the family, or the platform of a token.
  var id: String
}

/// The effect of an import.
struct RecruitingImportDocument: Encodable {
  enum Kind: String, Encodable {
    case schools, coaches, interactions, posts

    /// A number of rows: `1 coach`.
    func counted(_ count: Int) -> String {
      let singular =
        switch self {
        case .schools: "school"
        case .coaches: "coach"
        case .interactions: "interaction"
        case .posts: "post"
        }
      return "\(count) \(count == 1 ? singular : rawValue)"
    }
  }

  struct Problem: Encodable {
    var line: Int
    var column: String?
    var reason: String
  }

  var schema = "bsc.recruiting-import/1"
  var kind: Kind
  var isDryRun: Bool
  /// The number of rows that were or would be added.
  var added: Int
  /// The lines of rows that exist already.
  var duplicateLines: [Int]
  var problems: [Problem]
  /// Posts that the family deleted earlier. Only after an import of posts.
  var dismissed: Int?
}

/// The result of a sync.
struct RecruitingSyncDocument: Encodable {
  struct HandleState: Encodable {
    var platform: SocialPlatform
    var handle: String
    var posts: Int
    /// Posts that were skipped because the platform returned them in an unexpected format.
    var skippedPosts: Int
    var problem: String?
  }

  struct RefusedPost: Encodable {
    var platform: SocialPlatform
    var handle: String
    var address: String
    /// The name of the invalid column.
    var field: String
  }

  var schema = "bsc.recruiting-sync/1"
  var added: Int
  var changed: Int
  var unchanged: Int
  var dismissed: Int
  /// Posts that were deleted on X.
  var removed: Int
  var handles: [HandleState]
  /// Posts that the backend didn't store.
  var refusedPosts: [RefusedPost]
  var skippedPlatforms: [SocialPlatform]
  /// ISO 8601; absent unless a platform has a limit.
  var retryAt: String?
}

/// The figures of the analytics page.
struct RecruitingAnalyticsDocument: Encodable {
  struct Day: Encodable {
    var day: String
    var count: Int
  }

  var schema = "bsc.recruiting-analytics/1"
  /// The number of calendar days; absent for all posts.
  var days: Int?
  var total: Int
  var recruiting: Int
  var recruitingPercentage: Int
  var analyzed: Int
  var positive: Int
  var positivePercentage: Int
  var activeSchools: Int
  var twitter: Int
  var instagram: Int
  var sentiments: [SocialAnalytics.SentimentShare]
  var postsByDay: [Day]
  var schools: [SocialAnalytics.SchoolActivity]
  var recent: [BackendRow<SocialPost>]

  init(_ figures: SocialAnalytics, _ range: SocialAnalytics.Range) {
    days = range == .all ? nil : range.rawValue
    (total, recruiting, recruitingPercentage) = (figures.total, figures.recruiting, figures.recruitingPercentage)
    (analyzed, positive, positivePercentage) = (figures.analyzed, figures.positive, figures.positivePercentage)
    (activeSchools, twitter, instagram) = (figures.activeSchools, figures.twitter, figures.instagram)
    postsByDay = figures.days.map { Day(day: $0.day, count: $0.count) }
    (sentiments, schools) = (figures.sentiments, figures.schools)
    recent = figures.recent.map { BackendRow(row: $0) }
  }
}
#endif
