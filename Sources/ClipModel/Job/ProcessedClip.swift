/// A processed clip: verified, without location data, and with its pictures.
public struct ProcessedClip: Codable, Equatable, Sendable {
  /// The absolute path.
  public var path: String
  /// The size of the file.
  public var byteCount: Int64
  /// SHA-256 in lowercase hexadecimal.
  public var sha256: String
  /// The properties of the output.
  public var probe: ClipProbe
  /// The pictures that could be rendered. For the others, `notes` contains the reason.
  public var pictures: [RenderedPicture]
  /// The removed location data and tracks, as text.
  public var removed: [String]
  /// Remarks for the user, such as damaged packets or a different poster time.
  public var notes: [String]

  public init(
    path: String, byteCount: Int64, sha256: String, probe: ClipProbe, pictures: [RenderedPicture] = [],
    removed: [String] = [], notes: [String] = []
  ) {
    self.path = path
    self.byteCount = byteCount
    self.sha256 = sha256
    self.probe = probe
    self.pictures = pictures
    self.removed = removed
    self.notes = notes
  }
}
