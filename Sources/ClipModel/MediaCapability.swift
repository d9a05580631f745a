/// A codec or library that the pipeline needs, and whether it is there.
public struct MediaCapability: Equatable, Sendable {
  public var name: String
  public var isAvailable: Bool
  /// Most clips go without it: what does not.
  public var neededFor: String?
  public var detail: String
  /// What to install.
  public var remedy: String

  public init(name: String, isAvailable: Bool, neededFor: String? = nil, detail: String, remedy: String) {
    self.name = name
    self.isAvailable = isAvailable
    self.neededFor = neededFor
    self.detail = detail
    self.remedy = remedy
  }
}
