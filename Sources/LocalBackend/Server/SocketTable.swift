import DurableFiles
import Foundation
import NIOCore
import Synchronization

/// One end of a connection as the kernel's tables write it: the address in words of four bytes, each as the number that it
/// is in memory, and the port, in hex.
struct SocketEnd {
  /// In `tcp`; `nil` for an address of IPv6.
  var v4: String?
  /// In `tcp6`, where IPv4 can be, too (`::ffff:127.0.0.1`).
  var v6: String
  var port: Int

  /// - Parameter address: without a port, or of a file, there is none.
  init?(_ address: SocketAddress) {
    guard let port = address.port, let text = address.ipAddress else { return nil }
    // A link-local address names its device.
    self.init(String(text.prefix { $0 != "%" }), port: port)
  }

  init?(_ address: String, port: Int) {
    let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
    var bytes = [UInt8](repeating: 0, count: 16)
    if address.contains(":") {
      guard unsafe inet_pton(AF_INET6, address, &bytes) == 1 else { return nil }
    } else {
      var short = [UInt8](repeating: 0, count: 4)
      guard unsafe inet_pton(AF_INET, address, &short) == 1 else { return nil }
      bytes = mapped + short
    }
    let words = stride(from: 0, to: 16, by: 4).map { start in
      Self.hex(UInt32(bigEndian: bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }), 8)
    }
    let ending = Self.ending(port)
    v6 = words.joined() + ending
    v4 = bytes.starts(with: mapped) ? words[3] + ending : nil
    self.port = port
  }

  static func ending(_ port: Int) -> String { ":" + hex(UInt32(port), 4) }

  private static func hex(_ value: UInt32, _ digits: Int) -> String {
    let text = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(digits - text.count, 0)) + text
  }
}

/// The kernel's tables of TCP sockets, `/proc/net/tcp` and `tcp6`.
struct SocketTable {
  private typealias Row = (local: Substring, remote: Substring, state: Substring, user: Substring, inode: Substring)

  private let rows: [Row]

  init(v4: String, v6: String) {
    rows = [v4, v6].flatMap { $0.split(separator: "\n").dropFirst() }.compactMap { line in
      let fields = line.split(separator: " ")
      return fields.count > 9 ? (fields[1], fields[2], fields[3], fields[7], fields[9]) : nil
    }
  }

  /// Established, and closed by the other end alone (`tcp_states.h` of Linux).
  static let open: Set<UInt8> = [0x01, 0x08]

  /// - Returns: `nil` where the system has none.
  /// - Throws: `DurableFileError` when it cannot be read.
  private static func read() throws -> SocketTable? {
    guard let v4 = try SystemTable.text("/proc/net/tcp") else { return nil }
    return SocketTable(v4: v4, v6: try SystemTable.text("/proc/net/tcp6") ?? "")
  }

  /// Our own listening socket was seen in the table once. Elsewhere than on Linux there is no such table, and some systems
  /// that stand in for it show an empty one.
  private static let tellsOfUs = Mutex(false)

  /// Finds out whether the table tells of a server that listens by now: a look that does not find it later, because it
  /// has stopped listening, opens no door then. Blocks.
  static func learn(port: Int) throws {
    if let table = try read() { _ = table.tells(port: port) }
  }

  /// Blocks.
  static func isStranger(from remote: SocketEnd, to local: SocketEnd) throws -> Bool {
    guard let table = try read(), table.tells(port: local.port) else { return false }
    return !table.isTrusted(from: remote, to: local, users: [0, geteuid()])
  }

  private func tells(port: Int) -> Bool {
    Self.tellsOfUs.withLock { known in
      known = known || hasListener(port: port)
      return known
    }
  }

  func hasListener(port: Int) -> Bool {
    let ending = SocketEnd.ending(port)
    return rows.contains { $0.state == Self.listening && $0.local.hasSuffix(ending) }
  }

  /// Whether the other end of a connection is one of these users'. Nobody else may share it: two sockets of a machine can
  /// have the same two ends for a moment.
  func isTrusted(from remote: SocketEnd, to local: SocketEnd, users: [UInt32]) -> Bool {
    let ends = rows.filter { row in
      let ends = (String(row.local), String(row.remote))
      return ends == (remote.v6, local.v6) || ends == (remote.v4, local.v4)
    }
    // A socket without a process has no inode, and is listed as root's.
    return !ends.isEmpty
      && ends.allSatisfy { row in
        row.inode != "0" && !Self.opening.contains(row.state) && UInt32(row.user).map(users.contains) == true
      }
  }

  private static let listening: Substring = "0A"
  /// SYN_SENT and SYN_RECV: no connection has been made by it.
  private static let opening: Set<Substring> = ["02", "03"]
}
