/// The two lists of people of a profile.
public enum FollowList: String, Sendable, CaseIterable {
  /// The people who follow the person.
  case followers
  /// The people whom the person follows.
  case following
}
