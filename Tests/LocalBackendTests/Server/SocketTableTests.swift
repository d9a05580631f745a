import Testing

@testable import LocalBackend

/// Tables in Linux's format. `Scripts/server-attacks --only users` reads real ones.
@Suite struct SocketTableTests {
  private static let head =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
  private static let client = "0100007F:BC62"
  private static let server = "0100007F:1D0D"
  private static let mapped = "0000000000000000FFFF0000"

  private static func row(
    _ local: String, _ remote: String, _ state: String = "01", uid: Int = 1000, inode: Int = 9
  ) -> String {
    "   0: \(local) \(remote) \(state) 00000000:00000000 00:00000000 00000000 \(uid) 0 \(inode) 1 0000000000000000\n"
  }

  private func isTrusted(_ v4: String, _ v6: String = "", host: String = "127.0.0.1") throws -> Bool {
    SocketTable(v4: Self.head + v4, v6: Self.head + v6).isTrusted(
      from: try #require(SocketEndpoint(host, port: 0xBC62)), to: try #require(SocketEndpoint(host, port: 0x1D0D)),
      users: [0, 1000])
  }

  @Test(arguments: [
    ("127.0.0.1", 7437, "0000000000000000FFFF00000100007F:1D0D"),
    ("::ffff:127.0.0.1", 80, "0000000000000000FFFF00000100007F:0050"),
    ("::1", 7437, "00000000000000000000000001000000:1D0D"),
    ("fe80::5054:ff:fe12:3456", 1, "000080FE00000000FF005450563412FE:0001"),
  ])
  func endsHaveTheKernelsNotation(address: String, port: Int, text: String) throws {
    let end = try #require(SocketEndpoint(address, port: port))
    #expect(end.text == text)
  }

  @Test(arguments: [(1000, 9, true), (0, 9, true), (1001, 9, false), (0, 0, false), (1000, 0, false)])
  func theOwnerOfTheOtherEndDecides(uid: Int, inode: Int, isTrusted: Bool) throws {
    #expect(try self.isTrusted(Self.row(Self.client, Self.server, uid: uid, inode: inode)) == isTrusted)
    let (client, server) = (Self.mapped + Self.client, Self.mapped + Self.server)
    #expect(try self.isTrusted("", Self.row(client, server, uid: uid, inode: inode)) == isTrusted)
    let v6 = "00000000000000000000000001000000"
    let row = Self.row("\(v6):BC62", "\(v6):1D0D", uid: uid, inode: inode)
    #expect(try self.isTrusted("", row, host: "::1") == isTrusted)
  }

  /// Rows of another connection of the same user, or of the server's own end of this one, don't match.
  @Test func otherConnectionsAreIgnored() throws {
    #expect(try !isTrusted(Self.row("0100007F:BC63", Self.server) + Self.row(Self.server, Self.client)))
  }

  /// Sockets of two users can have the same ends when only one of them is bound to a device. A socket that is still
  /// connecting is not the other end.
  @Test func aConnectionSharedWithAnotherUserIsNotTrusted() throws {
    let own = Self.row(Self.client, Self.server)
    #expect(try !isTrusted(own + Self.row(Self.client, Self.server, uid: 1001)))
    #expect(try !isTrusted(Self.row(Self.client, Self.server, uid: 1001) + own))
    #expect(try !isTrusted(own, Self.row(Self.mapped + Self.client, Self.mapped + Self.server, uid: 1001)))
    for state in ["02", "03"] { #expect(try !isTrusted(Self.row(Self.client, Self.server, state))) }
  }

  /// A listener on any address counts, but not a connection to it.
  @Test(arguments: [
    ("0100007F:1D0D", "0A", true), ("00000000:1D0D", "0A", true),
    ("00000000000000000000000000000000:1D0D", "0A", true), ("0100007F:1D0D", "01", false),
    ("0100007F:1D0E", "0A", false),
  ])
  func listenersAreFound(local: String, state: String, isFound: Bool) {
    let row = Self.row(local, "00000000:0000", state, inode: 7)
    #expect(SocketTable(v4: Self.head + row, v6: "").hasListener(port: 7437) == isFound)
    #expect(SocketTable(v4: Self.head, v6: Self.head + row).hasListener(port: 7437) == isFound)
  }

  @Test func anEmptyTableHasNoListener() {
    #expect(!SocketTable(v4: "", v6: "").hasListener(port: 7437))
    #expect(!SocketTable(v4: Self.head, v6: Self.head).hasListener(port: 7437))
  }
}
