import ClipModel
import Foundation
import GRDB
import Hummingbird

/// Detects a full disk. Every route responds to it with status 507, so that clients can report the reason.
enum StorageFailure {
  /// Whether an error means that the disk is full. SQLite reports an I/O error if a memory-mapped file cannot grow.
  static func isDiskFull(_ error: any Error) -> Bool {
    switch error {
    case let error as DatabaseError: [.SQLITE_FULL, .SQLITE_IOERR].contains(error.resultCode)
    case let failure as PartFile.Failure: [ENOSPC, EDQUOT].contains(failure.code)
    case let error as any ExplainedError: error.isDiskFull
    default: false
    }
  }

  /// Returns the error for a full disk in the format of the requested API. PostgreSQL's error code for a full disk is
  /// 53100.
  static func response(to request: Request) -> any HTTPResponseError {
    let reason = "the server's disk is full"
    if request.uri.path.hasPrefix("/rest/v1") {
      return PostgRESTFailure(.insufficientStorage, "53100", reason)
    }
    return BackendFailure(.insufficientStorage, "storage_failed", reason)
  }
}

extension HTTPResponse.Status {
  static var insufficientStorage: Self { .init(code: 507, reasonPhrase: "Insufficient Storage") }
}
