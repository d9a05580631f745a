import ClipModel
import DurableFiles
import GRDB

/// SQLite's result codes as failures a person can act on.
enum JournalFailure {
  static func explain(_ error: any Error, _ what: String, _ path: String) -> any Error {
    guard let error = error as? DatabaseError else { return error }
    // Never the statement's arguments: they are the user's paths and captions.
    let message = error.message ?? "SQLite error \(error.extendedResultCode.rawValue)"
    let text: ErrorText
    switch error.resultCode {
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: text = .journalDamaged
    // Where there is no room for the log's index, SQLite says that reading or writing failed.
    case let code where code == .SQLITE_FULL || (code == .SQLITE_IOERR && isFull(path)): text = .journalDiskFull
    case .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM: text = .journalUnusable
    case .SQLITE_BUSY, .SQLITE_LOCKED: text = .journalBusy
    case .SQLITE_INTERRUPT: return CancellationError()
    default: text = .journalFailed
    }
    return ShareEngineError(text, ["what": what, "path": path, "reason": message])
  }

  /// Less room than SQLite needs for one step.
  private static func isFull(_ path: String) -> Bool {
    (try? FreeSpace.bytes(at: path)).map { $0 < 128 << 10 } ?? false
  }
}
