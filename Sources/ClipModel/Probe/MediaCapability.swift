/// A codec or library that the pipeline requires, and whether it is available.
package struct MediaCapability: Equatable, Sendable {
  package var name: String
  package var isAvailable: Bool
  /// The feature that requires the codec or library; `nil` if every clip requires it.
  package var neededFor: String?
  package var detail: String
  /// The installation instructions.
  package var remedy: String

  package init(name: String, isAvailable: Bool, neededFor: String? = nil, detail: String, remedy: String) {
    self.name = name
    self.isAvailable = isAvailable
    self.neededFor = neededFor
    self.detail = detail
    self.remedy = remedy
  }
}
