import ClipModel
import Reports

/// All files of a batch in a line.
struct ProgressSum: Equatable, Sendable {
  var endedCount = 0
  var fileCount = 0
  var failureCount = 0
  var savedByteCount: Int64 = 0
  var doneByteCount = 0.0
  var byteCount: Int64 = 0
  /// Why nothing is done now.
  var pause: String?

  var fraction: Double { byteCount > 0 ? min(max(doneByteCount / Double(byteCount), 0), 1) : 0 }

  /// `12 of 200 files, 1 failed, 34 %, 1.2 GB saved, 12 MB/s, 42 min left`: of it what fits, whole.
  /// - Parameters:
  ///   - speed: of the whole, in a second.
  ///   - left: seconds.
  ///   - columns: `nil` leaves nothing out.
  func text(speed: Double?, left: Double?, columns: Int? = nil) -> String {
    // With how long each is kept.
    var parts = [("\(endedCount) of \(fileCount.counting("file"))", 9)]
    if failureCount > 0 { parts.append(("\(failureCount) failed", 6)) }
    parts.append(("\(ProgressLine.percent(fraction)) %", 8))
    if savedByteCount > 0 { parts.append(("\(ByteCount.text(savedByteCount)) saved", 3)) }
    if pause == nil, let speed { parts.append(("\(ByteCount.text(Int64(speed * Double(byteCount))))/s", 2)) }
    if pause == nil, let left { parts.append(("\(TimeText.left(left)) left", 7)) }
    if let pause { parts.append(("waiting: \(pause)".onOneLine, 5)) }
    func joined() -> String { parts.map(\.0).joined(separator: ", ") }
    guard let columns else { return joined() }
    while parts.count > 1, TextColumns.count(joined()) > columns,
      let least = parts.indices.min(by: { parts[$0].1 < parts[$1].1 })
    {
      // Speed and what is saved go before a word does.
      if parts[least].1 > 3, parts[0].0.hasSuffix("s") || parts[0].0.hasSuffix("e") {
        parts[0].0 = "\(endedCount) of \(fileCount)"
      } else {
        parts.remove(at: least)
      }
    }
    return joined()
  }
}
