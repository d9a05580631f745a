import Foundation

/// The error codes of disks and network file systems for which a retry may succeed.
package enum TransientErrno {
  /// A disk that was unplugged reports `ENXIO` or `ENODEV`, and a file system without its server reports the others.
  private static let codes: [Int32] = [
    EIO, ENXIO, ENODEV, ESTALE, ETIMEDOUT, EAGAIN, ENETDOWN, ENETUNREACH, ENETRESET, EHOSTDOWN, EHOSTUNREACH,
    ECONNREFUSED, ECONNABORTED, ECONNRESET, ENOTCONN, ESHUTDOWN,
  ]

  package static func contains(_ code: Int32) -> Bool { codes.contains(code) }
}
