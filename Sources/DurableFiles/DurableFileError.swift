public import ClipModel
import Foundation

/// An error from an operation on a file or folder, such as reading, writing or locking.
public struct DurableFileError: ExplainedError, Equatable {
  /// The `errno` of the failed system call, or `nil` if a check failed instead of a system call.
  public let code: Int32?
  public let explanation: Explanation

  public var isTransient: Bool { code.map(TransientErrno.contains) ?? false }

  public var isDiskFull: Bool { code == ENOSPC || code == EDQUOT }

  init(
    _ id: String, _ operation: FileOperation, why: String, facts: [String: String] = [:], _ category: FailureCategory,
    code: Int32? = nil
  ) {
    self.code = code
    explanation = Explanation(
      id: id, what: operation.what, why: why, facts: operation.facts.merging(facts) { $1 }, category: category)
  }

  /// Returns the error for a file that changed after work on replacing it began.
  public static func changedSinceRead(replacing path: String) -> DurableFileError {
    DurableFileError("file.changed", .replace(path), why: "it has changed in the meantime", .inputOutput)
  }

  /// Returns the error for a file that changed while it was being read.
  static func changedDuringRead(_ path: String, why: String = "it changed while it was being read") -> DurableFileError
  {
    DurableFileError("file.changing", .read(path), why: why, .noInput)
  }

  /// Returns the error for a path that isn't a regular file, or `nil` for a regular file.
  static func notRegularFile(_ operation: FileOperation, mode: mode_t) -> DurableFileError? {
    let type = mode & S_IFMT
    let kind: String? =
      switch type {
      case S_IFREG: nil
      case S_IFDIR: "a folder"
      case S_IFIFO: "a pipe"
      case S_IFSOCK: "a socket"
      case S_IFCHR, S_IFBLK: "a device"
      default: "a special file"
      }
    return kind.map { kind in
      DurableFileError(
        "file.not-a-file", operation, why: "it is \(kind), not a file", operation.isReading ? .noInput : .usage,
        code: type == S_IFDIR ? EISDIR : nil)
    }
  }

  /// Creates the error for an `errno` value.
  init(_ operation: FileOperation, errno code: Int32) {
    let isReading = operation.isReading
    let (id, why, category): (String, String, FailureCategory) =
      switch code {
      case ENOENT where isReading: ("not-found", "there is no such file", .noInput)
      case ENOENT: ("no-folder", "the folder does not exist", .inputOutput)
      case ENOTDIR: ("bad-path", "a component of the path is not a folder", isReading ? .noInput : .inputOutput)
      case EISDIR: ("not-a-file", "it is a folder", isReading ? .noInput : .usage)
      case EEXIST: ("exists", "it already exists", .usage)
      case EACCES, EPERM: ("no-permission", "permission denied", isReading ? .noInput : .inputOutput)
      case ENOSPC: ("disk-full", "disk full", .inputOutput)
      case EDQUOT: ("disk-full", "disk quota exceeded", .inputOutput)
      case EFBIG: ("too-big-for-disk", "the file exceeds the size limit of the file system or a quota", .inputOutput)
      case EIO: ("io-error", "input/output error", .inputOutput)
      case EROFS: ("read-only", "the file system is read-only", .inputOutput)
      case ELOOP: ("bad-path", "too many symbolic links", isReading ? .noInput : .inputOutput)
      case ENAMETOOLONG: ("name-too-long", "the file name is too long", isReading ? .noInput : .inputOutput)
      case EMFILE, ENFILE: ("too-many-open", "too many open files", .unexpected)
      default:
        (
          "system-error", SystemCall.message(code),
          isReading && !TransientErrno.contains(code) ? .noInput : .inputOutput
        )
      }
    self.init("file.\(id)", operation, why: why, category, code: code)
  }
}
