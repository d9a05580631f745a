import DurableFiles
import Foundation
import NIOCore
import Synchronization

/// One end of a connection in the notation of the kernel's `tcp6` table.
struct SocketEnd {
  /// The address as hexadecimal words of four bytes in native byte order, and the port. An IPv4 address is mapped to IPv6
  /// (`::ffff:127.0.0.1`).
  var text: String
  var port: Int

  /// `nil` for an address without a port, such as the path of a socket file.
  init?(_ address: SocketAddress) {
    guard let port = address.port, let text = address.ipAddress else { return nil }
    // A link-local address ends with the name of its network interface.
    self.init(String(text.prefix { $0 != "%" }), port: port)
  }

  init?(_ address: String, port: Int) {
    var bytes = [UInt8](repeating: 0, count: 16)
    guard unsafe inet_pton(AF_INET6, address.contains(":") ? address : "::ffff:\(address)", &bytes) == 1 else {
      return nil
    }
    let words = stride(from: 0, to: 16, by: 4).map { start in
      String(format: "%08X", UInt32(bigEndian: bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }))
    }
    text = words.joined() + Self.suffix(port: port)
    self.port = port
  }

  static func suffix(port: Int) -> String { String(format: ":%04X", port) }
}

/// The kernel's tables of TCP sockets, `/proc/net/tcp` and `tcp6`.
struct SocketTable {
  private typealias Row = (local: String, remote: String, state: Substring, user: Substring, inode: Substring)

  private let rows: [Row]

  init(v4: String, v6: String) {
    rows = [(v4, "0000000000000000FFFF0000"), (v6, "")].flatMap { table, prefix in
      table.split(separator: "\n").dropFirst().compactMap { line in
        let fields = line.split(separator: " ")
        return fields.count > 9 ? (prefix + fields[1], prefix + fields[2], fields[3], fields[7], fields[9]) : nil
      }
    }
  }

  /// TCP_ESTABLISHED and TCP_CLOSE_WAIT in Linux's `tcp_states.h`.
  static let openStates: Set<UInt8> = [0x01, 0x08]

  /// - Returns: `nil` on systems without these tables.
  /// - Throws: `DurableFileError` when a table cannot be read.
  private static func read() throws -> SocketTable? {
    guard let v4 = try SystemTable.text("/proc/net/tcp") else { return nil }
    return SocketTable(v4: v4, v6: try SystemTable.text("/proc/net/tcp6") ?? "")
  }

  /// Whether the table has listed our own listening socket. Other systems have no such table, and some emulations of
  /// Linux have an empty one.
  private static let isReliable = Mutex(false)

  /// Checks that the table lists a server that is listening now. Later checks may run after it has stopped listening,
  /// and must not grant access in that case. Blocks.
  static func checkReliability(port: Int) throws {
    if let table = try read() { _ = table.isReliable(port: port) }
  }

  /// Whether another user owns the remote end of a connection. Blocks.
  static func isOwnedByOtherUser(from remote: SocketEnd, to local: SocketEnd) throws -> Bool {
    guard let table = try read(), table.isReliable(port: local.port) else { return false }
    return !table.isTrusted(from: remote, to: local, users: [0, geteuid()])
  }

  private func isReliable(port: Int) -> Bool {
    Self.isReliable.withLock { isReliable in
      isReliable = isReliable || hasListener(port: port)
      return isReliable
    }
  }

  func hasListener(port: Int) -> Bool {
    let suffix = SocketEnd.suffix(port: port)
    return rows.contains { $0.state == Self.listening && $0.local.hasSuffix(suffix) }
  }

  /// Whether one of these users owns the remote end of a connection. All matching rows must belong to them, because two
  /// sockets on the same machine can briefly have the same two ends.
  func isTrusted(from remote: SocketEnd, to local: SocketEnd, users: [UInt32]) -> Bool {
    let matches = rows.filter { $0.local == remote.text && $0.remote == local.text }
    // A socket without a process has no inode, and its row shows root as the owner.
    return !matches.isEmpty
      && matches.allSatisfy { row in
        row.inode != "0" && !Self.opening.contains(row.state) && UInt32(row.user).map(users.contains) == true
      }
  }

  private static let listening: Substring = "0A"
  /// TCP_SYN_SENT and TCP_SYN_RECV: the connection is not established yet.
  private static let opening: Set<Substring> = ["02", "03"]
}
