/// A codec or library that the pipeline needs, and whether it is there.
public struct MediaCapability: Equatable, Sendable {
  public var name: String
  public var isAvailable: Bool
  public var detail: String
  /// What to install.
  public var remedy: String

  public init(name: String, isAvailable: Bool, detail: String, remedy: String) {
    self.name = name
    self.isAvailable = isAvailable
    self.detail = detail
    self.remedy = remedy
  }
}
