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
    switch self {
    case .interrupted:
      Explanation(what: "cannot go on reading", why: "it was interrupted", next: nil, category: .interrupted)
    case .cannotOpen(let path, let reason, _, true):
      Explanation(
        what: "cannot open \(path)", why: reason, next: "check the disk, then try again", category: .inputOutput)
    // In the words that every other command has for it.
    case .cannotOpen(let path, _, true, false):
      Explanation(
        what: "cannot read \(path)", why: "there is no such file", next: "check the path", category: .noInput)
    case .cannotOpen(let path, let reason, false, false):
      Explanation(
        what: "cannot open \(path)", why: reason, next: "check the owner and the permissions (ls -l)",
        category: .noInput)
    case .notAFile(let path):
      Explanation(
        what: "cannot read \(path)", why: "it is not a regular file", next: "name a media file", category: .noInput)
    case .cannotRead(let path, let offset, let reason, _):
      Explanation(
        what: "cannot read \(path)", why: "\(reason) at byte \(offset)",
        next: "check the disk or the connection to it, then run the same command again",
        category: .inputOutput)
    }
  }
}
