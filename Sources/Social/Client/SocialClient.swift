public import ClipModel
public import Foundation

/// The operations of the social layer on a backend.
///
/// Every method throws `SocialError`, `CancellationError`, or an error of the transport about the credentials.
public protocol SocialClient: Sendable {
  // MARK: Highlights

  /// Returns a page of a feed.
  /// - Parameters:
  ///   - kind: the order and the selection.
  ///   - limit: the maximum number of highlights, from 1 to `SocialLimits.pageSize`.
  ///   - cursor: where the page starts; `nil` for the first page.
  func feed(_ kind: FeedKind, limit: Int, after cursor: FeedCursor?) async throws -> FeedPage
  /// Returns a highlight, or `nil` if it doesn't exist or the viewer can't see it.
  func highlight(_ id: UUID) async throws -> FeedItem?
  /// Returns a page of a highlight's comments, newest first.
  func comments(of highlight: UUID, limit: Int, offset: Int) async throws -> [HighlightComment]
  /// Returns a comment, or `nil` if it doesn't exist or the viewer can't see it.
  func comment(_ id: UUID) async throws -> HighlightComment?
  /// Performs a like, comment or follow. Performing it again changes nothing.
  func perform(_ action: SocialAction) async throws
  /// Adds or removes the account's reaction to a comment.
  func setReaction(_ reaction: CommentReaction, to comment: UUID, isOn: Bool) async throws
  /// Votes in a poll. A later vote replaces an earlier one.
  func vote(for option: UUID, in poll: UUID) async throws

  // MARK: People

  /// Returns a profile, or `nil` if it doesn't exist or the viewer can't see it.
  func profile(_ id: UUID) async throws -> Profile?
  /// Returns the profile with a handle, or `nil`. Ignores case and a leading `@`.
  func profile(named username: String) async throws -> Profile?
  /// Returns the profiles with these IDs that the viewer can see, in any order.
  func profiles(_ ids: [UUID]) async throws -> [Profile]
  /// Changes the account's profile and returns it.
  func changeProfile(_ change: ProfileChange) async throws -> Profile
  /// Stores the account's picture, which replaces an earlier one.
  /// - Returns: the picture's path, relative to the backend's base URL. Everyone can read it. `changeProfile` stores its URL.
  func storeAvatar(_ picture: StillPicture) async throws -> String
  /// Deletes the account's picture. Does nothing if there is none.
  func deleteAvatar() async throws
  /// Returns whether the account follows a person.
  func followState(of profile: UUID) async throws -> FollowState
  /// Returns people who follow a person, or whom a person follows, newest follow first.
  ///
  /// People whom the account can't see are left out, except in its own lists, in which their names are `nil`.
  func people(_ list: FollowList, of profile: UUID, limit: Int, offset: Int) async throws -> [HiddenPerson]
  /// Returns the requests to follow the account, newest first.
  func followRequests() async throws -> [FollowRequest]
  /// Accepts a person's request to follow the account.
  func acceptFollowRequest(of requester: UUID) async throws
  /// Refuses a person's request to follow the account. Does nothing if there is none.
  func refuseFollowRequest(of requester: UUID) async throws
  /// Removes a follower of the account. Does nothing if there is none.
  func removeFollower(_ profile: UUID) async throws
  /// Blocks or unblocks a person. A block ends all relations between the two.
  func setBlock(of profile: UUID, isOn: Bool) async throws
  /// Mutes or unmutes a person, who isn't notified.
  func setMute(of profile: UUID, isOn: Bool) async throws
  /// Returns the people whom the account has blocked, newest first.
  func blockedPeople() async throws -> [HiddenPerson]
  /// Returns the people whom the account has muted, newest first.
  func mutedPeople() async throws -> [HiddenPerson]

  // MARK: Playback

  /// Returns the addresses of the videos and pictures of up to 50 highlights. Highlights that the account can't see, or that
  /// aren't ready, are left out.
  func playback(of highlights: [UUID]) async throws -> [HighlightPlayback]
  /// Counts a playback, for example when the video ends or the user leaves it. The backend counts a person once per
  /// highlight and hour, with the longest playback, and ignores own highlights and less than a second.
  /// - Parameters:
  ///   - highlight: the highlight's ID.
  ///   - seconds: how long the user watched.
  func recordView(of highlight: UUID, seconds: Double) async throws
  /// Sends push notifications of the account to a device, which no longer gets those of other accounts.
  /// - Parameters:
  ///   - token: the device token from Apple's push notification service.
  ///   - isSandbox: whether the app was built for development.
  func registerDevice(_ token: Data, isSandbox: Bool) async throws
  /// Ends push notifications to a device.
  func removeDevice(_ token: Data) async throws

  // MARK: Discovery
  // A search without letters and digits throws `SocialError.emptySearch`.

  /// Finds people by handle, name or team, best matches first.
  func searchPeople(_ query: String, limit: Int) async throws -> [Profile]
  /// Finds tags, most used first.
  func searchTags(_ query: String, limit: Int) async throws -> [SearchLabel]
  /// Finds teams, most used first.
  func searchTeams(_ query: String, limit: Int) async throws -> [SearchLabel]
  /// Returns people whom the account may want to follow, best first.
  func followSuggestions(limit: Int) async throws -> [Profile]

  // MARK: Account

  /// Returns a page of notifications, newest first.
  /// - Parameter time: the `oldest` time of the previous page; `nil` for the first page.
  func notifications(before time: String?) async throws -> [NotificationGroup]
  /// Marks the notifications until a time as read; `nil` marks all.
  func markNotificationsRead(until time: String?) async throws
  /// Returns the account's settings.
  func settings() async throws -> AccountSettings
  /// Stores the account's settings.
  func store(_ settings: AccountSettings) async throws
  /// Sets the account's date of birth, which can't be changed or read afterwards. Below the backend's ages, the account is
  /// protected or rejected.
  /// - Parameter date: a date such as `2012-05-31`.
  /// - Throws: `SocialError.forbidden` if the person is too young for an account, and `conflict` if a date is already set.
  func setBirthDate(_ date: String) async throws
  /// Returns how often the account's highlights were watched, newest highlight first.
  func analytics(days: Int, limit: Int) async throws -> [HighlightAnalytics]
  /// Returns everything that is stored about the account, as a JSON object with a list for each table.
  func exportAccount() async throws -> Data

  // MARK: Moderation

  /// Reports content to the moderators and returns the report.
  func report(_ target: ContentTarget, for reason: ReportReason, description: String?) async throws -> ContentReport
  /// Withdraws a report that wasn't reviewed yet.
  func withdrawReport(_ id: UUID) async throws
  /// Returns the content that waits for a decision, oldest first. Requires a moderator's account.
  func moderationQueue(limit: Int, offset: Int) async throws -> [ModerationItem]
  /// Decides about content. Requires a moderator's account.
  func moderate(_ target: ContentTarget, _ action: ModerationAction, reason: String) async throws -> ModerationOutcome
}
