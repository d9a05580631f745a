internal import ISOMedia

/// The supplemental enhancement information of one NAL unit (ITU-T H.264 and H.265, 7.3.2.3 and annex D/E/F).
enum SEIMessages {
  /// What the private messages of a unit tell, and the unit without them.
  /// - Parameters:
  ///   - headerSize: Bytes of the unit's header: 1 in H.264, 2 in HEVC.
  ///   - search: for positions in every message, whatever its type.
  /// - Returns: `nil` when there is nothing private in it. The rest is empty when nothing else was in it.
  static func examine(
    _ unit: [UInt8], headerSize: Int, search: PositionSearch = .blind
  ) -> (finding: PayloadFinding, rest: [UInt8])? {
    let body = RBSP.unescaped(unit)
    guard body.count > headerSize else { return nil }
    // The last byte in use is the stop bit; without one the unit was cut off.
    let last = body.lastIndex { $0 != 0 } ?? 0
    let end = last >= headerSize && body[last] == 0x80 ? last : body.count
    var (finding, kept) = (PayloadFinding?.none, Array(body[..<headerSize]))
    var next = headerSize
    while next < end {
      let (type, payload) = message(in: body, at: next, end: end)
      let told = examine(type: type, body[payload], search)
      if let told, told.disclosure != .harmless {
        finding = finding?.merged(with: told) ?? told
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
    case 4: return UserData.registered(payload, search: search)
    case 5: return UserData.unregistered(payload, search: search)
    default:
      // Most are times and buffer delays of a few bytes.
      guard payload.count >= smallestPosition, var finding = search.examine(Array(payload)) else { return nil }
      finding.kind = "sei-message"
      return finding
    }
  }

  /// Two floating-point numbers.
  private static let smallestPosition = 8

  /// Type and size are any number of bytes 0xFF, each worth 255, and one that is less. A size that is too large is cut.
  private static func message(in body: [UInt8], at start: Int, end: Int) -> (type: Int, payload: Range<Int>) {
    var next = start
    func number() -> Int {
      var sum = 0
      while next < end {
        let byte = body[next]
        next += 1
        sum += Int(byte)
        if byte != 0xFF { break }
      }
      return sum
    }
    let type = number()
    let size = number()
    return (type, next..<next + min(size, end - next))
  }
}
