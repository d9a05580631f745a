public import ClipModel
import Foundation

/// A file or folder could not be read, written, locked or measured.
public struct DurableFileError: ExplainedError, Equatable {
  /// The failed call's `errno`; `nil` when no call failed and the file itself is the reason.
  public let code: Int32?
  public let explanation: Explanation

  public var mayPass: Bool { code.map(PassingFailure.isOne) ?? false }

  public var isDiskFull: Bool { code == ENOSPC || code == EDQUOT }

  /// The purpose of the access decides the kind of failure.
  enum Purpose {
    case read, write
  }

  init(
    _ id: String, _ operation: FileOperation, why: String, facts: [String: String] = [:], _ category: FailureCategory,
    code: Int32? = nil
  ) {
    self.code = code
    explanation = Explanation(
      id: id, what: operation.what, why: why, facts: operation.facts.merging(facts) { $1 }, category: category)
  }

  /// The file changed after work on it began.
  public static func changed(_ operation: FileOperation) -> DurableFileError {
    DurableFileError("file.changed", operation, why: "it changed in the meantime", .inputOutput)
  }

  /// The file changed while it was read.
  static func changing(_ path: String) -> DurableFileError {
    DurableFileError("file.changing", .read(path), why: "it changed while it was read", .noInput)
  }

  /// Something other than a regular file.
  static func special(_ operation: FileOperation, _ kind: String, _ category: FailureCategory) -> DurableFileError {
    DurableFileError(
      "file.not-a-file", operation, why: "it is \(kind), not a file", category,
      code: kind == "a folder" ? EISDIR : nil)
  }

  /// From `errno`.
  init(_ operation: FileOperation, errno code: Int32, purpose: Purpose) {
    let isReading = purpose == .read
    let (id, why, category): (String, String, FailureCategory) =
      switch code {
      case ENOENT where isReading: ("not-found", "there is no such file", .noInput)
      case ENOENT: ("no-folder", "its folder does not exist", .inputOutput)
      case ENOTDIR: ("bad-path", "a part of the path is not a folder", isReading ? .noInput : .inputOutput)
      case EISDIR: ("not-a-file", "it is a folder", isReading ? .noInput : .usage)
      case EEXIST: ("exists", "it exists already", .usage)
      case EACCES, EPERM: ("no-permission", "permission denied", isReading ? .noInput : .inputOutput)
      case ENOSPC: ("disk-full", "disk full", .inputOutput)
      case EDQUOT: ("disk-full", "disk full: the quota is used up", .inputOutput)
      case EFBIG: ("too-big-for-disk", "disk full: the file system or a limit allows no bigger file", .inputOutput)
      case EIO: ("io-error", "input/output error", .inputOutput)
      case EROFS: ("read-only", "the file system is read-only", .inputOutput)
      case ELOOP: ("bad-path", "too many symbolic links", isReading ? .noInput : .inputOutput)
      case ENAMETOOLONG: ("name-too-long", "the name is too long", isReading ? .noInput : .inputOutput)
      case EMFILE, ENFILE: ("too-many-open", "too many open files", .unexpected)
      default: ("system-error", SystemCall.message(code), isReading ? .noInput : .inputOutput)
      }
    self.init("file.\(id)", operation, why: why, category, code: code)
  }
}
