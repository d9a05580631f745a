import ClipModel
import Reports

/// The total progress of all files in a batch.
struct TotalProgress: Equatable, Sendable {
  var endedCount = 0
  var fileCount = 0
  var failureCount = 0
  var savedByteCount: Int64 = 0
  var doneByteCount = 0.0
  var byteCount: Int64 = 0
  /// The reason why the batch is paused.
  var pause: String?

  var fraction: Double { byteCount > 0 ? min(max(doneByteCount / Double(byteCount), 0), 1) : 0 }

  /// Formats the progress, for example `12 of 200 files, 1 failed, 34 %, 1.2 GB saved, 12 MB/s, 42 min left`. If there
  /// is not enough space, less important parts are omitted.
  /// - Parameters:
  ///   - speed: the completed fraction per second.
  ///   - left: the remaining time in seconds.
  ///   - columns: the maximum width; `nil` for any width.
  func formatText(speed: Double?, left: Double?, columns: Int? = nil) -> String {
    var parts: [(text: String, priority: Int)] = [("\(endedCount) of \(fileCount.withNoun("file"))", 9)]
    if failureCount > 0 { parts.append(("\(failureCount) failed", 6)) }
    parts.append(("\(ProgressLine.percentage(fraction)) %", 8))
    if savedByteCount > 0 { parts.append(("\(ByteCount.text(savedByteCount)) saved", 3)) }
    if pause == nil, let speed { parts.append(("\(ByteCount.text(Int64(speed * Double(byteCount))))/s", 2)) }
    if pause == nil, let left { parts.append(("\(TimeText.formatRemaining(left)) left", 7)) }
    if let pause { parts.append(("waiting: \(pause)".onOneLine, 5)) }
    func joined() -> String { parts.map(\.text).joined(separator: ", ") }
    guard let columns else { return joined() }
    while parts.count > 1, TextColumns.count(joined()) > columns,
      let least = parts.indices.min(by: { parts[$0].priority < parts[$1].priority })
    {
      // Only the speed and the saved space are less important than the word "files".
      let short = "\(endedCount) of \(fileCount)"
      if parts[least].priority > 3, parts[0].text != short { parts[0].text = short } else { parts.remove(at: least) }
    }
    return joined()
  }
}
