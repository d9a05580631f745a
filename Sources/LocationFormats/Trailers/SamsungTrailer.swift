internal import ISOMedia

/// Reads Samsung's extended format (SEF), which follows the last box or is stored in `sefd`: blocks, then `SEFH`, a
/// version, a count, and each block's type, distance from `SEFH`, and size. The directory size and `SEFT` end the
/// trailer.
enum SamsungTrailer {
  private static let entryLimit = 1024
  /// The maximum number of bytes to search in all blocks. Overlapping blocks count several times.
  private static let readBudget: Int64 = 8 << 20

  /// Reads the trailer at the end of a range.
  /// - Returns: one finding per kind, and the start of the first block, or the end of the range if there are no blocks.
  static func examine(
    _ range: Range<Int64>, in source: any ByteSource
  ) throws(ISOMediaError) -> (findings: [PayloadFinding], start: Int64) {
    let none: (findings: [PayloadFinding], start: Int64) = ([], range.upperBound)
    guard range.upperBound - range.lowerBound >= 20 else { return none }
    let tail = try source.fields(in: range.upperBound - 8..<range.upperBound)
    guard tail.matches("SEFT", at: 4), let size = tail.littleEndian(UInt32.self, at: 0).map(Int64.init), size >= 12,
      size <= range.upperBound - range.lowerBound - 8
    else { return none }
    let directoryStart = range.upperBound - 8 - size
    let directory = try source.fields(in: directoryStart..<range.upperBound - 8, atMost: 12 + 12 * entryLimit)
    guard directory.matches("SEFH", at: 0), let count = directory.littleEndian(UInt32.self, at: 8) else { return none }
    var findings = FindingList()
    var start = directoryStart
    var budget = readBudget
    var isWhole = count <= entryLimit
    for offset in stride(from: 12, to: 12 + 12 * min(Int(count), entryLimit), by: 12) {
      guard let type = directory.littleEndian(UInt16.self, at: offset + 2),
        let distance = directory.littleEndian(UInt32.self, at: offset + 4).map(Int64.init),
        let size = directory.littleEndian(UInt32.self, at: offset + 8).map(Int64.init),
        distance <= directoryStart - range.lowerBound, size <= distance, budget > 0
      else {
        isWhole = false
        break
      }
      let blockStart = directoryStart - distance
      start = min(start, blockStart)
      budget -= min(size, 1 << 20)
      findings.add(try finding(type, blockStart..<blockStart + size, in: source))
    }
    if !isWhole { findings.add(PayloadFinding(kind: "samsung-sef", disclosure: .opaque)) }
    return (findings.findings, start)
  }

  private static func finding(
    _ type: UInt16, _ range: Range<Int64>, in source: any ByteSource
  ) throws(ISOMediaError) -> PayloadFinding {
    if let found = TextPositions.examine(Array(try source.fields(in: range).bytes)) { return found }
    switch type {
    // This block contains the mobile network's country.
    case 0x0AA1: return .location("samsung-mcc")
    case 0x0A01: return PayloadFinding(kind: "samsung-time", disclosure: .date)
    // These blocks contain complete images, audio and video files.
    case 0x0001, 0x0100, 0x0201, 0x0A20, 0x0A30: return PayloadFinding(kind: "samsung-file", disclosure: .opaque)
    default: return PayloadFinding(kind: "samsung-sef", disclosure: .harmless)
    }
  }

  /// Returns the most private of several findings, to represent the box that contains all of them.
  static func mostPrivateFinding(of findings: [PayloadFinding]) -> PayloadFinding {
    let order: [PayloadFinding.Disclosure] = [.location, .opaque, .identity, .date, .motion]
    return order.lazy.compactMap { disclosure in findings.first { $0.disclosure == disclosure } }.first
      ?? findings.first ?? PayloadFinding(kind: "samsung-sef", disclosure: .opaque)
  }
}
