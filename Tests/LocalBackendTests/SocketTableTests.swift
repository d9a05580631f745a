import Testing

@testable import LocalBackend

/// Tables as Linux writes them; real ones are read in `Scripts/server-attacks --only users`.
@Suite struct SocketTableTests {
  private static let head =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
  private static let ours = row("0100007F:1D0D", "00000000:0000", "0A", uid: 1000, inode: 7)

  private static func row(_ local: String, _ remote: String, _ state: String, uid: Int, inode: Int) -> String {
    "   0: \(local) \(remote) \(state) 00000000:00000000 00:00000000 00000000 \(uid) 0 \(inode) 1 0000000000000000\n"
  }

  private func isStranger(_ v4: String?, _ v6: String? = nil) -> Bool {
    var isTold = false
    return SocketTable.isStranger(
      from: "0100007F:BC62", to: "0100007F:1D0D", v4.map { Self.head + $0 }, v6.map { Self.head + $0 },
      trusted: [0, 1000], isTold: &isTold)
  }

  @Test(arguments: [(1000, 9, false), (0, 9, false), (1001, 9, true), (0, 0, true), (1000, 0, true)])
  func theOtherEndSaysWhoseItIs(uid: Int, inode: Int, isStranger: Bool) {
    let other = Self.row("0100007F:BC62", "0100007F:1D0D", "01", uid: uid, inode: inode)
    #expect(self.isStranger(Self.ours + other) == isStranger)
    let mapped = Self.row(
      "0000000000000000FFFF00000100007F:BC62", "0000000000000000FFFF00000100007F:1D0D", "01", uid: uid, inode: inode)
    #expect(self.isStranger(Self.ours, mapped) == isStranger)
  }

  /// Another connection of the same user's, and the other end's own view of this one, are not it.
  @Test func onlyThisConnectionCounts() {
    let elsewhere = Self.row("0100007F:BC63", "0100007F:1D0D", "01", uid: 1000, inode: 9)
    let reversed = Self.row("0100007F:1D0D", "0100007F:BC62", "01", uid: 1000, inode: 9)
    #expect(isStranger(Self.ours + elsewhere + reversed))
  }

  /// Not Linux; a system that shows an empty table; one that knows nothing of this server.
  @Test(arguments: [nil, "", row("0100007F:0001", "00000000:0000", "0A", uid: 0, inode: 5)])
  func whereNothingIsToldEverybodyIsTrusted(_ table: String?) { #expect(!isStranger(table)) }

  /// What was told once is not forgotten when the server stops listening.
  @Test func aTableThatToldIsBelieved() {
    var isTold = true
    #expect(
      SocketTable.isStranger(
        from: "0100007F:BC62", to: "0100007F:1D0D", Self.head, nil, trusted: [1000], isTold: &isTold))
  }
}
