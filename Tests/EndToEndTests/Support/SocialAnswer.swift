import ClipModel
import Foundation
import Social
import Testing

/// A line of `bsc social --json` or `bsc resume --json`: the members of all documents.
struct SocialAnswer: Decodable {
  var schema: String
  var highlight: FeedItem?
  var comments: [HighlightComment]?
  var comment: HighlightComment?
  var profile: Profile?
  var request: FollowRequest?
  var person: HiddenPerson?
  var poll: Poll?
  var kind: String?
  var label: SearchLabel?
  var notification: NotificationGroup?
  var actors: [String]?
  var settings: AccountSettings?
  var analytics: HighlightAnalytics?
  var report: ContentReport?
  var item: ModerationItem?
  var outcome: ModerationOutcome?
  var playback: HighlightPlayback?
  var action: String?
  var status: String?
  var id: UUID?
  var relation: String?
  var sent: Int?
  var refused: Int?
  var waiting: Int?

  /// Runs a command that must exit with a status, and returns its documents.
  static func all(
    of home: BSCHome, _ arguments: [String], status: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> [SocialAnswer] {
    let run = try await home.run(arguments + ["--json"], sourceLocation: sourceLocation)
    #expect(run.status == status, "\(run)", sourceLocation: sourceLocation)
    return try run.output.split(separator: "\n").map { try JSONDecoder().decode(Self.self, from: Data($0.utf8)) }
  }
}
