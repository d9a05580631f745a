import Foundation

/// Error codes of disks and network file systems that may succeed a moment later.
package enum TransientErrno {
  package static func contains(_ code: Int32) -> Bool {
    [EIO, ESTALE, ETIMEDOUT, EAGAIN, ENETDOWN, ENETUNREACH, EHOSTDOWN].contains(code)
  }
}
