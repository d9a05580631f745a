public import ClipModel

/// Why the local backend could not start.
public enum LocalBackendError: ExplainedError, Equatable {
  /// Another server holds the lock of this data folder.
  case folderInUse(path: String)
  /// Another process listens there, and exactly this port was asked for.
  case portTaken(Int)
  /// The data folder cannot be made or written.
  case folderUnusable(path: String, reason: String)
  /// Damaged, or of a newer version.
  case databaseUnusable(path: String, reason: String)
  /// There is no room for the database.
  case diskFull(path: String)
  /// The address is none of this machine's, which are these.
  case addressElsewhere(host: String, own: [String])
  /// Ports below 1024 are root's.
  case portForbidden(Int)
  /// The system does not let it listen, in its words.
  case cannotListen(reason: String)
  /// A webhook that is not on this machine.
  case webhookElsewhere(host: String)

  public var explanation: Explanation {
    switch self {
    case .folderInUse(let path):
      Explanation(
        what: "cannot start the local backend", why: "another bsc already serves \(path)",
        next: "use the running one, or set XDG_DATA_HOME to another folder", category: .locked)
    case .portTaken(let port):
      Explanation(
        what: "cannot start the local backend", why: "port \(port) is taken",
        next: "choose another one with --port, or let bsc pick a free one with --port 0", category: .inputOutput)
    case .folderUnusable(let path, let reason):
      Explanation(
        what: "cannot use the data folder \(path)", why: reason,
        next: "check its owner, its permissions (ls -ld) and the free space",
        category: .inputOutput)
    case .databaseUnusable(let path, let reason):
      Explanation(
        what: "cannot open the local backend's database \(path)", why: reason,
        next: "update bsc (a newer one may have written it), or move the folder away to begin anew",
        category: .inputOutput)
    case .diskFull(let path):
      Explanation(
        what: "cannot use the local backend", why: "the disk of \(path) is full",
        next: "free some space, then run the same command again", category: .inputOutput)
    case .webhookElsewhere(let host):
      Explanation(
        what: "cannot start the local backend", why: "the webhook on \(host) is not on this machine",
        next: "give a URL of 127.0.0.1 or localhost", category: .usage)
    case .addressElsewhere(let host, let own):
      Explanation(
        what: "cannot start the local backend", why: "\(host) is no address of this machine",
        next: "name one that is with --host: \((own + ["0.0.0.0 for all of them"]).joined(separator: ", "))",
        category: .usage)
    case .portForbidden(let port):
      Explanation(
        what: "cannot start the local backend", why: "port \(port) is not for everybody: those below 1024 are root's",
        next: "choose another one with --port, for example 7437", category: .usage)
    case .cannotListen(let reason):
      Explanation(
        what: "cannot start the local backend", why: reason,
        next: "run \"bsc doctor\", or choose another port with --port",
        category: .inputOutput)
    }
  }
}
