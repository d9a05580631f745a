/// An operation and its file, as `Explanation.what` names them: `cannot write /clips/rally.mp4`.
public struct FileOperation: Sendable {
  let verb: String
  let path: String
  let rest: String

  /// - Parameters:
  ///   - verb: `replace`.
  ///   - path: of the file.
  ///   - rest: what follows the path: ` to /clips/old.mp4`.
  public init(_ verb: String, _ path: String, _ rest: String = "") {
    self.verb = verb
    self.path = path
    self.rest = rest
  }

  static func read(_ path: String) -> FileOperation { FileOperation("read", path) }
  static func write(_ path: String) -> FileOperation { FileOperation("write", path) }
  static func list(_ path: String) -> FileOperation { FileOperation("list", path) }
  static func remove(_ path: String) -> FileOperation { FileOperation("remove", path) }
  static func lock(_ path: String) -> FileOperation { FileOperation("lock", path) }

  var what: String { "cannot \(verb) \(path)\(rest)" }
  var facts: [String: String] { [verb == "write" ? "output" : "file": path] }
}
