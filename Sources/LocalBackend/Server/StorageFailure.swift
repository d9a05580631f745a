import ClipModel
import Foundation
import GRDB
import Hummingbird

/// A write that found no room: 507 on every route, so that a client can name the reason.
enum StorageFailure {
  /// SQLite reports an I/O error where the file that it maps cannot grow.
  static func isDiskFull(_ error: any Error) -> Bool {
    switch error {
    case let error as DatabaseError: [.SQLITE_FULL, .SQLITE_IOERR].contains(error.resultCode)
    case let failure as PartFile.Failure: isFull(failure.code)
    case let error as any ExplainedError: error.isDiskFull
    default: false
    }
  }

  private static func isFull(_ code: Int32) -> Bool { [ENOSPC, EDQUOT].contains(code) }

  /// In the shape of the API that was asked; PostgreSQL calls it 53100.
  static func refusal(of request: Request) -> any HTTPResponseError {
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
