import Foundation

/// A new folder for one test. It is removed when the test process ends, not with the value, whose last use is often
/// earlier than that of the files.
public struct ScratchFolder: Sendable {
  public let path: String

  public init() throws {
    path = try Self.root.get() + "/" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  private static let root = Result {
    let path = FileManager.default.temporaryDirectory.path + "/bsc-test-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    atexit { try? FileManager.default.removeItem(atPath: ScratchFolder.rootPath) }
    return path
  }

  private static var rootPath: String { (try? root.get()) ?? "" }

  public func path(_ name: String) -> String { "\(path)/\(name)" }

  /// Creates or replaces a file without using code under test.
  @discardableResult
  public func write(_ text: String, to name: String, permissions: Int = 0o600) throws -> String {
    let path = path(name)
    try Data(text.utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
    return path
  }

  public func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: path(name))), as: UTF8.self)
  }

  public func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

  public func permissions(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int
  }
}
