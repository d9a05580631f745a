import ClipModel
import DurableFiles
import Foundation

/// Waiting: for room on the disk of the results, and for the time of the day.
extension ClipBatch {
  func requireRoom(_ item: BatchItem, for byteCount: Int64) async throws {
    let needed = options.leastFreeByteCount + byteCount
    do {
      try DiskRoom.require(
        needed, at: item.destination, operation: "write \(item.destination)", folder: "the results")
    } catch let error as ShareEngineError where options.waitsForRoom {
      try await waitForRoom(item, needed: needed, why: error.explanation.why)
    }
  }

  func waitForRoom(_ item: BatchItem, needed: Int64, why: String) async throws {
    report(.paused(item, reason: why))
    let before = try FreeSpace.bytes(at: item.destination)
    while true {
      try await Task.sleep(for: options.roomInterval)
      let free = try FreeSpace.bytes(at: item.destination)
      // Nobody knows what a full disk needed: a little more than before is worth a try.
      if free >= max(needed, before + (1 << 20)) || (needed > 0 && free >= needed) { break }
    }
    report(.resumed(item))
  }

  var isOpen: Bool { options.window.map { $0.secondsUntilOpen(at: Date()) <= 0 } ?? true }

  /// The clock of the wall may be set meanwhile: it is looked at again each minute.
  func wait(for window: DailyWindow) async throws {
    var isTold = false
    while true {
      let seconds = window.secondsUntilOpen(at: Date())
      if seconds <= 0 { break }
      if !isTold { report(.paused(nil, reason: "it is not time yet (--schedule \(window))")) }
      isTold = true
      try await Task.sleep(for: .seconds(min(seconds, 60)))
    }
    if isTold { report(.resumed(nil)) }
  }
}
