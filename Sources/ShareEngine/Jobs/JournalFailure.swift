import ClipModel
import DurableFiles
import GRDB

enum JournalFailure {
  /// Converts SQLite's result codes to errors that the user can act on.
  static func wrap(_ error: any Error, action: String, path: String) -> any Error {
    guard let error = error as? DatabaseError else { return error }
    // The message must not contain the statement's arguments, which are the user's paths and captions.
    let message = error.message ?? "SQLite error \(error.extendedResultCode.rawValue)"
    let text: ErrorText
    switch error.resultCode {
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: text = .journalDamaged
    // If there is no space for the log's index, SQLite reports a failed read or write.
    case let code where code == .SQLITE_FULL || (code == .SQLITE_IOERR && isFull(path)): text = .journalDiskFull
    case .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM: text = .journalUnusable
    case .SQLITE_BUSY, .SQLITE_LOCKED: text = .journalBusy
    case .SQLITE_INTERRUPT: return CancellationError()
    default: text = .journalFailed
    }
    return ShareEngineError(text, ["what": action, "path": path, "reason": message])
  }

  /// Whether the disk has less free space than SQLite needs for one transaction.
  private static func isFull(_ path: String) -> Bool {
    (try? FreeSpace.bytes(at: path)).map { $0 < 128 << 10 } ?? false
  }
}
