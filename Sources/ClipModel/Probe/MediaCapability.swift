/// A codec or library that the pipeline requires, and whether it is available.
package struct MediaCapability: Equatable, Sendable {
  /// What is required: a library, or a codec of FFmpeg.
  package enum Kind: Sendable { case library, codec }

  package var kind: Kind
  package var name: String
  package var isAvailable: Bool
  /// The feature that requires the codec or library; `nil` if every clip requires it.
  package var neededFor: String?
  package var detail: String

  package init(_ kind: Kind, name: String, isAvailable: Bool, neededFor: String? = nil, detail: String) {
    self.kind = kind
    self.name = name
    self.isAvailable = isAvailable
    self.neededFor = neededFor
    self.detail = detail
  }
}
