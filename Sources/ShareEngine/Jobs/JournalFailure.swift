import ClipModel
import DurableFiles
import GRDB

enum JournalFailure {
  /// Converts SQLite result codes to errors that the user can act on.
  static func convertError(_ error: any Error, action: String, path: String) -> any Error {
    guard let error = error as? DatabaseError else { return error }
    // The message must not contain the statement's arguments, because these include the user's paths and captions.
    let message = error.message ?? "SQLite error \(error.extendedResultCode.rawValue)"
    let text: ErrorText
    switch error.resultCode {
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: text = .journalDamaged
    // If there is no space for the log index, SQLite reports an I/O error instead of a full disk.
    case let code where code == .SQLITE_FULL || (code == .SQLITE_IOERR && isDiskFull(path)): text = .journalDiskFull
    case .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM: text = .journalUnusable
    case .SQLITE_BUSY, .SQLITE_LOCKED: text = .journalBusy
    case .SQLITE_INTERRUPT: return CancellationError()
    default: text = .journalFailed
    }
    return ShareEngineError(text, ["what": action, "path": path, "reason": message])
  }

  /// Whether the disk has too little free space for an SQLite transaction.
  private static func isDiskFull(_ path: String) -> Bool {
    (try? FreeSpace.availableBytes(at: path)).map { $0 < 128 << 10 } ?? false
  }
}
