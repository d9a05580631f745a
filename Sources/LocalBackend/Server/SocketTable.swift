import DurableFiles
import Foundation
import NIOCore
import Synchronization

/// An endpoint of a connection, in the format of the kernel's `tcp6` table.
struct SocketEndpoint {
  /// The address as 32-bit hexadecimal words in native byte order, followed by the port. IPv4 addresses are mapped to
  /// IPv6 (`::ffff:127.0.0.1`).
  var text: String
  var port: Int

  /// Creates an endpoint. Returns `nil` if the address has no port, as with the path of a Unix domain socket.
  init?(_ address: SocketAddress) {
    guard let port = address.port, let text = address.ipAddress else { return nil }
    // Link-local addresses end with the name of their network interface.
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

/// The kernel's tables of TCP sockets: `/proc/net/tcp` and `/proc/net/tcp6`.
struct SocketTable {
  private typealias Row = (local: String, remote: String, state: Substring, user: Substring, inode: Substring)

  private let v4: String
  private let v6: String

  init(v4: String, v6: String) {
    self.v4 = v4
    self.v6 = v6
  }

  /// The rows in which one end has a port. Only these are parsed, because tables can have thousands of closed connections,
  /// and every request without a token reads them.
  private func rows(port: Int) -> [Row] {
    let suffix = SocketEndpoint.suffix(port: port) + " "
    return [(v4, "0000000000000000FFFF0000"), (v6, "")].flatMap { table, prefix in
      Self.lines(of: table, containing: suffix).compactMap { line in
        let fields = line.split(separator: " ")
        return fields.count > 9 ? (prefix + fields[1], prefix + fields[2], fields[3], fields[7], fields[9]) : nil
      }
    }
  }

  private static func lines(of table: String, containing text: String) -> [String] {
    let newline = CChar(bitPattern: UInt8(ascii: "\n"))
    return unsafe table.withCString { base in
      var lines: [String] = []
      var rest = unsafe base
      while let found = unsafe strstr(rest, text) {
        var start = unsafe UnsafePointer(found)
        while unsafe start > rest, unsafe start[-1] != newline { unsafe start -= 1 }
        let end = unsafe UnsafePointer(strchr(found, Int32(newline)) ?? found + strlen(found))
        let line = unsafe UnsafeRawBufferPointer(start: start, count: end - start)
        unsafe lines.append(String(decoding: line, as: UTF8.self))
        unsafe rest = end
      }
      return lines
    }
  }

  /// The states TCP_ESTABLISHED and TCP_CLOSE_WAIT from Linux's `tcp_states.h`.
  static let openStates: Set<UInt8> = [0x01, 0x08]

  /// Reads the current tables.
  /// - Returns: `nil` if the system has no such tables.
  /// - Throws: `DurableFileError` if a table cannot be read.
  private static func read() throws -> SocketTable? {
    guard let v4 = try SystemTable.readText("/proc/net/tcp") else { return nil }
    return SocketTable(v4: v4, v6: try SystemTable.readText("/proc/net/tcp6") ?? "")
  }

  /// Whether the table has ever listed this server's own listening socket. Other systems have no such table, and on
  /// some Linux emulations the table is empty.
  private static let isReliable = Mutex(false)

  /// Checks whether the table lists a socket that is listening now. Later checks may run after the server has stopped
  /// listening and must not grant access in that case. Blocks the calling thread.
  static func checkReliability(port: Int) throws {
    guard !isReliable.withLock({ $0 }), let table = try read() else { return }
    _ = table.isReliable(port: port)
  }

  /// Whether a different user owns the remote end of a connection. Blocks the calling thread.
  static func isOwnedByOtherUser(from remote: SocketEndpoint, to local: SocketEndpoint) throws -> Bool {
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
    let suffix = SocketEndpoint.suffix(port: port)
    return rows(port: port).contains { $0.state == Self.listening && $0.local.hasSuffix(suffix) }
  }

  /// Whether one of these users owns the remote end of a connection. All matching rows must belong to these users,
  /// because two sockets of a machine can briefly have the same pair of endpoints.
  func isTrusted(from remote: SocketEndpoint, to local: SocketEndpoint, users: [UInt32]) -> Bool {
    let matches = rows(port: remote.port).filter { $0.local == remote.text && $0.remote == local.text }
    // A socket that belongs to no process has no inode, and its row lists root as the owner.
    return !matches.isEmpty
      && matches.allSatisfy { row in
        row.inode != "0" && !Self.opening.contains(row.state) && UInt32(row.user).map(users.contains) == true
      }
  }

  private static let listening: Substring = "0A"
  /// The states TCP_SYN_SENT and TCP_SYN_RECV of connections that are not established yet.
  private static let opening: Set<Substring> = ["02", "03"]
}
