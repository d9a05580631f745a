public import ClipModel

/// An error that prevents a file from being read. Damage in the file's structure is not an error; `ISOFile.anomalies`
/// describes it.
public enum ISOMediaError: ExplainedError, Equatable {
  /// The file couldn't be opened (`open` or `fstat` failed). The reason is the system's message for `errno`.
  case cannotOpen(path: String, reason: String, isMissing: Bool, isTransient: Bool)
  /// The path refers to a folder, a pipe or a device.
  case notAFile(path: String)
  /// `pread` failed.
  case cannotRead(path: String, offset: Int64, reason: String, isTransient: Bool)

  /// The caller interrupted the read.
  case interrupted

  public var isTransient: Bool {
    switch self {
    case .cannotOpen(_, _, _, let isTransient), .cannotRead(_, _, _, let isTransient): isTransient
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
    // The wording must match `DurableFileError`.
    case .cannotOpen(let path, _, true, false):
      explain("file.not-found", "read", path, "there is no such file", .noInput)
    case .cannotOpen(let path, let reason, false, false): explain("file.cannot-open", "open", path, reason, .noInput)
    case .notAFile(let path): explain("file.not-a-file", "read", path, "it is not a regular file", .noInput)
    case .cannotRead(let path, let offset, let reason, _):
      explain("file.io-error", "read", path, "\(reason) at byte \(offset)", .inputOutput)
    }
  }
}
