/// An operation on a file, as described in error messages such as `cannot write /clips/rally.mp4`.
struct FileOperation: Sendable {
  var verb: String
  var path: String
  /// The text that follows the path in error messages, for example ` to /clips/old.mp4`.
  var rest = ""
  /// Whether the operation only reads, which determines the category and wording of its errors.
  var isReading = false

  static func read(_ path: String) -> FileOperation { FileOperation(verb: "read", path: path, isReading: true) }
  static func list(_ path: String) -> FileOperation { FileOperation(verb: "list", path: path, isReading: true) }
  static func write(_ path: String) -> FileOperation { FileOperation(verb: "write", path: path) }
  static func remove(_ path: String) -> FileOperation { FileOperation(verb: "remove", path: path) }
  static func lock(_ path: String) -> FileOperation { FileOperation(verb: "lock", path: path) }
  static func replace(_ path: String) -> FileOperation { FileOperation(verb: "replace", path: path) }
  static func createFolder(_ path: String) -> FileOperation { FileOperation(verb: "create the folder", path: path) }

  var what: String { "cannot \(verb) \(path)\(rest)" }
  var facts: [String: String] { [verb == "write" ? "output" : "file": path] }
}
