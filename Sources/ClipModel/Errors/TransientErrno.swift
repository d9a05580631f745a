import Foundation

/// The error codes of disks and network file systems for which a retry may succeed.
package enum TransientErrno {
  package static func contains(_ code: Int32) -> Bool {
    [EIO, ESTALE, ETIMEDOUT, EAGAIN, ENETDOWN, ENETUNREACH, EHOSTDOWN].contains(code)
  }
}
