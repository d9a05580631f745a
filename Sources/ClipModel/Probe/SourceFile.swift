/// The file that a job shares, with the properties that identify it.
public struct SourceFile: Codable, Equatable, Sendable {
  /// The absolute path.
  public var path: String
  /// The size of the file.
  public var byteCount: Int64
  /// SHA-256 in lowercase hexadecimal.
  public var sha256: String

  public init(path: String, byteCount: Int64, sha256: String) {
    self.path = path
    self.byteCount = byteCount
    self.sha256 = sha256
  }

  /// The last component of the path.
  public var name: String { path.split(separator: "/").last.map(String.init) ?? path }
}
