public import ClipModel
import Foundation

/// A file or folder could not be read, written, locked or measured.
public struct DurableFileError: ExplainedError, Equatable {
  /// The failed call's `errno`; `nil` when no call failed and the file itself is the reason.
  public let code: Int32?
  public let explanation: Explanation

  public var mayPass: Bool { code.map(PassingFailure.isOne) ?? false }

  public var isDiskFull: Bool { code == ENOSPC || code == EDQUOT }

  /// What the file was wanted for: it decides the kind of failure and the advice.
  enum Purpose {
    case read, write
  }

  init(what: String, why: String, next: String? = nil, category: FailureCategory, code: Int32? = nil) {
    self.code = code
    explanation = Explanation(what: what, why: why, next: next, category: category)
  }

  /// Of a file that is not the one it was when work on it began.
  public static func changed(_ what: String) -> DurableFileError {
    DurableFileError(
      what: what, why: "it was changed meanwhile", next: "run the same command again", category: .inputOutput)
  }

  /// From `errno`. `what` names operation and path: `cannot write /clips/rally.mp4`.
  init(_ what: String, errno code: Int32, purpose: Purpose) {
    let isReading = purpose == .read
    let (why, next, category): (String, String?, FailureCategory) =
      switch code {
      case ENOENT where isReading: ("there is no such file", "check the path", .noInput)
      case ENOENT: ("its folder does not exist", "create the folder first", .inputOutput)
      case ENOTDIR: ("a part of the path is not a folder", "check the path", isReading ? .noInput : .inputOutput)
      case EISDIR: ("it is a folder", "name a file", isReading ? .noInput : .usage)
      case EEXIST: ("it exists already", "choose another name, or allow replacing it (--force)", .usage)
      case EACCES, EPERM:
        ("permission denied", "check the owner and the permissions (ls -l)", isReading ? .noInput : .inputOutput)
      case ENOSPC: ("disk full", "free some space, then run the same command again", .inputOutput)
      case EDQUOT: ("disk full: the quota is used up", "free some space, then run the same command again", .inputOutput)
      case EFBIG:
        (
          "disk full: the file system or a limit allows no bigger file", "write to another disk, or raise ulimit -f",
          .inputOutput
        )
      case EIO: ("input/output error", "check the disk or the connection to it", .inputOutput)
      case EROFS: ("the file system is read-only", "choose another folder", .inputOutput)
      case ELOOP: ("too many symbolic links", "check the path", isReading ? .noInput : .inputOutput)
      case ENAMETOOLONG: ("the name is too long", "choose a shorter name", isReading ? .noInput : .inputOutput)
      case EMFILE, ENFILE: ("too many open files", "run fewer jobs at once (-j), or raise ulimit -n", .unexpected)
      default: (SystemCall.message(code), nil, isReading ? .noInput : .inputOutput)
      }
    self.init(what: what, why: why, next: next, category: category, code: code)
  }
}
