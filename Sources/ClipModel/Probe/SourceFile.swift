/// The file a job is about, and how to tell that it is still the same one.
public struct SourceFile: Codable, Equatable, Sendable {
  /// Absolute path.
  public var path: String
  /// Bytes of the file.
  public var byteCount: Int64
  /// SHA-256, lower-case hexadecimal.
  public var sha256: String

  public init(path: String, byteCount: Int64, sha256: String) {
    self.path = path
    self.byteCount = byteCount
    self.sha256 = sha256
  }

  /// The last component of the path: what a person calls the file.
  public var name: String { path.split(separator: "/").last.map(String.init) ?? path }
}
