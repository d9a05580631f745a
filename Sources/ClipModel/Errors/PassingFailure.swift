import Foundation

/// Failures of disks, and of networks between us and a disk, that are over a moment later.
package enum PassingFailure {
  package static func isOne(errno code: Int32) -> Bool {
    [EIO, ESTALE, ETIMEDOUT, EAGAIN, ENETDOWN, ENETUNREACH, EHOSTDOWN].contains(code)
  }
}
