internal import ISOMedia

/// The supplemental enhancement information (SEI) messages in a NAL unit (ITU-T H.264 and H.265, 7.3.2.3 and annexes D,
/// E and F).
enum SEIMessages {
  /// Finds and removes the private SEI messages in a unit.
  /// - Parameters:
  ///   - headerSize: the size of the unit's header in bytes: 1 in H.264, 2 in HEVC.
  ///   - search: the search for positions in SEI messages of all types.
  /// - Returns: the finding, and the unit without the private messages, which is empty if the unit has no other
  ///   messages; `nil` if the unit has no private message.
  static func examine(
    _ unit: [UInt8], headerSize: Int, search: PositionSearch = .generic
  ) -> (finding: PayloadFinding, rest: [UInt8])? {
    let body = RBSP.unescaped(unit)
    guard body.count > headerSize else { return nil }
    // The last nonzero byte contains the stop bit. If there is none, the unit is truncated.
    let last = body.lastIndex { $0 != 0 } ?? 0
    let end = last >= headerSize && body[last] == 0x80 ? last : body.count
    var (finding, kept) = (PayloadFinding?.none, Array(body[..<headerSize]))
    var next = headerSize
    while next < end {
      let (type, payload) = readMessage(in: body, at: next, end: end)
      if let found = examine(type: type, body[payload], search), found.disclosure != .harmless {
        finding = finding?.merged(with: found) ?? found
      } else {
        kept += body[next..<payload.upperBound]
      }
      next = payload.upperBound
    }
    guard let finding else { return nil }
    if kept.count == headerSize { return (finding, []) }
    kept.append(0x80)
    return (finding, RBSP.escaped(kept))
  }

  private static func examine(
    type: Int, _ payload: ArraySlice<UInt8>, _ search: PositionSearch
  ) -> PayloadFinding? {
    switch type {
    case 4: return UserData.examineRegisteredData(payload, search: search)
    case 5: return UserData.examineUnregisteredData(payload, search: search)
    default:
      // Most SEI messages contain a few bytes of timing and buffering information.
      guard payload.count >= smallestPosition, var finding = search.examine(Array(payload)) else { return nil }
      finding.kind = "sei-message"
      return finding
    }
  }

  /// The size of two floating-point numbers in bytes.
  private static let smallestPosition = 8

  /// Reads a message. Its type and size are each stored as any number of 0xFF bytes, which add 255 each, followed by a
  /// smaller byte. A size that exceeds the unit is reduced.
  private static func readMessage(in body: [UInt8], at start: Int, end: Int) -> (type: Int, payload: Range<Int>) {
    var next = start
    func readNumber() -> Int {
      var sum = 0
      while next < end {
        let byte = body[next]
        next += 1
        sum += Int(byte)
        if byte != 0xFF { break }
      }
      return sum
    }
    let type = readNumber()
    let size = readNumber()
    return (type, next..<next + min(size, end - next))
  }
}
