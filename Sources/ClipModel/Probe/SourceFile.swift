/// The file that a job shares, and the properties that identify it.
public struct SourceFile: Codable, Equatable, Sendable {
  /// The absolute path of the source file.
  public var path: String
  /// The file size in bytes.
  public var byteCount: Int64
  /// The SHA-256 hash in lowercase hexadecimal.
  public var sha256: String

  public init(path: String, byteCount: Int64, sha256: String) {
    self.path = path
    self.byteCount = byteCount
    self.sha256 = sha256
  }

  /// The file name: the last component of the path.
  public var name: String { path.split(separator: "/").last.map(String.init) ?? path }
}
