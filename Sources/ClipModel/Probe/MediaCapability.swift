/// A codec or library that the pipeline needs, and whether it is available.
package struct MediaCapability: Equatable, Sendable {
  package var name: String
  package var isAvailable: Bool
  /// The feature that requires it; `nil` if every clip does.
  package var neededFor: String?
  package var detail: String
  /// The instructions for installing it.
  package var remedy: String

  package init(name: String, isAvailable: Bool, neededFor: String? = nil, detail: String, remedy: String) {
    self.name = name
    self.isAvailable = isAvailable
    self.neededFor = neededFor
    self.detail = detail
    self.remedy = remedy
  }
}
