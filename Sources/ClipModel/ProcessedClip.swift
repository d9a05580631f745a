/// A clip that is ready to be sent: verified, without location, with its poster.
public struct ProcessedClip: Codable, Equatable, Sendable {
  /// Absolute path.
  public var path: String
  public var byteCount: Int64
  /// SHA-256, lower-case hexadecimal.
  public var sha256: String
  /// What the output is, read from the output.
  public var probe: ClipProbe
  /// Absolute path of the JPEG; `nil` when no frame could be drawn (the reason is in `notes`).
  public var posterPath: String?
  /// What is no longer there: carriers of location and whole tracks, in words.
  public var removed: [String]
  /// Things worth telling: packets that were damaged, a poster taken elsewhere.
  public var notes: [String]

  public init(
    path: String, byteCount: Int64, sha256: String, probe: ClipProbe, posterPath: String? = nil,
    removed: [String] = [], notes: [String] = []
  ) {
    self.path = path
    self.byteCount = byteCount
    self.sha256 = sha256
    self.probe = probe
    self.posterPath = posterPath
    self.removed = removed
    self.notes = notes
  }
}
