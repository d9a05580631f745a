public import Foundation

/// A poll of a highlight: a row of the table `polls` with its options. Votes are secret; only the counts are visible.
public struct Poll: Codable, Equatable, Identifiable, Sendable {
  /// The poll's ID.
  public var id: UUID
  /// The highlight's ID.
  public var highlightID: UUID
  /// The question.
  public var question: String
  /// The number of all votes.
  public var totalVotes: Int
  /// The answers to choose from, in order.
  public var options: [PollOption]

  enum CodingKeys: String, CodingKey {
    case id, question, options
    case highlightID = "highlight_id"
    case totalVotes = "total_votes"
  }

  /// Decodes a row of `polls` with its embedded options, which the backend returns in any order.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(UUID.self, forKey: .id)
    highlightID = try container.decode(UUID.self, forKey: .highlightID)
    question = try container.decode(String.self, forKey: .question)
    totalVotes = try container.decode(Int.self, forKey: .totalVotes)
    options = try container.decodeIfPresent([PollOption].self, forKey: .options) ?? []
    options.sort { ($0.sortOrder, $0.id.uuidString) < ($1.sortOrder, $1.id.uuidString) }
  }
}

/// An answer of a poll.
public struct PollOption: Codable, Equatable, Identifiable, Sendable {
  /// The option's ID.
  public var id: UUID
  /// The answer.
  public var text: String
  /// The number of votes.
  public var voteCount: Int
  /// The position among the options.
  public var sortOrder: Int

  enum CodingKeys: String, CodingKey {
    case id, text
    case voteCount = "vote_count"
    case sortOrder = "sort_order"
  }
}
