/// A tag or team that a search found.
public struct SearchLabel: Codable, Equatable, Sendable {
  /// The tag without `#`, or the team's name.
  public var name: String
  /// The number of people who use it.
  public var uses: Int
}
