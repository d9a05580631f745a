public import ClipModel

/// Why a file could not be read at all. Damage inside a file is no error: it is told in `ISOFile.anomalies`.
public enum ISOMediaError: ExplainedError, Equatable {
  /// `open` or `fstat` failed with this `errno`, in words.
  case cannotOpen(path: String, reason: String, isMissing: Bool, mayPass: Bool)
  /// A folder, a pipe, a device.
  case notAFile(path: String)
  /// `pread` failed.
  case cannotRead(path: String, offset: Int64, reason: String, mayPass: Bool)

  /// Whoever reads does not want to know any more.
  case interrupted

  public var mayPass: Bool {
    switch self {
    case .cannotOpen(_, _, _, let mayPass), .cannotRead(_, _, _, let mayPass): mayPass
    case .notAFile, .interrupted: false
    }
  }

  public var explanation: Explanation {
    func explain(
      _ id: String, _ verb: String, _ path: String, _ why: String, _ category: FailureCategory
    ) -> Explanation {
      Explanation(id: id, what: "cannot \(verb) \(path)", why: why, facts: ["file": path], category: category)
    }
    return switch self {
    case .interrupted:
      Explanation(id: "error.interrupted", what: "stopped", why: "interrupted", category: .interrupted)
    case .cannotOpen(let path, let reason, _, true): explain("file.io-error", "open", path, reason, .inputOutput)
    // The same words as DurableFileError.
    case .cannotOpen(let path, _, true, false):
      explain("file.not-found", "read", path, "there is no such file", .noInput)
    case .cannotOpen(let path, let reason, false, false): explain("file.cannot-open", "open", path, reason, .noInput)
    case .notAFile(let path): explain("file.not-a-file", "read", path, "it is not a regular file", .noInput)
    case .cannotRead(let path, let offset, let reason, _):
      explain("file.io-error", "read", path, "\(reason) at byte \(offset)", .inputOutput)
    }
  }
}
