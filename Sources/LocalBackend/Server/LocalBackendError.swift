public import ClipModel

/// An error that prevents the local backend from starting.
public enum LocalBackendError: ExplainedError, Equatable {
  /// Another server has locked the data folder.
  case folderInUse(path: String)
  /// Another process is already listening on the requested port.
  case portTaken(Int)
  /// The data folder cannot be created, or is not writable.
  case folderUnusable(path: String, reason: String)
  /// The database is damaged, or was written by a newer version of bsc.
  case databaseUnusable(path: String, reason: String)
  /// The disk that stores the database is full.
  case diskFull(path: String)
  /// The requested host is not an address of this machine. `own` lists the machine's addresses.
  case addressElsewhere(host: String, own: [String])
  /// Only root may listen on ports below 1024.
  case portForbidden(Int)
  /// The system doesn't allow the server to listen. `reason` is the system's message.
  case cannotListen(reason: String)
  /// A webhook URL points to a different machine.
  case webhookElsewhere(host: String)

  public var explanation: Explanation {
    func explain(
      _ id: String, _ why: String, _ category: FailureCategory, _ facts: [String: String] = [:],
      what: String = "cannot start the local backend"
    ) -> Explanation {
      Explanation(id: "backend.\(id)", what: what, why: why, facts: facts, category: category)
    }
    return switch self {
    case .folderInUse(let path):
      explain("folder-in-use", "another bsc process is already serving \(path)", .locked, ["path": path])
    case .portTaken(let port): explain("port-taken", "port \(port) is in use", .inputOutput, ["port": "\(port)"])
    case .folderUnusable(let path, let reason):
      explain("folder-unusable", reason, .inputOutput, ["path": path], what: "cannot use the data folder \(path)")
    case .databaseUnusable(let path, let reason):
      explain(
        "database-unusable", reason, .inputOutput, ["path": path],
        what: "cannot open the local backend's database \(path)")
    case .diskFull(let path):
      explain(
        "local-disk-full", "the disk that contains \(path) is full", .inputOutput, ["path": path],
        what: "cannot use the local backend")
    case .webhookElsewhere(let host):
      explain("webhook-elsewhere", "the webhook host \(host) is not on this machine", .usage, ["host": host])
    case .addressElsewhere(let host, let own):
      explain(
        "address-elsewhere", "\(host) is not an address of this machine", .usage,
        ["host": host, "addresses": own.joined(separator: ", ")])
    case .portForbidden(let port):
      explain(
        "port-forbidden", "port \(port) is reserved: only root may use ports below 1024", .usage, ["port": "\(port)"])
    case .cannotListen(let reason): explain("cannot-listen", reason, .inputOutput)
    }
  }
}
