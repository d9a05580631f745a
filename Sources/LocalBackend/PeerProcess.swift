import DurableFiles
import Foundation
import Hummingbird
import HummingbirdCore
import NIOCore
import Synchronization

/// The process at the other end of a connection from this machine: whether it is the server's own user's.
///
/// A port of 127.0.0.1 is open to every account of the machine. Linux tells whose socket the other end is, so that
/// nobody else passes for the built-in user; on other systems everybody on the machine does.
struct PeerProcess: Sendable {
  /// Of the request that is answered now; `nil` where a token says who may come in.
  @TaskLocal static var current: PeerProcess?

  private let remote: SocketAddress?
  private let local: SocketAddress?

  init(remote: SocketAddress?, local: SocketAddress?) {
    self.remote = remote
    self.local = local
  }

  /// Whether it is neither the server's own user's nor root's. Also for a connection that nobody holds any more: whose it
  /// was cannot be told then.
  func isStranger() async -> Bool {
    guard let remote = remote.flatMap(SocketTable.text), let local = local.flatMap(SocketTable.text) else {
      return true
    }
    return (try? await blocking { SocketTable.isStranger(from: remote, to: local) }) ?? true
  }
}

/// The kernel's table of TCP sockets, `/proc/net/tcp` and `tcp6`.
enum SocketTable {
  private static let folder = "/proc/net"

  /// As the table writes an end of IPv4: the address as the number that its four bytes are in memory, and the port, in hex.
  static func text(_ address: SocketAddress) -> String? {
    let bytes = (address.ipAddress ?? "").split(separator: ".").compactMap { UInt32($0) }
    guard bytes.count == 4, let port = address.port else { return nil }
    return "\(hex(UInt32(bigEndian: bytes.reduce(0) { $0 << 8 | $1 }), 8)):\(hex(UInt32(port), 4))"
  }

  static func isStranger(from remote: String, to local: String) -> Bool {
    let (v4, v6) = (SystemTable.text("\(folder)/tcp"), SystemTable.text("\(folder)/tcp6"))
    return tellsOfUs.withLock { isStranger(from: remote, to: local, v4, v6, trusted: [0, geteuid()], isTold: &$0) }
  }

  /// Our own listening socket was seen in the table once.
  private static let tellsOfUs = Mutex(false)

  /// - Parameters:
  ///   - v4: the table of IPv4; `nil` where there is none.
  ///   - v6: the table of IPv6.
  ///   - trusted: users who may be the built-in one.
  ///   - isTold: whether the table tells of this server at all; a look that finds its listening socket settles that.
  static func isStranger(
    from remote: String, to local: String, _ v4: String?, _ v6: String?, trusted: [UInt32], isTold: inout Bool
  ) -> Bool {
    // IPv4 through a socket of IPv6.
    let mapped = "0000000000000000\(hex(UInt32(bigEndian: 0x0000_FFFF), 8))"
    var isTrusted = false
    for (table, prefix) in [(v4, ""), (v6, mapped)] {
      for line in (table ?? "").split(separator: "\n").dropFirst() {
        let fields = line.split(separator: " ")
        guard fields.count > 9 else { continue }
        if fields[1] == local, fields[3] == listening { isTold = true }
        // A socket that its process has left behind has no inode, and says that it is root's.
        if fields[1] == prefix + remote, fields[2] == prefix + local, fields[9] != "0",
          UInt32(fields[7]).map(trusted.contains) == true
        {
          isTrusted = true
        }
      }
    }
    // Elsewhere than on Linux there is no such table, and some systems that stand in for it show an empty one.
    return isTold && !isTrusted
  }

  private static let listening = "0A"

  private static func hex(_ value: UInt32, _ digits: Int) -> String {
    let text = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(digits - text.count, 0)) + text
  }
}

/// Notes for each request which connection it came by.
struct PeerNote: RouterMiddleware {
  typealias Context = BackendContext

  @concurrent
  func handle(
    _ request: Request, context: BackendContext, next: @concurrent (Request, BackendContext) async throws -> Response
  ) async throws -> Response {
    try await PeerProcess.$current.withValue(context.peer) { try await next(request, context) }
  }
}
