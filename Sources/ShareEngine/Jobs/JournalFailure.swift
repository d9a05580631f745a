import ClipModel
import DurableFiles
import GRDB

/// SQLite's result codes as failures a person can act on.
enum JournalFailure {
  static func explain(_ error: any Error, _ what: String, _ path: String) -> any Error {
    guard let error = error as? DatabaseError else { return error }
    // Never the statement's arguments: they are the user's paths and captions.
    let message = error.message ?? "SQLite error \(error.extendedResultCode.rawValue)"
    switch error.resultCode {
    case .SQLITE_CORRUPT, .SQLITE_NOTADB:
      return ShareEngineError(
        what: what, why: "the journal is damaged (\(message))",
        next: "move \(path) away: bsc starts a new one, and the unfinished jobs have to be shared again",
        category: .inputOutput)
    // Where there is no room for the log's index, SQLite says that reading or writing failed.
    case let code where code == .SQLITE_FULL || (code == .SQLITE_IOERR && isFull(path)):
      return ShareEngineError(
        what: what, why: "the disk of \(path) is full",
        next: "free some space, then run the same command again; \"bsc jobs prune\" removes jobs that are over",
        category: .inputOutput)
    case .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM:
      return ShareEngineError(
        what: what, why: "\(message) (\(path))",
        next: "check the owner and the permissions of its folder (ls -ld), and the disk",
        category: .inputOutput)
    case .SQLITE_BUSY, .SQLITE_LOCKED: return busy(what)
    case .SQLITE_INTERRUPT: return CancellationError()
    default:
      return ShareEngineError(
        what: what, why: message, next: "run \"bsc doctor\", and report this if it finds nothing", category: .unexpected
      )
    }
  }

  /// Less room than SQLite needs for one step.
  private static func isFull(_ path: String) -> Bool {
    (try? FreeSpace.bytes(at: path)).map { $0 < 128 << 10 } ?? false
  }

  static func busy(_ what: String) -> ShareEngineError {
    ShareEngineError(
      what: what, why: "another bsc has been writing the journal for 10 seconds",
      next: "wait for it, or stop it, then run \"bsc resume\"", category: .locked)
  }
}
