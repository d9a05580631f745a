import Foundation

/// Error codes from disks and network file systems that may go away on retry.
package enum TransientErrno {
  package static func contains(_ code: Int32) -> Bool {
    [EIO, ESTALE, ETIMEDOUT, EAGAIN, ENETDOWN, ENETUNREACH, EHOSTDOWN].contains(code)
  }
}
