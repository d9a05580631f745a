/// An error of this library: a stable ID and the values that caused it.
public struct RecruitingError: Error, Equatable, Sendable {
  /// The ID in the form `recruiting.reason`. The meaning of an ID never changes.
  public enum ID: String, Sendable, CaseIterable {
    /// A handle is empty. Facts: `platform`.
    case handleEmpty = "recruiting.handle-empty"
    /// A handle contains a character that the platform doesn't allow, such as a space or an emoji. Facts: `platform`,
    /// `handle`, `character`.
    case handleCharacter = "recruiting.handle-character"
    /// A handle is too long. Facts: `platform`, `handle`, `length`, `limit`.
    case handleLength = "recruiting.handle-length"
    /// An address belongs to another website. Facts: `platform`, `handle`, `host`.
    case handleHost = "recruiting.handle-host"
    /// An address is not that of a profile. Facts: `platform`, `handle`.
    case handleAddress = "recruiting.handle-address"
    /// An address is not that of a post. Facts: `platform`, `address`.
    case postAddress = "recruiting.post-address"
    /// A value of a filter is unknown. Facts: `name`, `value`.
    case filter = "recruiting.filter"
    /// A time zone is unknown. Facts: `zone`.
    case timeZone = "recruiting.time-zone"
    /// A table has no header. No facts.
    case importEmpty = "recruiting.import-empty"
    /// A table lacks required columns. Facts: `columns`, `found`.
    case importColumns = "recruiting.import-columns"
    /// A table has the same column twice. Facts: `column`.
    case importColumnTwice = "recruiting.import-column-twice"
    /// A table has too many rows. Facts: `rows`, `limit`.
    case importRows = "recruiting.import-rows"
  }

  /// The ID, for control flow.
  public let id: ID
  /// The values, keyed by name.
  public let facts: [String: String]

  /// Creates an error.
  public init(_ id: ID, _ facts: [String: String] = [:]) {
    self.id = id
    self.facts = facts
  }
}
