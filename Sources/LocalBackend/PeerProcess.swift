import DurableFiles
import Foundation
import Hummingbird
import HummingbirdCore
import NIOCore

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
    // IPv4 through a socket of IPv6.
    let mapped = "0000000000000000\(hex(UInt32(bigEndian: 0x0000_FFFF), 8))"
    let tables = [("tcp", ""), ("tcp6", mapped)].map { name, prefix in
      (text: SystemTable.text("\(folder)/\(name)"), prefix: prefix)
    }
    // Not Linux, or a place without /proc.
    guard tables.contains(where: { $0.text != nil }) else { return false }
    let trusted = [0, geteuid()]
    return !tables.contains { table in
      (table.text ?? "").split(separator: "\n").dropFirst().contains { line in
        let fields = line.split(separator: " ")
        // A socket that its process has left behind has no inode, and says that it is root's.
        return fields.count > 9 && fields[1] == table.prefix + remote && fields[2] == table.prefix + local
          && fields[9] != "0" && UInt32(fields[7]).map(trusted.contains) == true
      }
    }
  }

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
